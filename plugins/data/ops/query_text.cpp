#include "ops/query_text.hpp"

#include <gantry/json_writer.hpp>

#include "errors/query_error.hpp"
#include "ops/read_ops.hpp"
#include "ops/too_large.hpp"
#include "tables/grid.hpp"
#include "tables/json_rows.hpp"

namespace gantry::data {

void refuse_text_size(std::string_view format, std::size_t bytes) {
  DataError error = invalid_argument("The rows as " + std::string(format) +
                                     " are larger than an answer may be; lower the limit or name "
                                     "the keys you need");
  error.details_json = R"({"kind":"response_too_large","bytes":)" + std::to_string(bytes) + "}";
  throw QueryError(std::move(error));
}

std::string rendered_rows(const JsonRows& rows, std::string_view format, std::size_t max_bytes) {
  if (format != "table") return write_rows(rows, format);
  const Grid grid = grid_of(rows);
  // The padding of a table could exceed all memory, so its size is checked before it is built.
  if (table_size(grid) > max_bytes) refuse_text_size(format, table_size(grid));
  return as_table(grid);
}

namespace {

Reply query_text(const Request& request, std::string_view format) {
  const Reply reply = query(request, true);
  JsonRows rows;
  if (!read_rows(reply.rows, rows)) {
    throw QueryError(
        invalid_argument("The rows hold JSON that is nested too deeply to be shown as " +
                         std::string(format) + "; use format json, or keys without that field"));
  }
  const std::string output = rendered_rows(rows, format, request.max_bytes);
  Reply text;
  JsonWriter out(text.meta);
  out.begin_object().key("format").string(format).key("headers").begin_array();
  for (const std::string& header : rows.headers) out.string(header);
  out.end_array().key("row_count").number(rows.rows.size());
  out.key("output").string(output);
  text.meta.append(",").append(reply.meta, 1);
  if (text.meta.size() > request.room_for_rows()) refuse_text_size(format, text.meta.size());
  return text;
}

}  // namespace

Reply query_in_format(const Request& request) {
  const std::string_view format = optional_string(request, "format");
  if (format.empty() || format == "json") return query(request);
  if (format != "csv" && format != "markdown" && format != "table") {
    throw QueryError(invalid_argument("'format' must be json, csv, markdown or table"));
  }
  return query_text(request, format);
}

}  // namespace gantry::data
