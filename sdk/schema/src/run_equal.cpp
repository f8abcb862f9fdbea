// Equality of JSON values as defined by JSON Schema: 1 equals 1.0, members have no order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "runner.hpp"

namespace gantry::schema::detail {
namespace {

// Up to this number of elements, comparing all pairs is faster than hashing.
constexpr rapidjson::SizeType kFewItems = 24;

bool same_text(const Json& a, const Json& b) {
  return std::string_view(a.GetString(), a.GetStringLength()) ==
         std::string_view(b.GetString(), b.GetStringLength());
}

std::uint64_t mixed(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * 0xd6e8feb86659fd93U;
  return h ^ (h >> 32U);
}

std::uint64_t number_hash(const Json& value) {
  // Equal numbers of different kinds have the same nearest double.
  const double d = value.GetDouble();
  return std::bit_cast<std::uint64_t>(d == 0 ? 0.0 : d);
}

std::uint64_t text_hash(const Json& string) {
  return std::hash<std::string_view>{}({string.GetString(), string.GetStringLength()});
}

}  // namespace

bool Runner::equal(const Json& a, const Json& b, std::uint32_t depth) {
  if (!spend(1)) return false;
  if (a.GetType() != b.GetType()) return false;
  if (depth >= program_.max_depth) return stop("the value is nested too deeply");
  switch (a.GetType()) {
    case rapidjson::kNumberType:
      return compare(Number::of(a), Number::of(b)) == 0;
    case rapidjson::kStringType:
      return spend(a.GetStringLength() / 64) && same_text(a, b);
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

bool Runner::equal_objects(const Json& a, const Json& b, std::uint32_t depth) {
  if (a.MemberCount() != b.MemberCount()) return false;
  for (const auto& member : a.GetObject()) {
    if (!spend(1 + b.MemberCount() / 8)) return false;
    const auto other = b.FindMember(member.name);
    if (other == b.MemberEnd() || !equal(member.value, other->value, depth + 1)) return false;
  }
  return true;
}

std::uint64_t Runner::hash(const Json& value, std::uint32_t depth) {
  if (!spend(1)) return 0;
  if (depth >= program_.max_depth) return stop("the value is nested too deeply") ? 1 : 0;
  std::uint64_t h = mixed(0x51, static_cast<std::uint64_t>(value.GetType()));
  if (value.IsNumber()) return mixed(h, number_hash(value));
  if (value.IsString()) return mixed(h, spend(value.GetStringLength() / 64) ? text_hash(value) : 0);
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

bool Runner::unique_by_hash(const Json& list) {
  std::vector<std::pair<std::uint64_t, rapidjson::SizeType>> hashes;
  hashes.reserve(list.Size());
  for (rapidjson::SizeType i = 0; i < list.Size(); ++i) hashes.emplace_back(hash(list[i], 0), i);
  std::sort(hashes.begin(), hashes.end());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    for (std::size_t k = i + 1; k < hashes.size() && hashes[k].first == hashes[i].first; ++k) {
      if (equal(list[hashes[i].second], list[hashes[k].second], 0)) return false;
      if (stopped_ != nullptr) return false;
    }
  }
  return true;
}

bool Runner::unique_items(const Op& op, const Frame& f) {
  const Json& list = f.value;
  if (list.Size() > kFewItems) return unique_by_hash(list) || fail(op, f);
  for (rapidjson::SizeType i = 1; i < list.Size(); ++i) {
    for (rapidjson::SizeType k = 0; k < i; ++k) {
      if (equal(list[i], list[k], 0)) return fail(op, f);
    }
  }
  return true;
}

}  // namespace gantry::schema::detail
