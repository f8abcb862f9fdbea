#include <algorithm>

#include "filter/columns/refusal.hpp"
#include "ops/document_find.hpp"
#include "ops/document_where.hpp"
#include "ops/documents_reply.hpp"
#include "ops/export_filling.hpp"
#include "ops/pointer_lookup.hpp"
#include "plan/class_source.hpp"
#include "plan/text_match.hpp"
#include "plan/typed_stages.hpp"
#include "policy/internal.hpp"
#include "rows/document_dialect.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

// Documents beyond the row cap are counted up to this number.
constexpr std::uint64_t kMostCounted = 1'000'000;

void append_stage(std::string_view name, Value spec, Value& stages) {
  stages.own_elements().push_back(ObjectBuilder().set(name, std::move(spec)).build());
}

void append_projection(const std::vector<std::string>& paths, Value& stages) {
  if (paths.empty()) return;
  ObjectBuilder fields;
  for (const std::string& path : paths) fields.set(root_of(path), Value::integer(1));
  append_stage("$project", fields.build(), stages);
}

// The last stage keeps whole fields, so the requested paths below them are checked here.
void refuse_internal(const Request& request, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (!names_internal(path)) continue;
    const ClassView& cls = requested_class(request);
    columns::refuse_field(path, cls);
  }
}

bool asks_for_id(const ExportRequest& what) {
  return std::any_of(what.columns.begin(), what.columns.end(),
                     [](const Column& column) { return root_of(column.path) == "_id"; });
}

// Answers call a class's own id objectId; a column may still refer to it as _id.
Value with_alias(const Value& document) {
  return ObjectBuilder(document.members()).set("_id", document.find("objectId")).build();
}

bool goes_below(const ExportRequest& what) {
  return std::any_of(what.columns.begin(), what.columns.end(), [](const Column& column) {
    return column.path.find('.') != std::string::npos;
  });
}

// Adds documents to the builder, in batches of some hundred if pointers in them must be resolved.
class DocumentRows {
 public:
  DocumentRows(const Request& request, TableBuilder& builder, bool follows)
      : request_(request), builder_(builder), pointers_(request), follows_(follows) {
    if (!follows_) return;
    builder_.columns()->follow([this](const Json& object, const auto& names, std::size_t from) {
      return pointers_.find(object, names, from);
    });
  }
  DocumentRows(const DocumentRows&) = delete;
  DocumentRows& operator=(const DocumentRows&) = delete;

  void add(std::string json, ClassSource& source) {
    if (!follows_) return builder_.add(json);
    bytes_ += json.size();
    rows_.push_back(std::move(json));
    if (rows_.size() == kRowsAtOnce || bytes_ > kBytesAtOnce) flush(source.lease());
  }

  // Adds the last batch, after the run has returned its connection.
  void finish() {
    if (rows_.empty()) return;
    auto lease = request_.store.lease(request_.budget);
    if (!lease) throw QueryError(store_error(lease.status()));
    flush(**lease);
  }

 private:
  static constexpr std::size_t kRowsAtOnce = 512, kBytesAtOnce = 1u << 20;

  void flush(Lease& lease) {
    for (const std::string& row : rows_) (void)builder_.columns()->pick(parse_row(row));
    pointers_.fetch(lease);
    for (const std::string& row : rows_) builder_.add(row);
    pointers_.forget();
    rows_.clear();
    bytes_ = 0;
  }

  const Request& request_;
  TableBuilder& builder_;
  PointerLookup pointers_;
  const bool follows_;
  std::vector<std::string> rows_;
  std::size_t bytes_ = 0;
};

}  // namespace

ExportedRows fill_from_pipeline(const Request& request, const ClassView* cls, Value stages,
                                Filling filling) {
  const ExportRequest& what = filling.what;
  // The columns as a last stage: unknown fields are refused, and no other fields are read.
  append_projection(paths_of(what), stages);
  TextMatch search = take_text(request, cls, stages);
  const BoundStages typed = bind_literals(search.stages, cls, request.scope);
  Pipeline pipeline;
  pipeline.cls = cls;
  pipeline.where = std::move(search.where);
  pipeline.stages = typed.stages;
  pipeline.shows_ids = !what.is_pipeline;
  const JsonDialect dialect = dialect_of(cls);
  const bool wants_alias = !typed.owns_id && asks_for_id(what);
  const bool has_pointers = cls != nullptr && dialect == JsonDialect::parse;
  DocumentRows rows(request, filling.builder, has_pointers && goes_below(what));
  std::uint64_t beyond = 0;
  Array one(1);
  visit_pipeline_beside(request, pipeline, [&](Value& document, ClassSource& source) {
    if (!filling.next()) return ++beyond < kMostCounted;
    one.front() = std::move(document);
    if (dialect == JsonDialect::parse) apply_dialect(one, typed.owns_id);
    if (wants_alias) one.front() = with_alias(one.front());
    std::string text;
    append_value_json(one.front(), dialect, text);
    rows.add(std::move(text), source);
    return true;
  });
  rows.finish();
  ExportedRows shown = filling.shown;
  shown.is_cut = beyond > 0;
  if (shown.is_cut && beyond < kMostCounted) shown.available = shown.count + beyond;
  return shown;
}

Value stages_of_query(const Request& request, const ExportRequest& what) {
  if (!optional_strings(request, "include", kMostIncludes).empty()) {
    throw QueryError(invalid_argument(
        "include: an export of documents has none; join with a $lookup in a pipeline"));
  }
  Value stages = Value::array({});
  const Value where = document_where(request);
  if (!where.is_missing()) append_stage("$match", where, stages);
  add_sort(optional_string(request, "order"), stages.own_elements());
  const std::int64_t skip = requested_bound(request, "skip", 0, 0);
  if (skip > 0) append_stage("$skip", Value::integer(skip), stages);
  const std::int64_t limit = requested_bound(request, "limit", kAllRows, 1);
  if (limit < kAllRows) append_stage("$limit", Value::integer(limit), stages);
  std::vector<std::string> keys;
  for (const auto key : optional_strings(request, "keys", kMostKeyArguments))
    keys.emplace_back(key);
  refuse_internal(request, keys);
  refuse_internal(request, paths_of(what));
  if (what.columns.empty()) append_projection(keys, stages);
  return stages;
}

}  // namespace gantry::data
