#include "run/logic_rules.hpp"

#include "report/sink.hpp"
#include "run/runner.hpp"

namespace gantry::schema::detail {
namespace {

std::size_t size_of(const Json& value) {
  if (value.IsArray()) return value.Size();
  return value.IsObject() ? value.MemberCount() : 0;
}

}  // namespace

bool LogicRules::apply(const Op& op, const Frame& f) const {
  switch (op.code) {
    case Code::kAllOf:
      return all_of(op, f);
    case Code::kAnyOf:
      return any_of(op, f);
    case Code::kOneOf:
      return one_of(op, f);
    case Code::kNot:
      return negation(op, f);
    default:
      return condition(op, f);
  }
}

bool LogicRules::try_run(std::uint32_t node, const Frame& f) const {
  const SinkSwap silent(state_, nullptr);
  return runner_.run(node, f);
}

bool LogicRules::run_branch(std::uint32_t node, const Frame& f) const {
  if (f.seen == nullptr) return try_run(node, f);
  const std::size_t count = size_of(f.value);
  if (!state_.spend(count / 64)) return false;
  Evaluated seen(count);
  Frame branch = f;
  branch.seen = &seen;
  if (!try_run(node, branch)) return false;
  f.seen->merge(seen);
  return true;
}

bool LogicRules::all_of(const Op& op, const Frame& f) const {
  bool good = true;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    good = runner_.run(state_.program().children[op.a + i], f) && good;
    if (!good && !state_.reports()) return false;
  }
  return good;
}

bool LogicRules::any_of(const Op& op, const Frame& f) const {
  bool good = false;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    good = run_branch(state_.program().children[op.a + i], f) || good;
    if (good && f.seen == nullptr) return true;
  }
  return good || report_branches(op, f);
}

bool LogicRules::one_of(const Op& op, const Frame& f) const {
  std::uint32_t matching = 0;
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    if (!run_branch(state_.program().children[op.a + i], f)) continue;
    if (++matching == 1) first = i;
    // b and c are the two matching alternatives, counted from 1.
    if (matching == 2) return state_.fail({Code::kOneOf, op.a, first + 1, i + 1}, f);
  }
  return matching == 1 || report_branches(op, f);
}

bool LogicRules::negation(const Op& op, const Frame& f) const {
  Frame inner = f;
  inner.seen = nullptr;
  return !try_run(op.a, inner) || state_.fail(op, f);
}

bool LogicRules::condition(const Op& op, const Frame& f) const {
  const bool holds = run_branch(op.a, f);
  const std::uint32_t next = holds ? op.b : op.c;
  return next == kNone || runner_.run(next, f);
}

bool LogicRules::report_branches(const Op& op, const Frame& f) const {
  if (!state_.reports() || state_.stopped() != nullptr) return false;
  std::vector<Branch> branches;
  Frame inner = f;
  inner.seen = nullptr;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    Sink mine(state_.program(), Sink::kBranchFindings);
    const SinkSwap swap(state_, &mine);
    runner_.run(state_.program().children[op.a + i], inner);
    branches.push_back({std::move(mine).take()});
  }
  return state_.fail_branches(op, f, std::move(branches));
}

}  // namespace gantry::schema::detail
