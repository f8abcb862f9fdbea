#include "where/operators.hpp"

#include <algorithm>
#include <array>

namespace gantry::data::where {
namespace {

constexpr std::array<std::string_view, 8> kRoot = {
    "$and", "$or", "$nor", "$expr", "$comment", "$sampleRate", "$alwaysTrue", "$alwaysFalse"};
constexpr std::array<std::string_view, 30> kKnown = {
    "$eq",         "$ne",   "$gt",          "$gte",          "$lt",         "$lte",
    "$in",         "$nin",  "$exists",      "$all",          "$regex",      "$options",
    "$and",        "$or",   "$nor",         "$not",          "$size",       "$elemMatch",
    "$type",       "$mod",  "$containedBy", "$inQuery",      "$notInQuery", "$select",
    "$dontSelect", "$expr", "$bitsAllSet",  "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear"};
constexpr std::array<std::string_view, 14> kGeo = {"$near",
                                                   "$nearSphere",
                                                   "$within",
                                                   "$geoWithin",
                                                   "$geoIntersects",
                                                   "$maxDistance",
                                                   "$minDistance",
                                                   "$maxDistanceInRadians",
                                                   "$maxDistanceInMiles",
                                                   "$maxDistanceInKilometers",
                                                   "$box",
                                                   "$polygon",
                                                   "$center",
                                                   "$centerSphere"};
constexpr std::array<std::string_view, 3> kCode = {"$where", "$function", "$accumulator"};

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

OperatorGroup operator_group(std::string_view name) {
  if (holds(kRoot, name)) return OperatorGroup::root;
  if (holds(kKnown, name)) return OperatorGroup::field;
  if (holds(kGeo, name)) return OperatorGroup::geo;
  if (holds(kCode, name)) return OperatorGroup::code;
  return name == "$text" ? OperatorGroup::text : OperatorGroup::unknown;
}

std::span<const std::string_view> known_operators() { return kKnown; }

}  // namespace gantry::data::where
