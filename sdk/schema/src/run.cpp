// The main loop of a run: nodes, groups of instructions, limits.
#include "runner.hpp"

#include <cmath>

#include "sink.hpp"

namespace gantry::schema::detail {
namespace {

struct KindOf {
  Group group;
  std::uint8_t bits;
};

KindOf kind_of(const Json& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType:
      return {kAnything, kNullBit};
    case rapidjson::kFalseType:
    case rapidjson::kTrueType:
      return {kAnything, kBooleanBit};
    case rapidjson::kStringType:
      return {kStrings, kStringBit};
    case rapidjson::kArrayType:
      return {kArrays, kArrayBit};
    case rapidjson::kObjectType:
      return {kObjects, kObjectBit};
    case rapidjson::kNumberType:
      break;
  }
  const bool whole = Number::of(value).is_integer();
  return {kNumbers, static_cast<std::uint8_t>(whole ? kIntegerBit | kNumberBit : kNumberBit)};
}

}  // namespace

bool Runner::check(const Json& instance) { return run(0, Frame{instance}) && stopped_ == nullptr; }

bool Runner::run(std::uint32_t index, const Frame& outer) {
  const Node& node = program_.nodes[index];
  if (node.accepts_all) return true;
  if (!spend(1)) return false;
  const KindOf kind = kind_of(outer.value);
  Frame f = outer;
  f.node = index;
  f.secret = outer.secret || node.secret;
  if ((node.types & kind.bits) == 0) {
    return fail({node.rejects_all ? Code::kFalse : Code::kType, 0, 0, 0}, f);
  }
  if (depth_ >= program_.max_depth) return stop("the schemas apply within one another too deeply");
  ++depth_;
  const bool good = run_scoped(node, f, kind.group);
  --depth_;
  return good;
}

bool Runner::run_scoped(const Node& node, Frame& f, Group group) {
  const Scope inner{f.scope, node.resource};
  if (f.scope == nullptr || f.scope->resource != node.resource) f.scope = &inner;
  const bool tracks = (group == kArrays && node.unevaluated_items != kNone) ||
                      (group == kObjects && node.unevaluated_properties != kNone);
  return tracks ? run_unevaluated(node, f, group) : run_groups(node, f, group);
}

bool Runner::run_unevaluated(const Node& node, const Frame& f, Group group) {
  const std::size_t count = group == kArrays ? f.value.Size() : f.value.MemberCount();
  if (!spend(count / 64)) return false;
  Evaluated seen(count);
  Frame inner = f;
  inner.seen = &seen;
  // After a failure the evaluated members are unknown, and further findings would mislead.
  if (!run_groups(node, inner, group)) return false;
  const bool good =
      group == kArrays ? unevaluated_items(node, inner) : unevaluated_properties(node, inner);
  if (f.seen != nullptr) f.seen->merge(seen);
  return good;
}

bool Runner::run_groups(const Node& node, const Frame& f, Group group) {
  bool good = true;
  if (group != kAnything) good = run_range(node.ends[group], node.ends[group + 1U], f);
  if (!good && sink_ == nullptr) return false;
  return run_range(node.ends[kAnything], node.ends[kGroups], f) && good;
}

bool Runner::run_range(std::uint32_t from, std::uint32_t to, const Frame& f) {
  bool good = true;
  for (; from != to; ++from) {
    good = execute(program_.ops[from], f) && good;
    if (!good && sink_ == nullptr) return false;
  }
  return good;
}

bool Runner::execute(const Op& op, const Frame& f) {
  switch (op.code) {
    case Code::kMinimum:
    case Code::kMaximum:
    case Code::kExclusiveMinimum:
    case Code::kExclusiveMaximum:
    case Code::kMultipleOf:
      return number_op(op, f);
    case Code::kMinLength:
    case Code::kMaxLength:
    case Code::kPattern:
      return string_op(op, f);
    case Code::kMinItems:
      return f.value.Size() >= op.a || fail(op, f);
    case Code::kMaxItems:
      return f.value.Size() <= op.a || fail(op, f);
    case Code::kUniqueItems:
      return unique_items(op, f);
    case Code::kPrefixItems:
      return prefix_items(op, f);
    case Code::kItems:
      return items(op, f);
    case Code::kContains:
      return contains(op, f);
    case Code::kMinProperties:
      return f.value.MemberCount() >= op.a || fail(op, f);
    case Code::kMaxProperties:
      return f.value.MemberCount() <= op.a || fail(op, f);
    case Code::kMembers:
      return members(op, f);
    case Code::kPropertyNames:
      return property_names(op, f);
    case Code::kDependentRequired:
      return dependent_required(op, f);
    case Code::kDependentSchemas:
      return dependent_schemas(op, f);
    case Code::kConst:
      return constant(op, f);
    case Code::kEnum:
      return enumeration(op, f);
    case Code::kRef:
      return run(op.a, f);
    case Code::kDynamicRef:
      return dynamic_ref(op, f);
    case Code::kAllOf:
      return all_of(op, f);
    case Code::kAnyOf:
      return any_of(op, f);
    case Code::kOneOf:
      return one_of(op, f);
    case Code::kNot:
      return negation(op, f);
    case Code::kIf:
      return condition(op, f);
    default:
      return true;  // not instructions
  }
}

bool Runner::spend(std::uint64_t steps) {
  if (steps_ < steps) return stop("the check would take too many steps");
  steps_ -= steps;
  return stopped_ == nullptr;
}

bool Runner::stop(const char* why) {
  if (stopped_ == nullptr) stopped_ = why;
  steps_ = 0;
  return false;
}

bool Runner::fail(const Op& op, const Frame& f, std::string_view name) {
  if (sink_ != nullptr && stopped_ == nullptr) sink_->report(op, f, name);
  return false;
}

bool Runner::try_run(std::uint32_t node, const Frame& f) {
  Sink* const sink = sink_;
  sink_ = nullptr;
  const bool good = run(node, f);
  sink_ = sink;
  return good;
}

}  // namespace gantry::schema::detail
