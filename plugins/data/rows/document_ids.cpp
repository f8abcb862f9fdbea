#include "rows/document_ids.hpp"

#include <charconv>

namespace gantry::data {
namespace {

void add_values(std::string_view id, Fragment& sql, const char*& comma) {
  sql.add(comma).bind(std::string(id));
  comma = ",";
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error == std::errc() && end == id.data() + id.size()) sql.add(comma).bind(number);
}

}  // namespace

Fragment documents_with_ids(const ClassView& cls, const std::vector<std::string_view>& ids) {
  const std::string& doc = cls.document;
  Fragment sql;
  sql.add("iif(json_valid(" + doc + "),coalesce(json_type(" + doc +
          ",'$._id') NOT IN ('text','integer') OR json_extract(" + doc + ",'$._id') IN (");
  const char* comma = "";
  for (const std::string_view id : ids) add_values(id, sql, comma);
  sql.add("),1),1)");
  return sql;
}

}  // namespace gantry::data
