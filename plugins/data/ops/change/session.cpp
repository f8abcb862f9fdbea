#include "ops/change/session.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "ops/change/refusals.hpp"
#include "ops/change/transaction.hpp"
#include "ops/objects.hpp"
#include "rows/class_reader.hpp"
#include "rows/document_id.hpp"
#include "rows/document_ids.hpp"
#include "values/extended_json.hpp"
#include "values/system_time.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

// Fails for the second row with one id.
void keep_only(const ClassView& view, Row row, std::optional<Place>& found) {
  if (found) throw QueryError(unwritable_class(view, "several of them have this id."));
  found = place_in(view, row);
}

// Empty: the row holds no document.
std::string id_of_document(const DocumentReader& reader, Row row) {
  try {
    const Value document = reader.read(row);
    const Value& id = document.find(kObjectId);
    return id.is_string() ? std::string(id.text()) : std::string();
  } catch (const NoDocument&) {
    return {};
  }
}

void check_written_class(const ClassView& whole) {
  if (whole.is_view()) {
    throw QueryError(unwritable_class(whole, "it is a view. Write to the classes that it shows."));
  }
  if (place_columns(whole).empty()) {
    throw QueryError(unwritable_class(whole, "they have no ids."));
  }
}

}  // namespace

std::string place_list(const ClassView& cls) {
  std::string list;
  for (const std::string& column : place_columns(cls)) list += (list.empty() ? "" : ",") + column;
  return list;
}

Place place_in(const ClassView& cls, Row row) {
  const std::vector<std::string> columns = place_columns(cls);
  Place place;
  std::size_t at = row.size() - columns.size();
  for (const std::string& column : columns) place.push_back({column, bind_of(row[at++])});
  return place;
}

bool shows_column(const ClassView& cls, const std::string& column) {
  const auto shows = [&](const FieldView& field) {
    return !field.redacted && same_name(field.column, column);
  };
  return std::any_of(cls.fields.begin(), cls.fields.end(), shows) ||
         std::any_of(cls.key_fields.begin(), cls.key_fields.end(), shows);
}

Session::Session(const Request& request, Edit& edit)
    : request_(request),
      edit_(edit),
      shown_(request.scope.for_op(ClassOp::get).with_canonical(false)),
      engine_(request.scope.engine()),
      lease_(lease_of(edit, request)),
      now_ms_(system_ms()) {}

WrittenClass Session::open(std::string_view class_name, ClassOp op) const {
  const bool is_create = op == ClassOp::create;
  const ClassView& shown =
      is_create ? named_class(shown_, class_name) : open_class(shown_, class_name);
  const ClassView& writable = open_class(shown_.for_op(op), class_name);
  const ClassView* const whole = engine_.open(class_name);
  // A class that the floor hides and the model opens is not among the engine's own.
  if (whole == nullptr) throw QueryError(unwritable_class(shown, "it is one of the database's."));
  check_written_class(*whole);
  return {shown, writable, *whole, op};
}

CursorPtr Session::cursor(const Fragment& statement) const { return prepared(*lease_, statement); }

std::optional<Place> Session::find(const ClassView& view, std::string_view id) const {
  return by_storage(
      view, [&] { return find_row(view, id); }, [&] { return find_document(view, id); });
}

std::optional<Place> Session::find_row(const ClassView& view, std::string_view id) const {
  const auto parts = parse_object_id(view, id);
  if (!parts) return std::nullopt;
  const CursorPtr rows = cursor(select_rows(view, place_list(view), {{id_condition(*parts), {}}}));
  std::optional<Place> found;
  while (rows->step()) keep_only(view, rows->row(), found);
  check_end(*rows);
  return found;
}

std::optional<Place> Session::find_document(const ClassView& view, std::string_view id) const {
  const DocumentReader reader(view, DocumentReader::Ids::shown);
  const CursorPtr rows = cursor(select_rows(view, reader.select_list() + "," + place_list(view),
                                            {{documents_with_ids(view, {id}), {}}}));
  std::optional<Place> found;
  while (rows->step()) {
    if (id_of_document(reader, rows->row()) == id) keep_only(view, rows->row(), found);
  }
  check_end(*rows);
  return found;
}

bool Session::holds(const ClassView& view, const Place& place) const {
  const CursorPtr rows = cursor(select_rows(view, std::string_view("1"), {{at_place(place), {}}}));
  const bool found = rows->step();
  if (!found) check_end(*rows);
  return found;
}

std::string Session::image(const ClassView& shown, std::string_view id, JsonDialect form) const {
  ReadSettings settings = request_.settings;
  settings.row_form = form;
  const Request inner{
      {edit_.store(), shown_, request_.budget, request_.max_bytes, request_.echo_bytes, settings},
      request_.arguments};
  Read read;
  read.view = &shown;
  read.as_objects = true;
  read.ids = {id};
  const Rows rows = objects_of(inner, read)->all();
  return rows.kept() == 0 ? std::string() : std::string(rows.object(0));
}

std::string Session::id_at(const ClassView& whole, const Place& place) const {
  return by_storage(
      whole, [&] { return row_id_at(whole, place); }, [&] { return document_id_at(whole, place); });
}

std::string Session::row_id_at(const ClassView& whole, const Place& place) const {
  std::string columns;
  std::vector<std::size_t> key;
  for (const FieldView& field : whole.key_fields) {
    columns += (columns.empty() ? "" : ",") + field.column;
    key.push_back(key.size());
  }
  if (whole.id_form == IdForm::rowid) {
    columns = whole.rowid;
    key = {0};
  }
  const CursorPtr rows = cursor(select_rows(whole, columns, {{at_place(place), {}}}));
  std::string id;
  if (rows->step()) append_row_id(rows->row(), key, id);
  check_end(*rows);
  return id;
}

std::string Session::document_id_at(const ClassView& whole, const Place& place) const {
  const DocumentReader reader(whole, DocumentReader::Ids::shown);
  const CursorPtr rows = cursor(select_rows(whole, reader.select_list(), {{at_place(place), {}}}));
  std::string id;
  if (rows->step()) id = id_of_document(reader, rows->row());
  check_end(*rows);
  return id;
}

bool Session::has_document(const ClassView& whole, std::string_view document) const {
  const auto value = read_extended(document, {.keep_first_duplicate = true});
  if (!value) return false;
  return find_document(whole, document_id_text(value->find("_id"))).has_value();
}

Bind Session::stored(const ClassView& whole, const Place& place, const std::string& column) const {
  const CursorPtr rows = cursor(select_rows(whole, column, {{at_place(place), {}}}));
  Bind value = nullptr;
  if (rows->step()) value = bind_of(rows->row()[0]);
  check_end(*rows);
  return value;
}

bool Session::sees_target(const FieldView& pointer, const Bind& value) const {
  const ClassView* const target = shown_.open(pointer.target_class);
  if (target == nullptr || target->refusal != RowRules::Refusal::none) return false;
  if (target->is_open()) {
    const auto* const id = std::get_if<std::string>(&value);
    return id != nullptr && find(*target, *id).has_value();
  }
  const FieldView* field = target->find(pointer.target_field);
  if (field == nullptr && target->id_form == IdForm::column) field = &target->key_fields.front();
  return field != nullptr && holds(*target, {{field->column, value}});
}

Changed Session::run(const Fragment& statement, const WrittenClass& cls) const {
  auto changed = edit_.run(statement);
  if (!changed && changed.error().kind == refused::kBrokenSchema) {
    throw QueryError(broken_schema(cls.shown, changed.error().message));
  }
  if (!changed) throw QueryError(changed.error());
  if (changed->refusal) throw QueryError(refusal_of(*std::move(changed->refusal), cls));
  const bool is_ignored = changed->rows == 0 && changed->returned.empty();
  if (is_ignored) {
    const RowRefusal ignored{std::string(refused::kFailedValidation), {}, {}};
    throw QueryError(refused_row(ignored, cls.shown, cls.op));
  }
  return *std::move(changed);
}

// SQLite tells a CHECK with a name by that name alone.
DataError Session::refusal_of(RowRefusal refusal, const WrittenClass& cls) const {
  if (!refusal.check.empty()) {
    auto names = edit_.names_of_check(table_of(cls.whole), refusal.check);
    if (names && !names->empty()) refusal.columns = *std::move(names);
  }
  return refused_row(refusal, cls.shown, cls.op);
}

std::string Session::next_id() {
  std::string id;
  if (expected_ids_.empty()) {
    id = ids_.next();
  } else {
    id = std::move(expected_ids_.front());
    expected_ids_.erase(expected_ids_.begin());
  }
  return made_ids_.emplace_back(std::move(id));
}

}  // namespace gantry::data
