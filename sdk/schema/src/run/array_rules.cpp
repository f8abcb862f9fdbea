#include "run/array_rules.hpp"

#include <algorithm>

#include "run/runner.hpp"

namespace gantry::schema::detail {

bool ArrayRules::apply(const Op& op, const Frame& f) const {
  switch (op.code) {
    case Code::kMinItems:
      return f.value.Size() >= op.a || state_.fail(op, f);
    case Code::kMaxItems:
      return f.value.Size() <= op.a || state_.fail(op, f);
    case Code::kUniqueItems:
      return compare_.unique_items(op, f);
    case Code::kPrefixItems:
      return prefix_items(op, f);
    case Code::kItems:
      return items(op, f);
    default:
      return contains(op, f);
  }
}

bool ArrayRules::run_element(std::uint32_t node, std::uint32_t position, const Frame& f) const {
  const Path path{f.path, {}, position, false};
  return runner_.run(node, Frame{f.value[position], &path, f.scope, f.secret});
}

bool ArrayRules::prefix_items(const Op& op, const Frame& f) const {
  bool good = true;
  const std::uint32_t count = std::min(op.b, f.value.Size());
  for (std::uint32_t i = 0; i < count; ++i) {
    good = run_element(state_.program().children[op.a + i], i, f) && good;
    if (!good && !state_.reports()) return false;
    if (f.seen != nullptr) f.seen->mark(i);
  }
  return good;
}

bool ArrayRules::items(const Op& op, const Frame& f) const {
  if (f.seen != nullptr) f.seen->mark_all();
  if (state_.program().nodes[op.a].accepts_all) return true;
  bool good = true;
  for (std::uint32_t i = op.b; i < f.value.Size() && state_.stopped() == nullptr; ++i) {
    good = run_element(op.a, i, f) && good;
    if (!good && !state_.reports()) return false;
  }
  return good && state_.stopped() == nullptr;
}

bool ArrayRules::contains(const Op& op, const Frame& f) const {
  const bool count_all = f.seen != nullptr || op.c != kNone;
  std::uint32_t matching = 0;
  {
    const SinkSwap silent(state_, nullptr);  // an element that does not match is not a failure
    for (std::uint32_t i = 0; i < f.value.Size() && (count_all || matching < op.b); ++i) {
      if (!run_element(op.a, i, f)) continue;
      ++matching;
      if (f.seen != nullptr) f.seen->mark(i);
    }
  }
  return (matching >= op.b && matching <= op.c) || state_.fail(op, f);
}

bool ArrayRules::forbid_element(std::uint32_t position, const Frame& f) const {
  const Path path{f.path, {}, position, false};
  const Frame at{f.value[position], &path, f.scope, f.secret, nullptr, f.node};
  return state_.fail({Code::kUnevaluatedItems, 0, 0, 0}, at);
}

bool ArrayRules::unevaluated(std::uint32_t node, const Frame& f) const {
  const bool forbidden = state_.program().nodes[node].rejects_all;
  bool good = true;
  for (std::uint32_t i = 0; i < f.value.Size() && state_.stopped() == nullptr; ++i) {
    if (f.seen->has(i)) continue;
    good = (forbidden ? forbid_element(i, f) : run_element(node, i, f)) && good;
    if (!good && !state_.reports()) return false;
  }
  f.seen->mark_all();
  return good && state_.stopped() == nullptr;
}

}  // namespace gantry::schema::detail
