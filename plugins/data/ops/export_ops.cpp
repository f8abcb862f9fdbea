#include "ops/export_ops.hpp"

#include <gantry/json_writer.hpp>

#include "ops/export_request.hpp"
#include "ops/export_rows.hpp"
#include "ops/pipeline_run.hpp"
#include "ops/sheet.hpp"
#include "ops/too_large.hpp"

namespace gantry::data {
namespace {

[[noreturn]] void refuse_too_large(const Request& request, const Sheet& sheet,
                                   std::uint64_t rows_shown, std::size_t bytes) {
  Rows rows;
  rows.count = rows_shown;
  rows.bytes = bytes;
  rows.weights = sheet.weights();
  DataError error = response_too_large(request, rows);
  error.message += " As columns of the export, or lower row_cap.";
  throw QueryError(std::move(error));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string hint_for(const ExportedRows& shown, const std::vector<std::string>& left_out) {
  std::string hint;
  if (shown.is_cut) {
    hint = "Only the first " + std::to_string(shown.count) +
           " rows are here. Raise row_cap (10000 "
           "at most), or narrow what is asked for.";
  }
  if (!left_out.empty()) {
    hint += (hint.empty() ? "" : " ") + std::string("Rows after the first also have ") +
            joined(left_out) + "; name columns to export them.";
  }
  return hint;
}

void write_bounds(const ExportRequest& what, const ExportedRows& shown, JsonWriter& out) {
  if (!shown.is_cut) return;
  out.key("truncated").boolean(true);
  if (shown.available) out.key("available_rows").number(*shown.available);
  out.key("row_cap").number(what.row_cap);
}

Reply run_export(const Request& request) {
  const ExportRequest what = read_export(request);
  Sheet sheet(what, request.max_bytes);
  const ExportedRows shown =
      visit_rows(request, what, [&](std::string_view row) { sheet.add(row); });
  const std::string output = sheet.take_text();
  if (sheet.is_too_large()) refuse_too_large(request, sheet, shown.count, sheet.bytes());
  Reply reply;
  JsonWriter out(reply.meta);
  out.begin_object().key("format").string(what.format).key("headers").begin_array();
  for (const std::string& header : sheet.headers()) out.string(header);
  out.end_array().key("row_count").number(shown.count).key("output").string(output);
  write_bounds(what, shown, out);
  const std::string hint = hint_for(shown, sheet.left_out());
  if (!hint.empty()) out.key("hint").string(hint);
  out.end_object();
  if (reply.meta.size() > room_for_rows(request)) {
    refuse_too_large(request, sheet, shown.count, reply.meta.size());
  }
  return reply;
}

}  // namespace

Outcome<Reply> export_rows(const Request& request) { return answer_or_error(request, run_export); }

}  // namespace gantry::data
