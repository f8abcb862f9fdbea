#include "ops/change/class_version.hpp"

#include <utility>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "ops/change/session.hpp"
#include "ops/change/transaction.hpp"
#include "ops/change/versions.hpp"
#include "rows/class_reader.hpp"
#include "sql/select.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

// So that no two lists have the same text.
void append_sized(std::string_view bytes, std::string& out) {
  out.append(std::to_string(bytes.size())).append(":").append(bytes);
}

void append_stored(const StoredValue& value, std::string& out) {
  out += static_cast<char>('a' + static_cast<int>(value.type));
  if (value.type == StoredValue::Type::integer) {
    append_sized({reinterpret_cast<const char*>(&value.integer), sizeof value.integer}, out);
  } else if (value.type == StoredValue::Type::real) {
    append_sized({reinterpret_cast<const char*>(&value.real), sizeof value.real}, out);
  } else {
    append_sized(value.bytes, out);
  }
}

class ClassDigest {
 public:
  ClassDigest(const Request& request, Edit& edit, const ClassView& shown, const ClassView& whole)
      : edit_(edit), shown_(shown), whole_(whole), lease_(lease_of(edit, request)) {}

  std::string run() {
    add_definition();
    by_storage(
        whole_, [this] { add_rows(); }, [this] { add_documents(); });
    return digest_.hex();
  }

 private:
  void add_definition() {
    const auto text = edit_.text_of_table(table_of(whole_));
    if (!text) throw QueryError(text.error());
    std::string definition;
    for (const std::string& statement : text->statements) append_sized(statement, definition);
    digest_.add(definition + text->flaw);
  }

  // Without columns that the database computes.
  std::string column_list() const {
    const auto shape = edit_.shape(table_of(whole_));
    if (!shape) throw QueryError(shape.error());
    std::string list = place_list(whole_);
    for (const std::string& name : (*shape)->columns) {
      const std::string column = quote_name(name);
      if (shows_column(shown_, column)) list += (list.empty() ? "" : ",") + column;
    }
    return list.empty() ? "1" : list;
  }

  CursorPtr rows(const std::string& columns) const {
    return prepared(*lease_, select_rows(whole_, columns, {{}, {place_list(whole_), {}}}));
  }

  void add_rows() {
    const CursorPtr found = rows(column_list());
    std::string text;
    while (found->step()) {
      text.clear();
      for (const StoredValue& value : found->row()) append_stored(value, text);
      digest_.add(text);
    }
    check_end(*found);
  }

  void add_documents() {
    const DocumentReader reader(shown_, DocumentReader::Ids::shown);
    const CursorPtr found = rows(reader.select_list());
    std::string text;
    while (found->step()) {
      text.clear();
      try {
        append_value_json(reader.read(found->row()), JsonDialect::extended, text);
      } catch (const NoDocument&) {
        append_stored(found->row()[0], text);
      }
      digest_.add(text + '\n');
    }
    check_end(*found);
  }

  Edit& edit_;
  const ClassView& shown_;
  const ClassView& whole_;
  LeasePtr lease_;
  Digest digest_;
};

}  // namespace

std::string class_version(const Request& request, Edit& edit, const ClassView& shown,
                          const ClassView& whole) {
  return ClassDigest(request, edit, shown, whole).run();
}

}  // namespace gantry::data
