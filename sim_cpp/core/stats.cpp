#include "core/stats.h"

#include <stdexcept>

namespace warpsieve {

Counter Stats::add(const std::string& name, const std::string& unit, const std::string& doc) {
  for (Entry& e : entries_) {
    if (e.name != name) continue;
    if (e.unit != unit) throw std::logic_error("statistic " + name + " declared in " + e.unit + " and in " + unit);
    return Counter(&e.value);
  }
  if (frozen_) throw std::logic_error("statistic " + name + " declared while frozen");
  entries_.push_back({name, unit, doc, 0});
  return Counter(&entries_.back().value);
}

std::uint64_t Stats::value(std::string_view name) const {
  for (const Entry& e : entries_)
    if (e.name == name) return e.value;
  throw std::out_of_range("no statistic named " + std::string(name));
}

bool Stats::has(std::string_view name) const {
  for (const Entry& e : entries_)
    if (e.name == name) return true;
  return false;
}

void Stats::freeze() {
  if (frozen_) throw std::logic_error("statistics frozen twice");
  saved_.clear();
  for (const Entry& e : entries_) saved_.push_back(e.value);
  frozen_ = true;
}

void Stats::thaw() {
  if (!frozen_) throw std::logic_error("statistics are not frozen");
  for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].value = saved_[i];
  frozen_ = false;
}

nlohmann::ordered_json Stats::values() const {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Entry& e : entries_) out[e.name] = e.value;
  return out;
}

nlohmann::ordered_json Stats::legend() const {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Entry& e : entries_) out[e.name] = {{"unit", e.unit}, {"doc", e.doc}};
  return out;
}

}  // namespace warpsieve
