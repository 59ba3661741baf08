#include "core/stats.h"

#include <stdexcept>

namespace warpsieve {

Stats::Entry& Stats::entry(const std::string& name, const std::string& unit, const std::string& doc) {
  for (Entry& e : entries_) {
    if (e.name != name) continue;
    if (e.unit != unit) throw std::logic_error("statistic " + name + " declared in " + e.unit + " and in " + unit);
    return e;
  }
  if (frozen_) throw std::logic_error("statistic " + name + " declared while frozen");
  return entries_.emplace_back(Entry{name, unit, doc});
}

Counter Stats::add(const std::string& name, const std::string& unit, const std::string& doc) {
  Entry& e = entry(name, unit, doc);
  if (whole_ && !e.of_whole) e.of_whole = &whole_->entry(name, unit, doc);
  return Counter(&e.value);
}

void Stats::gather() {
  for (Stats* part : parts_)
    for (Entry& e : part->entries_) {
      e.of_whole->value += e.value;
      e.value = 0;
    }
}

std::uint64_t Stats::value(std::string_view name) const {
  if (whole_) return whole_->value(name);
  for (const Entry& e : entries_)
    if (e.name == name) return e.value;
  throw std::out_of_range("no statistic named " + std::string(name));
}

bool Stats::has(std::string_view name) const {
  if (whole_) return whole_->has(name);
  for (const Entry& e : entries_)
    if (e.name == name) return true;
  return false;
}

void Stats::freeze() {
  if (frozen_) throw std::logic_error("statistics frozen twice");
  gather();
  saved_.clear();
  for (const Entry& e : entries_) saved_.push_back(e.value);
  frozen_ = true;
}

void Stats::thaw() {
  if (!frozen_) throw std::logic_error("statistics are not frozen");
  gather();
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
