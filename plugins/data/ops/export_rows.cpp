#include "ops/export_rows.hpp"

#include <algorithm>

#include "ops/document_find.hpp"
#include "ops/document_where.hpp"
#include "ops/documents_reply.hpp"
#include "ops/pipeline_arguments.hpp"
#include "ops/pipeline_run.hpp"
#include "ops/row_reader.hpp"
#include "ops/scan.hpp"
#include "ops/typed_stages.hpp"
#include "values/extended_json.hpp"
#include "where/refusal.hpp"

namespace gantry::data {
namespace {

// Documents of a pipeline beyond the cap: so many are counted.
constexpr std::uint64_t kMostCounted = 1'000'000;

std::vector<std::string> paths_of(const ExportRequest& what) {
  std::vector<std::string> paths;
  for (const Column& column : what.columns) paths.push_back(column.path);
  return paths;
}

// createdAt is no unknown field, but not every class has one.
void refuse_absent_columns(const ExportRequest& what, const ClassInfo& cls, const Scope& scope) {
  for (const Column& column : what.columns) {
    const bool is_absent = (column.path == "objectId" && cls.id_form == IdForm::none) ||
                           (column.path == "createdAt" && !cls.created_at) ||
                           (column.path == "updatedAt" && !cls.updated_at);
    if (is_absent && scope.find_field(cls, column.path) == nullptr) {
      where::refuse_field(column.path, cls, scope);
    }
  }
}

struct QueryRows {
  const ClassInfo* cls = nullptr;
  Selection selection;
  Shape shape;  // limit: the caller's
};

std::int64_t requested_bound(const Request& request, const char* name, std::int64_t otherwise,
                             std::int64_t least) {
  return value_or_throw(optional_integer(request, name, otherwise, least, kAllRows));
}

QueryRows read_query(const Request& request, const ExportRequest& what, const ClassInfo& cls) {
  QueryRows rows;
  rows.cls = &cls;
  rows.selection = value_or_throw(select_fields(request, cls, paths_of(what)));
  refuse_absent_columns(what, cls, request.scope);
  rows.shape.where = value_or_throw(requested_where(request, cls));
  const auto order = value_or_throw(optional_string(request, "order"));
  auto compiled = compile_order(order, cls, request.scope, {});
  if (!compiled) throw QueryError(of_argument(compiled.error()));
  rows.shape.order = std::move(*compiled);
  rows.shape.limit = requested_bound(request, "limit", kAllRows, 1);
  rows.shape.skip = requested_bound(request, "skip", 0, 0);
  return rows;
}

// How many rows the query has; empty when they cannot be counted in the time that is left.
std::optional<std::uint64_t> count_rows(sqlite::Lease& lease, const QueryRows& rows) {
  Fragment sql;
  sql.add("SELECT count(*) FROM ").add(rows.cls->table);
  if (!rows.shape.where.empty()) sql.add(" WHERE ").add(rows.shape.where);
  auto statement = lease.prepare(sql);
  if (!statement || !statement->next()) return std::nullopt;
  const std::int64_t after_skip = statement->integer(0) - rows.shape.skip;
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(after_skip, 0, rows.shape.limit));
}

ExportedRows visit_query(const Request& request, const ExportRequest& what, const ClassInfo& cls,
                         const VisitRow& visit) {
  const QueryRows rows = read_query(request, what, cls);
  Shape shape = rows.shape;
  // One more than the cap tells whether there is more.
  shape.limit = std::min(shape.limit, static_cast<std::int64_t>(what.row_cap) + 1);
  auto lease = request.store.lease(request.budget);
  if (!lease) throw QueryError(store_error(lease.status()));
  ScanBound bound{!shape.where.empty(), {}};
  if (shape.limit < kAllRows) bound.limit = static_cast<std::uint64_t>(shape.skip + shape.limit);
  auto refused = refused_scan(request, *lease, cls,
                              query_sql(cls, shape.where, shape.order, shape.limit), bound);
  if (refused) throw QueryError(std::move(*refused));
  ExportedRows shown;
  const auto error =
      RowReader(request, *lease).visit(rows.selection, shape, [&](std::string_view row) {
        shown.is_cut = shown.count == what.row_cap;
        if (shown.is_cut) return false;
        ++shown.count;
        visit(row);
        return true;
      });
  if (error) throw QueryError(*error);
  // Counting may be the scan that reading was not.
  const bool may_count = shape.where.empty() ? !request.settings.refuse_collscan : true;
  if (shown.is_cut && may_count) shown.available = count_rows(*lease, rows);
  return shown;
}

void append_stage(std::string_view name, Value spec, Value& stages) {
  stages.own_elements().push_back(ObjectBuilder().set(name, std::move(spec)).build());
}

void append_projection(const std::vector<std::string>& paths, Value& stages) {
  if (paths.empty()) return;
  ObjectBuilder fields;
  for (const std::string& path : paths) fields.set(root_of(path), Value::integer(1));
  append_stage("$project", fields.build(), stages);
}

bool asks_for_id(const ExportRequest& what) {
  return std::any_of(what.columns.begin(), what.columns.end(),
                     [](const Column& column) { return root_of(column.path) == "_id"; });
}

// A class's own id goes by objectId in answers; a column may still call it _id.
Value with_alias(const Value& document) {
  return ObjectBuilder(document.members()).set("_id", document.find("objectId")).build();
}

ExportedRows visit_documents(const Request& request, const ExportRequest& what,
                             const ClassInfo* cls, Value stages, const VisitRow& visit) {
  // The columns as a last stage: unknown fields are refused, and nothing else is read.
  append_projection(paths_of(what), stages);
  const TypedStages typed = type_stages(stages, cls, request.scope);
  Pipeline pipeline;
  pipeline.cls = cls;
  pipeline.stages = typed.stages;
  pipeline.shows_ids = !what.is_pipeline;
  const Dress dress = dress_of(cls);
  const bool wants_alias = !typed.owns_id && asks_for_id(what);
  ExportedRows shown;
  std::uint64_t beyond = 0;
  Array one(1);
  std::string text;
  visit_pipeline(request, pipeline, [&](Value& document) {
    if (shown.count == what.row_cap) return ++beyond < kMostCounted;
    ++shown.count;
    one.front() = std::move(document);
    if (dress == Dress::parse) dress_documents(one, typed.owns_id);
    if (wants_alias) one.front() = with_alias(one.front());
    text.clear();
    append_value_json(one.front(), dress, text);
    visit(text);
    return true;
  });
  shown.is_cut = beyond > 0;
  if (shown.is_cut && beyond < kMostCounted) shown.available = shown.count + beyond;
  return shown;
}

// A query over documents, as the stages it stands for.
Value stages_of_query(const Request& request, const ExportRequest& what) {
  if (!value_or_throw(optional_strings(request, "include")).empty()) {
    throw QueryError(invalid_argument(
        "include: an export of documents has none; join with a $lookup in a pipeline"));
  }
  Value stages = Value::array({});
  const Value where = document_where(request);
  if (!where.is_missing()) append_stage("$match", where, stages);
  add_sort(value_or_throw(optional_string(request, "order")), stages.own_elements());
  const std::int64_t skip = requested_bound(request, "skip", 0, 0);
  if (skip > 0) append_stage("$skip", Value::integer(skip), stages);
  const std::int64_t limit = requested_bound(request, "limit", kAllRows, 1);
  if (limit < kAllRows) append_stage("$limit", Value::integer(limit), stages);
  std::vector<std::string> keys;
  for (const auto key : value_or_throw(optional_strings(request, "keys"))) keys.emplace_back(key);
  if (what.columns.empty()) append_projection(keys, stages);
  return stages;
}

}  // namespace

ExportedRows visit_rows(const Request& request, const ExportRequest& what, const VisitRow& visit) {
  if (what.is_pipeline) {
    const Value stages = requested_stages(request);
    const ClassInfo* cls = class_of_stages(request, stages);
    return visit_documents(request, what, cls, stages, visit);
  }
  const ClassInfo& cls = *value_or_throw(requested_class(request));
  if (cls.document.empty()) return visit_query(request, what, cls, visit);
  return visit_documents(request, what, &cls, stages_of_query(request, what), visit);
}

}  // namespace gantry::data
