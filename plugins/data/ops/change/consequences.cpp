#include "ops/change/consequences.hpp"

#include <gantry/json_writer.hpp>

#include <algorithm>
#include <utility>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "ops/change/stored_rows.hpp"
#include "ops/change/transaction.hpp"
#include "sql/select.hpp"

namespace gantry::data {
namespace {

bool shows_all(const ClassView& view, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return shows_column(view, quote_name(name)); });
}

}  // namespace

Consequences::Consequences(const Request& request, Edit& edit)
    : edit_(edit),
      shown_(request.scope.for_op(ClassOp::get).with_canonical(false)),
      lease_(lease_of(edit, request)) {}

std::string Consequences::of_deletion(const ClassView& whole, const Place& place) {
  return follow({table_of(whole), place, true});
}

std::string Consequences::of_change(const ClassView& whole, const Place& place,
                                    const std::vector<ColumnValue>& values) {
  return follow({table_of(whole), place, false, new_values(values)});
}

std::string Consequences::follow(Link written) {
  Chain chain(edit_);
  chain.begin(std::move(written));
  std::string text;
  while (chain.next()) {
    const ReferringKey& key = chain.key();
    const ClassView* const view = showing(key.table, key.columns);
    if (view == nullptr || showing(chain.from().table, key.targets) == nullptr) continue;
    note_rows(*view, chain, text);
  }
  return text;
}

void Consequences::note_rows(const ClassView& view, Chain& chain, std::string& text) {
  const std::vector<std::string> columns = place_columns(view);
  if (columns.empty()) return;
  for (Place& place : places(view, chain.condition(columns))) {
    const std::string name = name_of_row(chain.key().table, place);
    if (chain.add(std::move(place)) == Chain::Found::known) continue;
    Reached& row = reached_[name];
    row.class_name = view.name;
    row.is_deleted = row.is_deleted || chain.deletes();
    text += name + (chain.deletes() ? " deleted\n" : " changed\n");
  }
}

// The class by which the agent sees these columns of the table; null: none. A class of the model
// need not have its table's name.
const ClassView* Consequences::showing(const std::string& table,
                                       const std::vector<std::string>& columns) {
  if (classes_.empty()) {
    for (const ClassView* view : shown_.classes()) classes_[table_of(*view)].push_back(view);
  }
  for (const ClassView* declared : classes_[table]) {
    const ClassView* const view = shown_.open(declared->name);
    const bool is_shown = view != nullptr && view->refusal == RowRules::Refusal::none;
    if (is_shown && shows_all(*view, columns)) return view;
  }
  return nullptr;
}

std::vector<Place> Consequences::places(const ClassView& view, const Fragment& condition) const {
  const CursorPtr rows = prepared(*lease_, select_rows(view, place_list(view), {{condition, {}}}));
  std::vector<Place> found;
  while (rows->step()) found.push_back(place_in(view, rows->row()));
  check_end(*rows);
  return found;
}

std::string Consequences::json() const {
  std::map<std::pair<std::string, bool>, std::size_t> counts;
  for (const auto& [name, row] : reached_) ++counts[{row.class_name, row.is_deleted}];
  std::string text;
  gantry::JsonWriter out(text);
  out.begin_array();
  for (const auto& [which, rows] : counts) {
    const auto& [class_name, is_deleted] = which;
    out.begin_object().key("class_name").string(class_name);
    out.key("operation").string(is_deleted ? "delete" : "update").key("rows").number(rows);
    out.end_object();
  }
  out.end_array();
  return text;
}

}  // namespace gantry::data
