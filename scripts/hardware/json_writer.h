// Writes JSON text value by value; commas and quotes are the writer's.
//
//   JsonWriter w;
//   w.object().key("runs").value(5).key("curves").array().end().end();
//   w.text();  // {"runs": 5, "curves": []}
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpsieve::hardware {

class JsonWriter {
 public:
  JsonWriter& object() { return open('{', '}'); }
  JsonWriter& array() { return open('[', ']'); }
  JsonWriter& end() {
    if (open_.empty() || has_key_) throw std::logic_error("JSON: nothing to end");
    text_ += open_.back().closing;
    open_.pop_back();
    return *this;
  }
  JsonWriter& key(std::string_view name) {
    if (open_.empty() || open_.back().closing != '}' || has_key_)
      throw std::logic_error("JSON: a key outside of an object");
    separate();
    quote(name);
    text_ += ": ";
    has_key_ = true;
    return *this;
  }
  JsonWriter& value(std::string_view s) {
    before_value();
    quote(s);
    return *this;
  }
  JsonWriter& value(const char* s) { return value(std::string_view(s)); }
  template <class T>
  JsonWriter& value(T number) requires std::is_arithmetic_v<T> {
    before_value();
    if constexpr (std::is_same_v<T, bool>) {
      text_ += number ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
      text_ += std::to_string(number);
    } else if (!std::isfinite(number)) {
      text_ += "null";  // JSON has neither infinity nor NaN
    } else {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(number));
      text_ += digits;
    }
    return *this;
  }
  /// Throws std::logic_error while something is open.
  const std::string& text() const {
    if (!open_.empty()) throw std::logic_error("JSON: not ended");
    return text_;
  }

 private:
  struct Level {
    char closing;
    bool first = true;
  };
  JsonWriter& open(char opening, char closing) {
    before_value();
    text_ += opening;
    open_.push_back({closing});
    return *this;
  }
  void separate() {
    // A line per member of the outermost object and per object in an array.
    if (!open_.back().first) text_ += open_.size() == 1 || open_.back().closing == ']' ? ",\n" : ", ";
    open_.back().first = false;
  }
  void before_value() {
    if (open_.empty() ? !text_.empty() : open_.back().closing == '}' && !has_key_)
      throw std::logic_error("JSON: a value without a place");
    if (!has_key_ && !open_.empty()) separate();
    has_key_ = false;
  }
  void quote(std::string_view s) {
    text_ += '"';
    for (const char c : s) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
        text_ += code;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  std::vector<Level> open_;
  bool has_key_ = false;
};

}  // namespace warpsieve::hardware
