#include <algorithm>

#include "runner.hpp"

namespace gantry::schema::detail {

bool Runner::run_element(std::uint32_t node, std::uint32_t position, const Frame& f) {
  const Path path{f.path, {}, position, false};
  return run(node, Frame{f.value[position], &path, f.scope, f.secret});
}

bool Runner::prefix_items(const Op& op, const Frame& f) {
  bool good = true;
  const std::uint32_t count = std::min(op.b, f.value.Size());
  for (std::uint32_t i = 0; i < count; ++i) {
    good = run_element(program_.children[op.a + i], i, f) && good;
    if (!good && sink_ == nullptr) return false;
    if (f.seen != nullptr) f.seen->mark(i);
  }
  return good;
}

bool Runner::items(const Op& op, const Frame& f) {
  if (f.seen != nullptr) f.seen->mark_all();
  if (program_.nodes[op.a].accepts_all) return true;
  bool good = true;
  for (std::uint32_t i = op.b; i < f.value.Size() && stopped_ == nullptr; ++i) {
    good = run_element(op.a, i, f) && good;
    if (!good && sink_ == nullptr) return false;
  }
  return good && stopped_ == nullptr;
}

bool Runner::contains(const Op& op, const Frame& f) {
  Sink* const sink = sink_;
  sink_ = nullptr;  // an element that does not match is not a failure
  const bool count_all = f.seen != nullptr || op.c != kNone;
  std::uint32_t matching = 0;
  for (std::uint32_t i = 0; i < f.value.Size() && (count_all || matching < op.b); ++i) {
    if (!run_element(op.a, i, f)) continue;
    ++matching;
    if (f.seen != nullptr) f.seen->mark(i);
  }
  sink_ = sink;
  return (matching >= op.b && matching <= op.c) || fail(op, f);
}

bool Runner::unevaluated_items(const Node& node, const Frame& f) {
  bool good = true;
  for (std::uint32_t i = 0; i < f.value.Size() && stopped_ == nullptr; ++i) {
    if (f.seen->has(i)) continue;
    if (program_.nodes[node.unevaluated_items].rejects_all) {
      const Path path{f.path, {}, i, false};
      const Frame at{f.value[i], &path, f.scope, f.secret, nullptr, f.node};
      good = fail({Code::kUnevaluatedItems, 0, 0, 0}, at);
    } else {
      good = run_element(node.unevaluated_items, i, f) && good;
    }
    if (!good && sink_ == nullptr) return false;
  }
  f.seen->mark_all();
  return good && stopped_ == nullptr;
}

}  // namespace gantry::schema::detail
