#include "ops/query_text.hpp"

#include <gantry/json_writer.hpp>

#include "ops/read_ops.hpp"
#include "ops/too_large.hpp"
#include "tables/grid.hpp"
#include "tables/json_rows.hpp"

namespace gantry::data {
namespace {

DataError too_large(std::string_view format, std::size_t bytes) {
  DataError error = invalid_argument("The rows as " + std::string(format) +
                                     " are larger than an answer may be; lower the limit or name "
                                     "the keys you need");
  error.details_json = R"({"kind":"response_too_large","bytes":)" + std::to_string(bytes) + "}";
  return error;
}

Outcome<std::string> rendered(const JsonRows& rows, std::string_view format,
                              std::size_t max_bytes) {
  if (format != "table") return write_rows(rows, format);
  const Grid grid = grid_of(rows);
  // The padding of a table could exceed all memory, so its size is checked before it is built.
  if (table_size(grid) > max_bytes) return too_large(format, table_size(grid));
  return as_table(grid);
}

}  // namespace

Outcome<Reply> query_text(const Request& request) {
  const auto format = required_string(request, "format");
  if (!format) return format.error();
  if (*format != "csv" && *format != "markdown" && *format != "table") {
    return invalid_argument("'format' must be csv, markdown or table");
  }
  auto reply = query(request);
  if (!reply) return reply.error();
  JsonRows rows;
  if (!read_rows(reply->rows, rows)) {
    return invalid_argument("The rows hold JSON that is nested too deeply to be shown as " +
                            std::string(*format) + "; use format json, or keys without that field");
  }
  const auto output = rendered(rows, *format, request.max_bytes);
  if (!output) return output.error();
  Reply text;
  JsonWriter out(text.meta);
  out.begin_object().key("format").string(*format).key("headers").begin_array();
  for (const std::string& header : rows.headers) out.string(header);
  out.end_array().key("row_count").number(rows.rows.size());
  out.key("output").string(*output);
  text.meta.append(",").append(reply->meta, 1);
  if (text.meta.size() > room_for_rows(request)) return too_large(*format, text.meta.size());
  return text;
}

}  // namespace gantry::data
