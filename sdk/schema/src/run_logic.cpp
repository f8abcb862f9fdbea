// References and combinations. A branch that fails must not mark members in Frame::seen, so
// branches that may fail mark a copy.
#include <optional>

#include "runner.hpp"
#include "sink.hpp"

namespace gantry::schema::detail {
namespace {

std::size_t size_of(const Json& value) {
  if (value.IsArray()) return value.Size();
  return value.IsObject() ? value.MemberCount() : 0;
}

}  // namespace

bool Runner::dynamic_ref(const Op& op, const Frame& f) {
  const auto& carriers = program_.dynamic_anchors[op.b];
  std::uint32_t node = op.a;
  std::uint64_t looked = 0;
  for (const Scope* scope = f.scope; scope != nullptr; scope = scope->up, ++looked) {
    if (carriers[scope->resource] != kNone) node = carriers[scope->resource];
  }
  return spend(looked / 16) && run(node, f);
}

bool Runner::all_of(const Op& op, const Frame& f) {
  bool good = true;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    good = run(program_.children[op.a + i], f) && good;
    if (!good && sink_ == nullptr) return false;
  }
  return good;
}

bool Runner::run_branch(std::uint32_t node, const Frame& f) {
  if (f.seen == nullptr) return try_run(node, f);
  const std::size_t count = size_of(f.value);
  if (!spend(count / 64)) return false;
  Evaluated seen(count);
  Frame branch = f;
  branch.seen = &seen;
  if (!try_run(node, branch)) return false;
  f.seen->merge(seen);
  return true;
}

bool Runner::any_of(const Op& op, const Frame& f) {
  bool good = false;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    good = run_branch(program_.children[op.a + i], f) || good;
    if (good && f.seen == nullptr) return true;
  }
  return good || report_branches(op, f);
}

bool Runner::one_of(const Op& op, const Frame& f) {
  std::uint32_t matching = 0;
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    if (!run_branch(program_.children[op.a + i], f)) continue;
    if (++matching == 1) first = i;
    // b and c are the two matching alternatives, counted from 1.
    if (matching == 2) return fail({Code::kOneOf, op.a, first + 1, i + 1}, f);
  }
  return matching == 1 || report_branches(op, f);
}

bool Runner::negation(const Op& op, const Frame& f) {
  Frame inner = f;
  inner.seen = nullptr;
  return !try_run(op.a, inner) || fail(op, f);
}

bool Runner::condition(const Op& op, const Frame& f) {
  const bool holds = run_branch(op.a, f);
  const std::uint32_t next = holds ? op.b : op.c;
  return next == kNone || run(next, f);
}

// Runs the branches again, each with its own sink, to find the alternative that comes closest.
bool Runner::report_branches(const Op& op, const Frame& f) {
  if (sink_ == nullptr || stopped_ != nullptr) return false;
  Sink* const sink = sink_;
  std::vector<Branch> branches;
  Frame inner = f;
  inner.seen = nullptr;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    Sink mine(program_, Sink::kBranchFindings);
    sink_ = &mine;
    run(program_.children[op.a + i], inner);
    branches.push_back({std::move(mine).take()});
  }
  sink_ = sink;
  if (stopped_ == nullptr) sink_->report_branches(op, f, std::move(branches));
  return false;
}

}  // namespace gantry::schema::detail
