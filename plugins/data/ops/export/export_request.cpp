#include "ops/export/export_request.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "ops/documents_reply.hpp"
#include "ops/pipeline_arguments.hpp"
#include "ops/selection.hpp"
#include "plan/typing/paths.hpp"

#include "values/json_document.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kDefaultCap = 1000, kMostInline = 10'000;
constexpr std::size_t kMostExportColumns = 200;

void add_column(std::string_view path, std::string_view header, std::vector<Column>& columns) {
  const bool has_gap = path.empty() || path.front() == '.' || path.back() == '.' ||
                       path.find("..") != std::string_view::npos;
  if (has_gap)
    refuse_argument("columns: '" + std::string(path) + "' is no path; write names with dots");
  columns.push_back({std::string(path), std::string(header)});
}

void add_headed(const rapidjson::Value& json, std::vector<Column>& columns) {
  if (!json.IsObject() || json.ObjectEmpty()) {
    refuse_argument("'columns' must be an array of paths and of objects {path: header}");
  }
  for (const auto& member : json.GetObject()) {
    if (!member.value.IsString()) {
      refuse_argument("columns: the header of '" + std::string(text_of(member.name)) +
                      "' must be a string");
    }
    add_column(text_of(member.name), text_of(member.value), columns);
  }
}

// A path, or {path: header}, also as JSON text: the tool's schema lists texts.
void read_column(const rapidjson::Value& json, std::vector<Column>& columns) {
  if (!json.IsString()) return add_headed(json, columns);
  const std::string_view text = text_of(json);
  rapidjson::Document object;
  const bool is_object =
      text.starts_with('{') && !parse_json<rapidjson::kParseNoFlags>(text, object).IsError();
  if (is_object) return add_headed(object, columns);
  add_column(text, text, columns);
}

void refuse_same_headers(const std::vector<Column>& columns) {
  std::set<std::string_view> known;
  for (const Column& column : columns) {
    if (known.insert(column.header).second) continue;
    refuse_argument("columns: two of them have the header '" + column.header +
                    "'; give one another with {path: header}");
  }
}

std::vector<Column> read_columns(const Request& request) {
  std::vector<Column> columns;
  const rapidjson::Value* json = member_of(request.arguments, "columns");
  if (json == nullptr) return columns;
  if (!json->IsArray() || json->Empty()) {
    refuse_argument("'columns' must be an array of at least one path or object {path: header}");
  }
  for (const auto& column : json->GetArray()) read_column(column, columns);
  if (columns.size() > kMostExportColumns) {
    refuse_argument("'columns' names " + std::to_string(columns.size()) + " columns; at most " +
                    std::to_string(kMostExportColumns) + " fit one export");
  }
  refuse_same_headers(columns);
  return columns;
}

void refuse_query_arguments(const Request& request) {
  static constexpr std::pair<const char*, const char*> kStages[] = {
      {"where", "$match"}, {"keys", "$project"}, {"include", "$lookup"},
      {"order", "$sort"},  {"limit", "$limit"},  {"skip", "$skip"}};
  for (const auto& [name, stage] : kStages) {
    if (member_of(request.arguments, name) == nullptr) continue;
    refuse_argument("'pipeline' and '" + std::string(name) +
                    "' do not go together; say it with a " + stage +
                    " stage, or leave out the pipeline");
  }
}

std::string read_format(const Request& request) {
  const std::string_view format = optional_string(request, "format");
  if (format.empty()) return "csv";
  static constexpr std::string_view kFormats[] = {"csv", "markdown", "table", "jsonl"};
  if (std::find(std::begin(kFormats), std::end(kFormats), format) == std::end(kFormats)) {
    refuse_argument("'format' must be csv, markdown, table or jsonl");
  }
  return std::string(format);
}

std::uint64_t read_cap(const Request& request, ExportTo to) {
  if (to == ExportTo::file) {
    return static_cast<std::uint64_t>(optional_integer(request, "row_cap", kAllRows, 1, kAllRows));
  }
  try {
    return static_cast<std::uint64_t>(
        optional_integer(request, "row_cap", kDefaultCap, 1, kMostInline));
  } catch (const QueryError& error) {
    refuse_argument(error.error().message + R"(; "as": "link" exports more)");
  }
}

// The documents that the columns are of.
typing::TypePtr exported_documents(const Request& request, const ExportRequest& what) {
  if (!what.is_pipeline) return typing::document_of(&requested_class(request));
  return documents_of(request, pipeline_read(request, requested_stages(request)));
}

void compute_columns(const Request& request, ExportRequest& what) {
  if (what.columns.empty()) return;
  const typing::TypePtr documents = exported_documents(request, what);
  typing::Joins joins;
  const typing::PathReader paths(request.scope, documents, &joins);
  ObjectBuilder computed;
  for (Column& column : what.columns) {
    const bool is_own = typing::member(*documents, column.path) != nullptr;
    const bool is_shown = !what.is_pipeline && is_common_field(column.path);
    if (is_own || is_shown || paths.read(column.path).path == column.path) continue;
    const std::string name = "column " + std::to_string(&column - what.columns.data()) + "->";
    computed.add(name, Value::string("$" + std::exchange(column.path, name)));
  }
  if (!computed.empty()) what.computed = computed.build();
}

}  // namespace

ExportRequest read_export(const Request& request, ExportTo to) {
  ExportRequest what;
  what.format = read_format(request);
  const std::uint64_t most = read_cap(request, to);
  what.row_cap = capped_rows(request, most);
  what.is_agents_cap = request.scope.rules().agent().cap_rows == what.row_cap;
  if (to == ExportTo::file && what.format == "table") {
    refuse_argument(
        "A table is for reading here; as a link, 'format' must be csv, markdown or jsonl");
  }
  what.columns = read_columns(request);
  what.is_pipeline = member_of(request.arguments, "pipeline") != nullptr;
  if (what.is_pipeline) refuse_query_arguments(request);
  compute_columns(request, what);
  return what;
}

}  // namespace gantry::data
