#include "ops/sql/marked_texts.hpp"

#include <algorithm>

#include "plan/assumption.hpp"
#include "sql/seen_text.hpp"

namespace gantry::data {
namespace {

bool is_assumed(const FieldView& field, const ClassView& cls) {
  return is_assumed_bare(field, cls) && may_hold_json(field, field.form, cls);
}

// No column is assumed bare where no index may serve it.
void forget_indexes(ClassView& cls) {
  cls.type = ClassType::custom;
  cls.indexes.clear();
  for (FieldView& field : cls.fields) field.indexed = false;
}

}  // namespace

std::unique_ptr<const ClassView> with_marked_texts(const Request& request, const ClassView& cls) {
  std::unique_ptr<ClassView> marked;
  bool is_known = true;
  for (std::size_t i = 0; i < cls.fields.size(); ++i) {
    const FieldView& field = cls.fields[i];
    if (!is_assumed(field, cls)) continue;
    const Look look = short_look(request, cls, hides_text(field, field.form));
    if (look == Look::nothing) continue;
    if (!marked) marked = std::make_unique<ClassView>(cls);
    marked->fields[i].may_be_json = true;
    marked->order_tells = marked->order_tells || look == Look::row;
    is_known = is_known && look == Look::row;
  }
  if (!is_known) forget_indexes(*marked);
  return marked;
}

}  // namespace gantry::data
