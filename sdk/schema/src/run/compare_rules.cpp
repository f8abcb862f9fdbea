#include "run/compare_rules.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>
#include <vector>

namespace gantry::schema::detail {
namespace {

// Up to this number of elements, comparing all pairs is faster than hashing.
constexpr rapidjson::SizeType kFewItems = 24;

std::uint64_t mixed(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * 0xd6e8feb86659fd93U;
  return h ^ (h >> 32U);
}

std::uint64_t number_hash(const Json& value) {
  // Equal numbers of different kinds have the same nearest double.
  const double d = value.GetDouble();
  return std::bit_cast<std::uint64_t>(d == 0 ? 0.0 : d);
}

std::uint64_t text_hash(const Json& string) { return std::hash<std::string_view>{}(view(string)); }

}  // namespace

bool CompareRules::equal(const Json& a, const Json& b, std::uint32_t depth) const {
  if (!state_.spend(1)) return false;
  if (a.GetType() != b.GetType()) return false;
  if (depth >= state_.program().max_depth) return state_.stop("the value is nested too deeply");
  switch (a.GetType()) {
    case rapidjson::kNumberType:
      return compare(Number::of(a), Number::of(b)) == 0;
    case rapidjson::kStringType:
      return state_.spend(a.GetStringLength() / 64) && view(a) == view(b);
    case rapidjson::kArrayType:
      return a.Size() == b.Size() &&
             std::equal(a.Begin(), a.End(), b.Begin(),
                        [&](const Json& x, const Json& y) { return equal(x, y, depth + 1); });
    case rapidjson::kObjectType:
      return equal_objects(a, b, depth);
    default:
      return true;
  }
}

bool CompareRules::equal_objects(const Json& a, const Json& b, std::uint32_t depth) const {
  if (a.MemberCount() != b.MemberCount()) return false;
  for (const auto& member : a.GetObject()) {
    if (!state_.spend(1 + b.MemberCount() / 8)) return false;
    const auto other = b.FindMember(member.name);
    if (other == b.MemberEnd() || !equal(member.value, other->value, depth + 1)) return false;
  }
  return true;
}

std::uint64_t CompareRules::hash(const Json& value, std::uint32_t depth) const {
  if (!state_.spend(1)) return 0;
  if (depth >= state_.program().max_depth)
    return state_.stop("the value is nested too deeply") ? 1 : 0;
  std::uint64_t h = mixed(0x51, static_cast<std::uint64_t>(value.GetType()));
  if (value.IsNumber()) return mixed(h, number_hash(value));
  if (value.IsString())
    return mixed(h, state_.spend(value.GetStringLength() / 64) ? text_hash(value) : 0);
  if (value.IsArray()) {
    for (const Json& item : value.GetArray()) h = mixed(h, hash(item, depth + 1));
  }
  if (value.IsObject()) {
    std::uint64_t sum = 0;  // independent of the order of the members
    for (const auto& m : value.GetObject()) {
      sum += mixed(text_hash(m.name), hash(m.value, depth + 1));
    }
    h = mixed(h, sum);
  }
  return h;
}

bool CompareRules::unique_by_hash(const Json& list) const {
  std::vector<std::pair<std::uint64_t, rapidjson::SizeType>> hashes;
  hashes.reserve(list.Size());
  for (rapidjson::SizeType i = 0; i < list.Size(); ++i) hashes.emplace_back(hash(list[i], 0), i);
  std::sort(hashes.begin(), hashes.end());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    for (std::size_t k = i + 1; k < hashes.size() && hashes[k].first == hashes[i].first; ++k) {
      if (equal(list[hashes[i].second], list[hashes[k].second], 0)) return false;
      if (state_.stopped() != nullptr) return false;
    }
  }
  return true;
}

bool CompareRules::unique_by_pairs(const Json& list) const {
  for (rapidjson::SizeType i = 1; i < list.Size(); ++i) {
    for (rapidjson::SizeType k = 0; k < i; ++k) {
      if (equal(list[i], list[k], 0)) return false;
    }
  }
  return true;
}

bool CompareRules::unique_items(const Op& op, const Frame& f) const {
  const bool few = f.value.Size() <= kFewItems;
  return (few ? unique_by_pairs(f.value) : unique_by_hash(f.value)) || state_.fail(op, f);
}

bool CompareRules::constant(const Op& op, const Frame& f) const {
  return equal(f.value, state_.program().literals[op.a], 0) || state_.fail(op, f);
}

bool CompareRules::enumeration(const Op& op, const Frame& f) const {
  const Program& program = state_.program();
  const EnumTable& table = program.enums[op.a];
  if (f.value.IsString()) {
    const std::string_view text = view(f.value);
    const auto at = std::lower_bound(
        table.strings.begin(), table.strings.end(), text, [&](Text t, std::string_view wanted) {
          return t.size != wanted.size() ? t.size < wanted.size() : program.view(t) < wanted;
        });
    return (at != table.strings.end() && program.view(*at) == text) || state_.fail(op, f);
  }
  for (const std::uint32_t other : table.others) {
    if (equal(f.value, program.literals[other], 0)) return true;
  }
  return state_.fail(op, f);
}

}  // namespace gantry::schema::detail
