#include "plan/assumption.hpp"

#include "sql/select.hpp"

namespace gantry::data {
namespace {

bool is_found(ClassSource& source, const ClassView& cls, const Predicate& where) {
  const CursorPtr cursor = source.prepare(select_rows(cls, "1", {where, {}, 0, 1}));
  const bool is_there = cursor->next();
  check_end(*cursor);
  return is_there;
}

}  // namespace

VerifiedAssumptions::State state_of(const ReadContext& context) {
  return {context.store.commits_seen(), context.scope.catalog()};
}

bool has_row(const ReadContext& context, ClassSource& source, const ClassView& cls,
             const Predicate& where, const Predicate& exception) {
  const Predicate some = Predicate(exception).also(where);
  if (context.memory == nullptr) return is_found(source, cls, some);
  const VerifiedAssumptions::State state = state_of(context);
  VerifiedAssumptions& memory = *context.memory;
  const std::string all =
      context.scope.fingerprint() + cls.name + '\0' + exception.plain.text + exception.matched.text;
  if (memory.found_nothing(all, state)) return false;
  const std::string once = "once: " + all;
  const bool is_first = !where.empty() && !memory.found_nothing(once, state);
  memory.keep(once, state);
  if (is_first) return is_found(source, cls, some);
  if (!is_found(source, cls, exception)) return memory.keep(all, state), false;
  return where.empty() || is_found(source, cls, some);
}

}  // namespace gantry::data
