#include "ops/sql/marked_texts.hpp"

#include <algorithm>

#include "plan/assumption.hpp"
#include "sql/seen_text.hpp"

namespace gantry::data {
namespace {

// Where others commit all the time, looks take at most a part in so many of the time.
constexpr int kRest = 20;

bool is_assumed(const FieldView& field, const ClassView& cls) {
  return is_assumed_bare(field, cls) && may_hold_json(field, field.form, cls);
}

std::unique_ptr<ClassView> look(const Request& request, const ClassView& cls) {
  std::unique_ptr<ClassView> marked;
  ClassSource source(request);
  for (std::size_t i = 0; i < cls.fields.size(); ++i) {
    const FieldView& field = cls.fields[i];
    if (!is_assumed(field, cls)) continue;
    if (!has_row(request, source, cls, {}, hides_text(field, field.form))) continue;
    if (!marked) marked = std::make_unique<ClassView>(cls);
    marked->fields[i].may_be_json = true;
    marked->order_tells = true;
  }
  return marked;
}

}  // namespace

std::unique_ptr<const ClassView> with_marked_texts(const Request& request, const ClassView& cls) {
  const bool is_any = std::any_of(cls.fields.begin(), cls.fields.end(),
                                  [&cls](const auto& field) { return is_assumed(field, cls); });
  if (!is_any) return nullptr;
  if (request.memory == nullptr) return look(request, cls);
  const std::string key = "texts of " + request.scope.fingerprint() + cls.name;
  const VerifiedAssumptions::State state = state_of(request);
  if (request.memory->found_nothing(key, state)) return nullptr;
  const auto begun = VerifiedAssumptions::Clock::now();
  auto marked = look(request, cls);
  const auto ended = VerifiedAssumptions::Clock::now();
  if (!marked) request.memory->keep(key, state, ended + kRest * (ended - begun));
  return marked;
}

}  // namespace gantry::data
