#include "ops/query_text.hpp"

#include <gantry/json_writer.hpp>

#include "ops/read_ops.hpp"
#include "ops/too_large.hpp"
#include "tables/grid.hpp"

namespace gantry::data {
namespace {

using Render = std::string (*)(const Grid&);

Render render_of(std::string_view format) {
  if (format == "csv") return as_csv;
  if (format == "markdown") return as_markdown;
  return format == "table" ? as_table : nullptr;
}

DataError too_large(std::string_view format, std::size_t bytes) {
  DataError error = invalid_argument("The rows as " + std::string(format) +
                                     " are larger than an answer may be; lower the limit or name "
                                     "the keys you need");
  error.details_json = R"({"kind":"response_too_large","bytes":)" + std::to_string(bytes) + "}";
  return error;
}

}  // namespace

Outcome<Reply> query_text(const Request& request) {
  const auto format = required_string(request, "format");
  if (!format) return format.error();
  const Render render = render_of(*format);
  if (render == nullptr) return invalid_argument("'format' must be csv, markdown or table");
  auto reply = query(request);
  if (!reply) return reply.error();
  Grid grid;
  if (!make_grid(reply->rows, grid)) {
    return invalid_argument("The rows hold JSON that is nested too deeply to be shown as " +
                            std::string(*format) + "; use format json, or keys without that field");
  }
  // A table's padding could otherwise take all memory.
  if (*format == "table" && table_size(grid) > request.max_bytes) {
    return too_large(*format, table_size(grid));
  }
  Reply text;
  JsonWriter out(text.meta);
  out.begin_object().key("format").string(*format).key("headers").begin_array();
  for (const std::string& header : grid.headers) out.string(header);
  out.end_array().key("row_count").number(grid.rows.size());
  out.key("output").string(render(grid));
  text.meta.append(",").append(reply->meta, 1);
  if (text.meta.size() > room_for_rows(request)) return too_large(*format, text.meta.size());
  return text;
}

}  // namespace gantry::data
