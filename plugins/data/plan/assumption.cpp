#include "plan/assumption.hpp"

#include <memory>

#include "sql/select.hpp"

namespace gantry::data {
namespace {

bool is_found(ClassSource& source, const ClassView& cls, const Predicate& where) {
  const CursorPtr cursor = source.prepare(select_rows(cls, "1", {where, {}, 0, 1}));
  const bool is_there = cursor->next();
  check_end(*cursor);
  return is_there;
}

VerifiedAssumptions::State state_of(const ReadContext& context) {
  return {context.store.commits_seen(), context.scope.declared()};
}

std::string assumption_key(const ReadContext& context, const ClassView& cls,
                           const Predicate& exception) {
  return context.scope.fingerprint() + cls.name + '\0' + exception.plain.text +
         exception.matched.text;
}

Look look(const ReadContext& context, const ClassView& cls, const Predicate& exception) {
  constexpr std::int64_t kMostNs = 50'000'000;
  ReadContext bounded = context;
  const std::int64_t end = Budget::now_ns() + kMostNs;
  const bool is_shorter = bounded.budget.deadline_ns == 0 || end < bounded.budget.deadline_ns;
  if (is_shorter) bounded.budget.deadline_ns = end;
  ClassSource source(bounded);
  try {
    return is_found(source, cls, exception) ? Look::row : Look::nothing;
  } catch (const QueryError& error) {
    if (!is_shorter || error.error().code != error_code::kTimeout) throw;
    return Look::unfinished;
  }
}

}  // namespace

bool has_row(const ReadContext& context, ClassSource& source, const ClassView& cls,
             const Predicate& where, const Predicate& exception) {
  const auto is_some_found = [&] {
    return is_found(source, cls, Predicate(exception).also(where));
  };
  if (context.memory == nullptr) return is_some_found();
  const VerifiedAssumptions::State state = state_of(context);
  VerifiedAssumptions& memory = *context.memory;
  const std::string all = assumption_key(context, cls, exception);
  if (memory.found_nothing(all, state)) return false;
  const std::string once = "once: " + all;
  const bool is_first = !where.empty() && !memory.found_nothing(once, state);
  memory.keep(once, state);
  if (is_first) return is_some_found();
  if (!is_found(source, cls, exception)) return memory.keep(all, state), false;
  return where.empty() || is_some_found();
}

Look short_look(const ReadContext& context, const ClassView& cls, const Predicate& exception) {
  using Clock = VerifiedAssumptions::Clock;
  constexpr int kRest = 20;
  if (context.memory == nullptr) return look(context, cls, exception);
  const std::string key = "short: " + assumption_key(context, cls, exception);
  const std::string unfinished = "unfinished " + key, row = "row " + key;
  const VerifiedAssumptions::State state = state_of(context);
  if (context.memory->found_nothing(row, state)) return Look::row;
  if (context.memory->found_nothing(key, state)) return Look::nothing;
  if (context.memory->found_nothing(unfinished, state)) return Look::unfinished;
  const auto begun = Clock::now();
  const Look result = look(context, cls, exception);
  const auto until = Clock::now() + kRest * (Clock::now() - begun);
  if (result == Look::nothing) context.memory->keep(key, state, until);
  if (result == Look::unfinished) context.memory->keep(unfinished, state, until);
  if (result == Look::row) context.memory->keep(row, state);
  return result;
}

}  // namespace gantry::data
