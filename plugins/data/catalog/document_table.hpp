// catalog/document_table.hpp: classes of documents, which one column of a table holds as JSON.
//
// Tables that Gantry makes for documents (create_class, gantry import) are recognised: STRICT, one
// required column, and the unique index of the documents' _id. Others need a model. Pure functions;
// any thread.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"

namespace gantry::data {

// What the name of the documents' index has after the table's.
inline constexpr std::string_view kDocumentIndex = "__id";

// The column of such a table; null: it is none.
const Field* own_document_column(const ClassInfo& table);

// Makes the class of a table the class of the documents in `column`, one of its fields.
void become_documents(ClassInfo& table, const Field& column);

}  // namespace gantry::data
