#include "core/envelope.hpp"
#include "core/grid.hpp"
#include "core/next_call.hpp"
#include "tools/tools.hpp"

namespace query {
namespace {

using gantry::Json;

std::string format_of(const gantry::Call& call) {
  const auto arguments = Json::parse(call.arguments());
  const auto format = arguments ? arguments->find("format") : std::nullopt;
  return format ? format->as_string().value_or("json") : "json";
}

// `,"next_call":{…}` while there are more rows and nothing was cut; else nothing.
std::string next_call_member(const gantry::Call& call, const std::string& meta) {
  const auto parsed = Json::parse(meta);
  if (!parsed || parsed->find("_truncated")) return {};
  const auto pagination = parsed->find("pagination");
  const auto number = [&](const char* name) {
    const auto value = pagination ? pagination->find(name) : std::nullopt;
    return value ? value->as_integer().value_or(0) : 0;
  };
  const auto more = pagination ? pagination->find("has_more") : std::nullopt;
  if (!more || !more->as_bool().value_or(false)) return {};
  return ",\"next_call\":" +
         next_call(call.arguments(), number("limit"), number("skip") + number("limit"));
}

// Far above what an answer may be: a table's padding could otherwise take all memory.
constexpr std::size_t kMostText = 32u << 20;

void fail_too_large(gantry::Call& call, const std::string& format, std::size_t bytes) {
  (void)call.fail("invalid_argument",
                  "The rows as " + format +
                      " are larger than an answer may be; lower the limit "
                      "or name the keys you need",
                  R"({"kind":"response_too_large","bytes":)" + std::to_string(bytes) + "}");
}

void answer_as_text(const gantry::Data& data, gantry::Call& call, const std::string& format) {
  const gantry::DataReply reply = data.run(call, "query", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  const Grid grid = make_grid(reply.rows);
  if (grid.rows.empty() && reply.rows != "[]") {
    (void)call.fail("invalid_argument",
                    "The rows hold JSON that is nested too deeply to be shown as " + format +
                        "; use format json, or keys without that field");
    return;
  }
  if (format == "table" && table_size(grid) > kMostText) {
    return fail_too_large(call, format, table_size(grid));
  }
  std::string json = "{" + class_name_member(call);
  json += ",\"format\":";
  gantry::JsonWriter(json).string(format);
  json += ",\"headers\":";
  gantry::JsonWriter headers(json);
  headers.begin_array();
  for (const std::string& header : grid.headers) headers.string(header);
  headers.end_array();
  json += ",\"row_count\":" + std::to_string(grid.rows.size()) + ",\"output\":";
  gantry::JsonWriter(json).string(format == "csv"        ? as_csv(grid)
                                  : format == "markdown" ? as_markdown(grid)
                                                         : as_table(grid));
  json += more_members(reply.meta) + next_call_member(call, reply.meta) + "}";
  const gantry::Status written = call.structured(json);
  if (written.code() == GANTRY_TOO_BIG) fail_too_large(call, format, json.size());
}

}  // namespace

void query_class(const gantry::Data& data, gantry::Call& call) {
  const std::string format = format_of(call);
  if (format != "json") return answer_as_text(data, call, format);
  (void)call.begin_structured();
  (void)call.raw("{" + class_name_member(call) + ",\"results\":");
  const gantry::DataReply reply = data.forward(call, "query", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.raw(more_members(reply.meta) + next_call_member(call, reply.meta) + "}");
  (void)call.end_structured();
}

}  // namespace query
