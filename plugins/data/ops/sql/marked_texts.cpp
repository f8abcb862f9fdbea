#include "ops/sql/marked_texts.hpp"

#include <algorithm>

#include "plan/assumption.hpp"
#include "sql/seen_text.hpp"

namespace gantry::data {
namespace {

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
  const std::uint64_t commits = request.store.commits_seen();
  if (request.memory->found_nothing(key, commits)) return nullptr;
  auto marked = look(request, cls);
  if (!marked) request.memory->keep(key, commits);
  return marked;
}

}  // namespace gantry::data
