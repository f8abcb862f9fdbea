#include "plan/plan_sort.hpp"

#include "filter/columns/stored_key.hpp"
#include "plan/plan_column.hpp"
#include "sql/seen_text.hpp"

namespace gantry::data {

std::optional<SortSql> sort_sql(const Value& spec, const ClassView& cls) {
  SortSql sort;
  for (const Member& field : spec.members()) {
    if (!field.value.is_number()) return std::nullopt;
    const auto column = plan_column(field.name, cls);
    auto key = column ? columns::stored_key(*column) : std::nullopt;
    if (!key || key->is_finer) return std::nullopt;
    if (!sort.order.empty()) sort.order += ", ";
    sort.order += key->text + (field.value.number() < 0 ? " DESC" : "");
    if (may_hold_json(column->field, column->whole, cls)) {
      sort.exceptions.push_back(hides_text(column->field, column->whole));
    }
    if (!key->exception.empty()) sort.exceptions.push_back(std::move(key->exception));
  }
  return sort.order.empty() ? std::nullopt : std::optional(std::move(sort));
}

}  // namespace gantry::data
