#include "ops/change/consequences.hpp"

#include <gantry/json_writer.hpp>

#include <algorithm>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "ops/change/stored_rows.hpp"
#include "ops/change/transaction.hpp"

namespace gantry::data {
namespace {

bool has_column(const std::vector<std::string>& columns, const std::string& column) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const std::string& one) { return same_name(one, column); });
}

bool shows_column(const std::vector<FieldView>& fields, const std::string& column) {
  return std::any_of(fields.begin(), fields.end(), [&](const FieldView& field) {
    return !field.redacted && same_name(field.column, column);
  });
}

bool shows_all(const ClassView& view, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::string column = quote_name(name);
    return shows_column(view.fields, column) || shows_column(view.key_fields, column);
  });
}

}  // namespace

std::vector<const ForeignAction*> reactions(Edit& edit, const std::string& table, bool is_deletion,
                                            const std::vector<std::string>& columns) {
  const auto actions = edit.actions_on(table);
  if (!actions) throw QueryError(actions.error());
  std::vector<const ForeignAction*> found;
  for (const ForeignAction& action : **actions) {
    const bool is_hit = std::any_of(
        action.targets.begin(), action.targets.end(),
        [&](const std::string& target) { return has_column(columns, quote_name(target)); });
    if (is_deletion ? action.on_delete : action.on_update && is_hit) found.push_back(&action);
  }
  return found;
}

Consequences::Consequences(const Request& request, Edit& edit)
    : edit_(edit),
      shown_(request.scope.for_op(ClassOp::get).with_canonical(false)),
      engine_(request.scope.catalog(), Rules::of_engine()),
      lease_(lease_of(edit, request)) {}

std::string Consequences::of_deletion(const ClassView& whole, const Place& place) {
  return follow({whole.name, place, true, {}});
}

std::string Consequences::of_change(const ClassView& whole, const Place& place,
                                    const std::vector<ColumnValue>& values) {
  return follow({whole.name, place, false, columns_of(values)});
}

std::string Consequences::follow(Cause cause) {
  std::string text;
  causes_.push_back(std::move(cause));
  while (!causes_.empty()) {
    const Cause next = std::move(causes_.front());
    causes_.pop_front();
    add_reactions(next, text);
  }
  return text;
}

void Consequences::add_reactions(const Cause& cause, std::string& text) {
  const ClassView* const from = shown_.open(cause.class_name);
  const ClassView* const whole = engine_.open(cause.class_name);
  if (from == nullptr || whole == nullptr) return;
  for (const ForeignAction* action :
       reactions(edit_, table_of(*whole), cause.is_deleted, cause.columns)) {
    const ClassView* const view = shown_.open(action->table);
    const bool is_shown = view != nullptr && view->refusal == RowRules::Refusal::none &&
                          shows_all(*view, action->columns) && shows_all(*from, action->targets);
    if (!is_shown) continue;
    const auto values = key_values(*whole, cause.place, *action);
    if (values.empty()) continue;
    const bool is_deleted = cause.is_deleted && action->deletes;
    for (Place& place : places(*view, values)) {
      const std::string name = name_of_row(view->name, place);
      if (!seen_.insert(name).second) continue;
      ++counts_[{view->name, is_deleted}];
      text += name + (is_deleted ? " deleted\n" : " changed\n");
      causes_.push_back({view->name, std::move(place), is_deleted, columns_of(values)});
    }
  }
}

// The values that the rows hold which refer to this one; empty: none can.
std::vector<ColumnValue> Consequences::key_values(const ClassView& whole, const Place& place,
                                                  const ForeignAction& action) const {
  std::string list;
  for (const std::string& target : action.targets) {
    list += (list.empty() ? "" : ",") + quote_name(target);
  }
  const CursorPtr row = prepared(*lease_, select_rows(whole, list, {{at_place(place), {}}}));
  std::vector<ColumnValue> values;
  const bool is_there = row->step();
  if (!is_there) check_end(*row);
  for (std::size_t i = 0; is_there && i < action.columns.size(); ++i) {
    if (row->row()[i].is_null()) return {};
    values.push_back({quote_name(action.columns[i]), bind_of(row->row()[i])});
  }
  return values;
}

std::vector<Place> Consequences::places(const ClassView& view,
                                        const std::vector<ColumnValue>& values) const {
  const std::string list = place_list(view);
  std::vector<Place> found;
  if (list.empty()) return found;
  const CursorPtr rows = prepared(*lease_, select_rows(view, list, {{at_place(values), {}}}));
  while (rows->step()) found.push_back(place_in(view, rows->row()));
  check_end(*rows);
  return found;
}

std::string Consequences::json() const {
  std::string text;
  gantry::JsonWriter out(text);
  out.begin_array();
  for (const auto& [which, rows] : counts_) {
    const auto& [class_name, is_deleted] = which;
    out.begin_object().key("class_name").string(class_name);
    out.key("operation").string(is_deleted ? "delete" : "update").key("rows").number(rows);
    out.end_object();
  }
  out.end_array();
  return text;
}

}  // namespace gantry::data
