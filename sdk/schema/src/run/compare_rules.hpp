// The rules that compare whole values: const, enum, uniqueItems. Equality is that of JSON Schema:
// 1 equals 1.0, and members have no order.
#pragma once

#include "run/run_state.hpp"

namespace gantry::schema::detail {

class CompareRules {
 public:
  explicit CompareRules(RunState& state) : state_(state) {}

  bool constant(const Op& op, const Frame& f) const;
  bool enumeration(const Op& op, const Frame& f) const;
  // f.value is an array.
  bool unique_items(const Op& op, const Frame& f) const;

 private:
  bool equal(const Json& a, const Json& b, std::uint32_t depth) const;
  bool equal_objects(const Json& a, const Json& b, std::uint32_t depth) const;
  std::uint64_t hash(const Json& value, std::uint32_t depth) const;
  bool unique_by_pairs(const Json& list) const;
  bool unique_by_hash(const Json& list) const;

  RunState& state_;
};

}  // namespace gantry::schema::detail
