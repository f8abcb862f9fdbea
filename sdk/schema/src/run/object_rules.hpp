// The rules for objects, and the marks of the members that they evaluate.
#pragma once

#include "run/run_state.hpp"

namespace gantry::schema::detail {

class Runner;

class ObjectRules {
 public:
  ObjectRules(RunState& state, Runner& runner) : state_(state), runner_(runner) {}

  // f.value is an object, here and below, but for dependent_schemas().
  bool apply(const Op& op, const Frame& f) const;
  // Any kind of value satisfies it; the schemas apply to the whole object.
  bool dependent_schemas(const Op& op, const Frame& f) const;
  // unevaluatedProperties: applies `node` to the members without a mark. f.seen must not be null.
  bool unevaluated(std::uint32_t node, const Frame& f) const;

 private:
  bool members(const Op& op, const Frame& f) const;
  bool member(const MemberTable& table, const Json::Member& m, std::size_t position, const Frame& f,
              std::uint64_t& present) const;
  const Member* find_member(const MemberTable& table, std::string_view name) const;
  bool report_missing(const MemberTable& table, const Frame& f, std::uint64_t present) const;
  bool more_required(const MemberTable& table, const Frame& f) const;
  bool property_names(const Op& op, const Frame& f) const;
  bool dependent_required(const Op& op, const Frame& f) const;
  bool run_member(std::uint32_t node, const Json::Member& m, const Frame& f) const;
  // As run_member(), for a member that no other keyword evaluates; `code` names the keyword.
  bool run_rest(std::uint32_t node, Code code, const Json::Member& m, const Frame& f) const;

  RunState& state_;
  Runner& runner_;
};

}  // namespace gantry::schema::detail
