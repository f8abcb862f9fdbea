#include "rows/document_reader.hpp"

#include <numeric>

#include "policy/internal.hpp"
#include "rows/document_id.hpp"
#include "values/extended_json.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

// The number of columns in "`a`,`b`"; a comma inside a quoted name is not a separator.
std::size_t columns_in(std::string_view list) {
  std::size_t columns = list.empty() ? 0 : 1;
  bool is_name = false;
  for (const char c : list) {
    if (c == '`') is_name = !is_name;
    if (c == ',' && !is_name) ++columns;
  }
  return columns;
}

void drop_denied(Value& document, const FieldRules& permitted) {
  Members& members = document.own_members();
  std::erase_if(members, [&](const Member& one) { return !permitted.permits(one.name); });
}

}  // namespace

DocumentReader::DocumentReader(const ClassView& cls, Ids ids)
    : class_name_(cls.name),
      select_list_(cls.document),
      key_(columns_in(cls.rowid)),
      ids_(ids),
      classes_(cls.classes),
      permitted_(cls.permitted) {
  std::iota(key_.begin(), key_.end(), 1);  // after the document
  if (!key_.empty()) select_list_ += "," + cls.rowid;
}

std::string DocumentReader::row_id(Row row) const {
  std::string id;
  append_row_id(row, key_, id);
  return id;
}

void DocumentReader::refuse(Row row, const std::string& why) const {
  std::string where = "A row";
  if (!key_.empty()) where = "Row " + row_id(row);
  throw NoDocument(DataError{std::string(error_code::kStoreError),
                             where + " of class '" + class_name_ + "' holds no document: " + why,
                             {},
                             {},
                             {},
                             {}});
}

Value DocumentReader::read(Row row) const {
  const StoredValue stored = row[0];
  if (!stored.is_text()) refuse(row, "it is not text.");
  auto document = read_extended(stored.bytes, {.keep_first_duplicate = true});
  if (!document) refuse(row, document.message());
  if (!document->is_object()) refuse(row, "it is JSON, but no object.");
  drop_internal(*document, classes_.get());
  if (permitted_) drop_denied(*document, *permitted_);
  return ids_ == Ids::shown ? with_id(*document, row) : std::move(*document);
}

Value DocumentReader::with_id(const Value& document, Row row) const {
  std::string id;
  const Value& own = document.find(kObjectId);
  if (const Value& key = document.find("_id"); !key.is_missing()) {
    id = document_id_text(key);
  } else if (own.is_string()) {
    id = own.text();
  } else {
    id = row_id(row);
  }
  Members members;
  members.reserve(document.members().size() + 1);
  members.push_back({std::string(kObjectId), Value::string(std::move(id))});
  for (const Member& member : document.members()) {
    if (member.name != kObjectId) members.push_back(member);
  }
  return ObjectBuilder(std::move(members)).build();
}

}  // namespace gantry::data
