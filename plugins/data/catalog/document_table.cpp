#include "catalog/document_table.hpp"

#include <algorithm>

namespace gantry::data {
namespace {

// Of the text of _id, and of its type where different values have one text.
bool is_document_index(const Index& index) {
  constexpr std::size_t kParts = 2;
  const bool has_name = index.name.find(kDocumentIndex) != std::string::npos;
  return has_name && index.unique && !index.partial && index.fields.size() == kParts &&
         std::all_of(index.fields.begin(), index.fields.end(),
                     [](const std::string& field) { return field == "<expression>"; });
}

// The key columns of a WITHOUT ROWID table are used in place of the rowid: "`a`,`b`".
std::string key_columns(const ClassInfo& table) {
  std::string key;
  for (const std::size_t at : table.id_fields) {
    key += (key.empty() ? "" : ",") + table.fields[at].column;
  }
  return key;
}

}  // namespace

const Field* own_document_column(const ClassInfo& table) {
  const bool fits = table.strict && table.type != ClassType::view && table.fields.size() == 1 &&
                    table.fields.front().required && !table.fields.front().internal;
  const bool has_index =
      fits && std::any_of(table.indexes.begin(), table.indexes.end(), is_document_index);
  return has_index ? &table.fields.front() : nullptr;
}

void become_documents(ClassInfo& table, const Field& column) {
  table.document = column.column;
  table.id_form = table.rowid.empty() ? IdForm::none : IdForm::rowid;
  if (table.without_rowid) table.rowid = key_columns(table);
  table.fields.clear();
  table.id_fields.clear();
  table.created_at.reset();
  table.updated_at.reset();
  table.strict = false;
}

}  // namespace gantry::data
