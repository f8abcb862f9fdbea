#include "run/runner.hpp"

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

bool Runner::check(const Json& instance) {
  return run(0, Frame{instance}) && state_.stopped() == nullptr;
}

bool Runner::run(std::uint32_t index, const Frame& outer) {
  const Node& node = state_.program().nodes[index];
  if (node.accepts_all) return true;
  if (!state_.spend(1)) return false;
  const KindOf kind = kind_of(outer.value);
  Frame f = outer;
  f.node = index;
  f.secret = outer.secret || node.secret;
  if ((node.types & kind.bits) == 0) {
    return state_.fail({node.rejects_all ? Code::kFalse : Code::kType, 0, 0, 0}, f);
  }
  if (depth_ >= state_.program().max_depth)
    return state_.stop("the schemas apply within one another too deeply");
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
  if (!state_.spend(count / 64)) return false;
  Evaluated seen(count);
  Frame inner = f;
  inner.seen = &seen;
  // After a failure the evaluated members are unknown, and further findings would mislead.
  if (!run_groups(node, inner, group)) return false;
  const bool good = group == kArrays ? arrays_.unevaluated(node.unevaluated_items, inner)
                                     : objects_.unevaluated(node.unevaluated_properties, inner);
  if (f.seen != nullptr) f.seen->merge(seen);
  return good;
}

template <class Rule>
bool Runner::run_each(std::span<const Op> ops, Rule rule) {
  bool good = true;
  for (const Op& op : ops) {
    good = rule(op) && good;
    if (!good && !state_.reports()) return false;
  }
  return good;
}

bool Runner::run_groups(const Node& node, const Frame& f, Group group) {
  const bool good = group == kAnything || run_kind(ops(node, group), f, group);
  if (!good && !state_.reports()) return false;
  return run_each(ops(node, kAnything), [&](const Op& op) { return run_anything(op, f); }) && good;
}

bool Runner::run_kind(std::span<const Op> ops, const Frame& f, Group group) {
  if (ops.empty()) return true;
  switch (group) {
    case kNumbers:
      return run_each(ops, [&](const Op& op) { return scalars_.number(op, f); });
    case kStrings:
      return run_each(ops, [&](const Op& op) { return scalars_.string(op, f); });
    case kArrays:
      return run_each(ops, [&](const Op& op) { return arrays_.apply(op, f); });
    default:
      return run_each(ops, [&](const Op& op) { return objects_.apply(op, f); });
  }
}

bool Runner::run_anything(const Op& op, const Frame& f) {
  switch (op.code) {
    case Code::kDependentSchemas:
      return objects_.dependent_schemas(op, f);
    case Code::kConst:
      return compare_.constant(op, f);
    case Code::kEnum:
      return compare_.enumeration(op, f);
    case Code::kRef:
      return run(op.a, f);
    case Code::kDynamicRef:
      return dynamic_ref(op, f);
    default:
      return logic_.apply(op, f);
  }
}

bool Runner::dynamic_ref(const Op& op, const Frame& f) {
  const auto& carriers = state_.program().dynamic_anchors[op.b];
  std::uint32_t node = op.a;
  std::uint64_t looked = 0;
  for (const Scope* scope = f.scope; scope != nullptr; scope = scope->up, ++looked) {
    if (carriers[scope->resource] != kNone) node = carriers[scope->resource];
  }
  return state_.spend(looked / 16) && run(node, f);
}

}  // namespace gantry::schema::detail
