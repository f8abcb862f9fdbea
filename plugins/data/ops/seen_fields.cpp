#include "ops/seen_fields.hpp"

#include <algorithm>

#include "values/pointer.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kMostKeys = 40, kMostKeptKeys = 400, kDeepestKey = 3, kLongestKey = 100;

Kind kind_of(const Value& value) {
  switch (value.type()) {
    case Value::Type::int32:
    case Value::Type::int64:
      return Kind::integer;
    case Value::Type::real:
      return Kind::number;
    case Value::Type::string:
      return Kind::string;
    case Value::Type::object:
      return pointer_id(value).is_missing() ? Kind::object : Kind::pointer;
    case Value::Type::array:
      return Kind::array;
    case Value::Type::bytes:
      return Kind::bytes;
    case Value::Type::boolean:
      return Kind::boolean;
    case Value::Type::date:
      return Kind::date;
    case Value::Type::missing:
    case Value::Type::null:
      break;
  }
  return Kind::any;
}

bool is_numeric(Kind kind) { return kind == Kind::integer || kind == Kind::number; }

Kind both(Kind a, Kind b) {
  if (a == b) return a;
  return is_numeric(a) && is_numeric(b) ? Kind::number : Kind::any;
}

// `typed`: a value other than null was seen before.
void add_kind(const Value& value, Kind& kind, bool& typed) {
  if (value.is_nullish()) return;
  kind = typed ? both(kind, kind_of(value)) : kind_of(value);
  typed = true;
}

bool is_path_part(std::string_view name) {
  return !name.empty() && name.size() <= kLongestKey && name.front() != '$' &&
         name.find('.') == std::string_view::npos;
}

}  // namespace

void SeenKeys::see_below(const Value& json, const std::string& path, std::size_t level) {
  if (level > kDeepestKey) return;
  Spending::step_current();
  if (json.is_array()) {
    for (const Value& element : json.elements()) {
      if (element.is_object()) see_below(element, path, level);
    }
  }
  if (!json.is_object() || kind_of(json) == Kind::pointer) return;
  for (const Member& member : json.members()) {
    if (is_path_part(member.name)) see_member(member, path, level);
  }
}

void SeenKeys::see_member(const Member& member, const std::string& path, std::size_t level) {
  const std::string name = path + member.name;
  auto known = places_.find(name);
  if (known == places_.end()) {
    if (keys_.size() == kMostKeptKeys) return;
    known = places_.emplace(name, keys_.size()).first;
    keys_.push_back({{name, Kind::any, {}}, level});
  }
  Key& key = keys_[known->second];
  add_kind(member.value, key.field.kind, key.typed);
  see_below(member.value, name + ".", level + 1);
}

std::vector<SeenField> SeenKeys::take() {
  std::stable_sort(keys_.begin(), keys_.end(),
                   [](const Key& a, const Key& b) { return a.level < b.level; });
  if (keys_.size() > kMostKeys) keys_.resize(kMostKeys);
  std::vector<SeenField> fields;
  for (Key& key : keys_) fields.push_back(std::move(key.field));
  return fields;
}

void SeenFields::see(const Value& document) {
  for (const Member& member : document.members()) {
    Spending::step_current();
    const auto [known, is_new] = places_.try_emplace(member.name, fields_.size());
    if (is_new) fields_.push_back({{member.name, Kind::any, {}}, false, {}});
    Seen& seen = fields_[known->second];
    add_kind(member.value, seen.field.kind, seen.typed);
    seen.keys.see(member.value);
  }
}

std::vector<SeenField> SeenFields::take() {
  std::vector<SeenField> fields;
  for (Seen& seen : fields_) {
    seen.field.keys = seen.keys.take();
    fields.push_back(std::move(seen.field));
  }
  return fields;
}

}  // namespace gantry::data
