#include "rows/document_reader.hpp"

#include <algorithm>

#include "policy/scope.hpp"
#include "rows/document_id.hpp"
#include "rows/value_writer.hpp"
#include "values/extended_json.hpp"
#include "values/query_error.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kObjectId = "objectId";

bool is_internal(const Member& member) { return is_internal_field(member.name); }

}  // namespace

DocumentReader::DocumentReader(const ClassInfo& cls, Ids ids)
    : class_name_(cls.name), select_list_(cls.document), has_rowid_(!cls.rowid.empty()), ids_(ids) {
  if (has_rowid_) select_list_ += "," + cls.rowid;
}

void DocumentReader::refuse(sqlite3_stmt* statement, const std::string& why) const {
  std::string row = "A row";
  if (has_rowid_) row = "Row " + std::to_string(sqlite3_column_int64(statement, 1));
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
  const auto& members = document->members();
  if (std::any_of(members.begin(), members.end(), is_internal)) {
    std::erase_if(document->own_members(), is_internal);
  }
  return ids_ == Ids::shown ? with_id(*document, statement) : std::move(*document);
}

Value DocumentReader::with_id(const Value& document, sqlite3_stmt* statement) const {
  std::string id;
  const Value& own = document.find(kObjectId);
  if (const Value& key = document.find("_id"); !key.is_missing()) {
    id = document_id_text(key);
  } else if (own.is_string()) {
    id = own.text();
  } else if (has_rowid_) {
    id = std::to_string(sqlite3_column_int64(statement, 1));
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
