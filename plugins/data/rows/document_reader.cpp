#include "rows/document_reader.hpp"

#include <algorithm>

#include "policy/scope.hpp"
#include "rows/document_id.hpp"
#include "rows/object_id.hpp"
#include "rows/value_writer.hpp"
#include "values/extended_json.hpp"
#include "values/query_error.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kObjectId = "objectId";

// Of "`a`,`b`": commas in names are none.
int columns_in(std::string_view list) {
  int columns = list.empty() ? 0 : 1;
  bool is_name = false;
  for (const char c : list) {
    if (c == '`') is_name = !is_name;
    if (c == ',' && !is_name) ++columns;
  }
  return columns;
}

bool is_internal(const Member& member) { return is_internal_field(member.name); }

bool has_internal(const Value& value) {
  if (value.is_array()) {
    return std::any_of(value.elements().begin(), value.elements().end(), has_internal);
  }
  return value.is_object() &&
         std::any_of(value.members().begin(), value.members().end(), [](const Member& member) {
           return is_internal(member) || has_internal(member.value);
         });
}

// Without what is internal, at any depth.
Value shown(const Value& value) {
  if (value.is_array()) {
    Array elements;
    for (const Value& element : value.elements()) elements.push_back(shown(element));
    return Value::array(std::move(elements));
  }
  if (!value.is_object()) return value;
  std::vector<Member> members;
  for (const Member& member : value.members()) {
    if (!is_internal(member)) members.push_back({member.name, shown(member.value)});
  }
  return ObjectBuilder(std::move(members)).build();
}

}  // namespace

DocumentReader::DocumentReader(const ClassInfo& cls, Ids ids)
    : class_name_(cls.name),
      select_list_(cls.document),
      key_columns_(columns_in(cls.rowid)),
      ids_(ids) {
  if (key_columns_ > 0) select_list_ += "," + cls.rowid;
}

std::string DocumentReader::row_id(sqlite3_stmt* statement) const {
  std::string id;
  if (key_columns_ == 1) append_id(view_column(statement, 1), id);
  for (int at = 1; key_columns_ > 1 && at <= key_columns_; ++at) {
    if (at > 1) id += ',';
    append_id_part(view_column(statement, at), id);
  }
  return id;
}

void DocumentReader::refuse(sqlite3_stmt* statement, const std::string& why) const {
  std::string row = "A row";
  if (key_columns_ > 0) row = "Row " + row_id(statement);
  throw QueryError(DataError{std::string(error_code::kStoreError),
                             row + " of class '" + class_name_ + "' holds no document: " + why,
                             {},
                             {},
                             {},
                             {}});
}

Value DocumentReader::read(sqlite3_stmt* statement) const {
  const StoredValue stored = view_column(statement, 0);
  if (!stored.is_text()) refuse(statement, "it is not text.");
  auto document = read_extended(stored.bytes);
  if (!document) refuse(statement, document.message());
  if (!document->is_object()) refuse(statement, "it is JSON, but no object.");
  if (has_internal(*document)) *document = shown(*document);
  return ids_ == Ids::shown ? with_id(*document, statement) : std::move(*document);
}

Value DocumentReader::with_id(const Value& document, sqlite3_stmt* statement) const {
  std::string id;
  const Value& own = document.find(kObjectId);
  if (const Value& key = document.find("_id"); !key.is_missing()) {
    id = document_id_text(key);
  } else if (own.is_string()) {
    id = own.text();
  } else {
    id = row_id(statement);
  }
  std::vector<Member> members;
  members.reserve(document.members().size() + 1);
  members.push_back({std::string(kObjectId), Value::string(std::move(id))});
  for (const Member& member : document.members()) {
    if (member.name != kObjectId) members.push_back(member);
  }
  return ObjectBuilder(std::move(members)).build();
}

}  // namespace gantry::data
