#include "ops/export/export_ops.hpp"

#include <gantry/json_writer.hpp>

#include "ops/export/export_request.hpp"
#include "ops/export/export_rows.hpp"
#include "ops/export/sheet.hpp"
#include "ops/too_large.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

[[noreturn]] void refuse_too_large(const Request& request, const TableBuilder& builder,
                                   std::uint64_t rows_shown, std::size_t bytes) {
  Rows rows;
  rows.count = rows_shown;
  rows.bytes = bytes;
  rows.weights = builder.weights();
  DataError error = response_too_large(request, rows);
  error.message += R"( Name columns, lower row_cap, or ask for a link with "as": "link".)";
  throw QueryError(std::move(error));
}

// What helps against the cap that held.
std::string hint_of_cap(const ExportRequest& what, std::uint64_t shown) {
  const std::string begin = "Only the first " + std::to_string(shown) + " rows are here. ";
  if (what.is_agents_cap) {
    return begin + "This agent gets no more in one export; narrow what is asked for.";
  }
  return begin +
         "Raise row_cap (10000 at most in an answer, any number with as: \"link\"), or narrow what "
         "is asked for.";
}

std::string hint_for(const ExportRequest& what, const ExportedRows& shown,
                     const std::vector<std::string>& left_out) {
  std::string hint;
  if (shown.is_cut) hint = hint_of_cap(what, shown.count);
  if (!left_out.empty()) {
    hint += (hint.empty() ? "" : " ") + std::string("Rows after the first also have ") +
            joined(left_out) + "; name columns to export them.";
  }
  return hint;
}

void write_shape(const ExportRequest& what, const TableBuilder& builder, const ExportedRows& shown,
                 JsonWriter& out) {
  out.begin_object().key("format").string(what.format).key("headers").begin_array();
  for (const std::string& header : builder.headers()) out.string(header);
  out.end_array().key("row_count").number(shown.count);
}

void write_rest(const ExportRequest& what, const TableBuilder& builder, const ExportedRows& shown,
                JsonWriter& out) {
  if (shown.is_cut) {
    out.key("truncated").boolean(true);
    if (shown.available) out.key("available_rows").number(*shown.available);
    out.key("row_cap").number(what.row_cap);
  }
  const std::string hint = hint_for(what, shown, builder.left_out());
  if (!hint.empty()) out.key("hint").string(hint);
  out.end_object();
}

}  // namespace

Reply export_rows(const Request& request) {
  const ExportRequest what = read_export(request, ExportTo::answer);
  TableBuilder builder(what, request.max_bytes);
  const ExportedRows shown = fill_table(request, what, builder, [](std::uint64_t) {});
  const std::string output = builder.take_text();
  if (builder.is_too_large()) refuse_too_large(request, builder, shown.count, builder.bytes());
  Reply reply;
  JsonWriter out(reply.meta);
  write_shape(what, builder, shown, out);
  out.key("output").string(output);
  write_rest(what, builder, shown, out);
  if (reply.meta.size() > request.room_for_rows()) {
    refuse_too_large(request, builder, shown.count, reply.meta.size());
  }
  return reply;
}

Reply export_rows_to(const Request& request, const TableBuilder::Drain& drain,
                     const std::function<void(std::uint64_t)>& rows) {
  const ExportRequest what = read_export(request, ExportTo::file);
  TableBuilder builder(what, drain);
  const ExportedRows shown = fill_table(request, what, builder, rows);
  drain(builder.take_text());
  Reply reply;
  JsonWriter out(reply.meta);
  write_shape(what, builder, shown, out);
  write_rest(what, builder, shown, out);
  return reply;
}

Reply refuse_link(const Request& /*request*/) {
  throw QueryError(invalid_argument("This server has no place to keep exports; leave out \"as\""));
}

}  // namespace gantry::data
