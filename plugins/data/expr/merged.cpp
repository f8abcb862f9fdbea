#include "expr/merged.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace gantry::data::expr {
namespace {

constexpr std::size_t kFew = 16;  // up to this number a linear search is used

std::size_t hash_of_name(std::string_view name) { return std::hash<std::string_view>()(name); }

}  // namespace

std::size_t Merged::find(std::string_view name, std::size_t hash) const {
  if (table_.empty()) {
    const auto it = std::find_if(members_.begin(), members_.end(),
                                 [&](const Member& member) { return member.name == name; });
    return static_cast<std::size_t>(it - members_.begin());
  }
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash & mask; table_[at] != 0; at = (at + 1) & mask) {
    if (members_[table_[at] - 1].name == name) return table_[at] - 1;
  }
  return members_.size();
}

void Merged::enter(std::size_t hash, std::size_t place) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  while (table_[at] != 0) at = (at + 1) & mask;
  table_[at] = static_cast<Place>(place + 1);
}

void Merged::grow_table() {
  table_.assign(std::max<std::size_t>(8 * kFew, 2 * table_.size()), 0);
  for (std::size_t place = 0; place < members_.size(); ++place) {
    enter(hash_of_name(members_[place].name), place);
  }
}

void Merged::set(std::string_view name, const Value& value) {
  const bool is_many = !table_.empty();
  const std::size_t hash = is_many ? hash_of_name(name) : 0;
  const std::size_t place = find(name, hash);
  if (place < members_.size()) {
    members_[place].value = value;
    return;
  }
  constexpr std::size_t kInside = 15;  // std::string holds shorter names without allocating
  if (name.size() > kInside) names_.add(name.size());
  members_.push_back({std::string(name), value});
  if (members_.size() < kFew) return;
  if (2 * members_.size() > table_.size()) return grow_table();
  enter(hash, place);
}

void Merged::set_all(const Members& members) {
  for (const Member& member : members) {
    Spending::step_current();
    set(member.name, member.value);
  }
}

Value Merged::build() {
  table_.clear();
  names_ = Charge();
  return ObjectBuilder(std::exchange(members_, {})).build();
}

Value Merged::copy() const { return ObjectBuilder(members_).build(); }

}  // namespace gantry::data::expr
