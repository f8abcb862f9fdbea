#include "plan/bound_read.hpp"

#include <set>

#include "filter/columns/where.hpp"
#include "filter/geo/near.hpp"
#include "pipeline/stages.hpp"
#include "plan/document_filter.hpp"
#include "plan/field_check.hpp"
#include "plan/near_stage.hpp"
#include "plan/sub_queries.hpp"
#include "plan/tenant_check.hpp"
#include "plan/typing/conditions.hpp"
#include "plan/typing/typed_where.hpp"
#include "rows/document_ids.hpp"
#include "sql/compose.hpp"
#include "sql/dialect.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

WhereOptions where_options(const ReadContext& context, int depth) {
  const Dialect& dialect = context.settings.pushdown ? context.store.dialect() : mute_dialect();
  return {dialect, documents_of(context, depth)};
}

// Ids of a wrong form have no object.
Predicate rows_with_ids(const ClassView& cls, const std::vector<std::string_view>& ids) {
  std::vector<Predicate> any;
  std::vector<IdPart> one_column;
  for (const std::string_view id : ids) {
    auto parts = parse_object_id(cls, id);
    if (!parts) {
      if (cls.id_form == IdForm::none) throw QueryError(invalid_argument(parts.message()));
    } else if (parts->size() > 1) {
      any.push_back({id_condition(*parts), {}});
    } else if (one_column.empty()) {
      one_column = std::move(*parts);
    } else {
      auto& values = one_column.front().any_of;
      for (Bind& value : parts->front().any_of) values.push_back(std::move(value));
    }
  }
  if (!one_column.empty()) any.push_back({id_condition(one_column), {}});
  return any.empty() ? Predicate::never() : any_of(any);
}

RowOrder order_by(std::string_view order, const ClassView& cls, const Scope& scope) {
  try {
    return compile_order(order, cls, scope);
  } catch (const QueryError& error) {
    throw QueryError(of_argument(error.error()));
  }
}

// `unshown` takes the warnings of a context that shows none.
Warnings& warnings_of(const ReadContext& context, Warnings& unshown) {
  return context.warnings == nullptr ? unshown : *context.warnings;
}

Value typed_filter(const ReadContext& context, const Read& read) {
  Warnings unshown;
  return typing::typed_where(read.filter, *read.view, context.scope, warnings_of(context, unshown));
}

void bind_columns(const ReadContext& context, const Read& read, BoundRead& bound) {
  Clauses& clauses = bound.clauses;
  if (read.ids) clauses.where = rows_with_ids(*read.view, *read.ids);
  if (!read.filter.is_missing()) {
    clauses.where.also(compile_where(typed_filter(context, read), *read.view, context.scope,
                                     where_options(context, read.depth)));
  }
  if (read.order) {
    bound.order = order_by(*read.order, *read.view, context.scope);
    clauses.order = bound.order.sql;
  }
  bound.is_ordered = read.order || read.ids;  // objects by ids come in any order
  clauses.skip = read.skip;
  clauses.limit = read.limit;
  bound.stages = read.stages.is_missing() ? Value::array({}) : read.stages;
}

// Sorting by objectId is sorting by _id.
void add_sort(std::string_view order, Array& stages) {
  ObjectBuilder keys;
  std::set<std::string_view> seen;
  for (const OrderKey& key : read_order(order)) {
    const std::string_view name = key.name == "objectId" ? "_id" : key.name;
    if (!seen.insert(name).second) continue;
    keys.add(std::string(name), Value::int32(key.descending ? -1 : 1));
  }
  if (!seen.empty()) stages.push_back(object_of("$sort", keys.build()));
}

// A key below another requested key is redundant.
bool is_below(std::string_view key, const std::set<std::string_view>& keys) {
  for (auto dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.', dot + 1)) {
    if (keys.count(key.substr(0, dot)) > 0) return true;
  }
  return false;
}

std::string_view first_name_of(std::string_view path) { return path.substr(0, path.find('.')); }

// The root field of an included path is read whole. Dotted keys work as in MongoDB's projection.
void add_projection(const Shape& shape, Array& stages) {
  if (shape.keys.empty()) return;
  std::set<std::string_view> names(shape.keys.begin(), shape.keys.end());
  names.insert({"_id", "objectId", "createdAt", "updatedAt"});
  for (const std::string_view path : shape.includes) names.insert(first_name_of(path));
  ObjectBuilder spec;
  for (const std::string_view name : names) {
    if (!is_below(name, names)) spec.add(std::string(name), Value::int32(1));
  }
  stages.push_back(object_of("$project", spec.build()));
}

Value one_of_ids(const std::vector<std::string_view>& ids) {
  Array wanted;
  for (const std::string_view id : ids) wanted.push_back(Value::string(std::string(id)));
  return object_of("objectId", object_of("$in", Value::array(std::move(wanted))));
}

// Nothing is known of the types of documents: only comparisons that may be mistakes are noted.
void note_doubts(const ReadContext& context, const Read& read) {
  if (context.warnings == nullptr) return;
  const typing::TypesByName none;
  (void)typing::ConditionTyper{
      context.scope, typing::document_of(read.view), none, nullptr, *context.warnings, true}
      .bind(read.filter);
}

void bind_documents(const ReadContext& context, const Read& read, BoundRead& bound) {
  if (!read.filter.is_missing()) {
    note_doubts(context, read);
    bound.filter = document_filter(context, read.filter, read.depth);
  }
  if (read.ids) {
    bound.clauses.where.plain = documents_with_ids(*read.view, *read.ids);
    Array both{one_of_ids(*read.ids)};
    if (!bound.filter.is_missing()) both.push_back(bound.filter);
    bound.filter = object_of("$and", Value::array(std::move(both)));
  }
  Array stages;
  if (read.order) add_sort(*read.order, stages);
  if (read.skip > 0) stages.push_back(object_of("$skip", Value::integer(read.skip)));
  if (read.limit) stages.push_back(object_of("$limit", Value::integer(*read.limit)));
  if (!read.stages.is_missing()) {
    for (const Value& stage : read.stages.elements()) stages.push_back(stage);
  }
  add_projection(read.shape, stages);
  bound.stages = Value::array(std::move(stages));
  if (read.as_objects) bound.ids = DocumentReader::Ids::shown;
}

}  // namespace

BoundRead bind(const ReadContext& context, const Read& read) {
  BoundRead bound;
  bound.cls = read.view;
  bound.stages = read.stages;
  if (read.view != nullptr) {
    check_tenant(read.filter, *read.view);
    check_tenant_of_stages(read.stages, *read.view);
    by_storage(
        *read.view, [&] { bind_columns(context, read, bound); },
        [&] { bind_documents(context, read, bound); });
  }
  if (!bound.stages.elements().empty()) {
    bound.stages = typed(context, read.view, bound.stages).stages;
  }
  return bound;
}

TypedStages typed(const ReadContext& context, const ClassView* cls, const Value& stages) {
  Warnings unshown;
  return typed_stages(stages, cls, context.scope, warnings_of(context, unshown));
}

ParsedRead parse_checked(const ReadContext& context, const BoundRead& read,
                         pipeline::Reading& reading) {
  ParsedRead result{read.stages, {}};
  if (read.filter.is_missing() && read.stages.elements().empty()) return result;
  std::unique_ptr<const filter::Near> near;
  if (!read.filter.is_missing()) {
    near = filter::near_of(read.filter);
    auto& stages = result.stages.own_elements();
    stages.insert(stages.begin(), object_of("$match", read.filter));
    result.parsed.push_back(
        pipeline::match_stage(filter::parse_condition(read.filter, reading.variables)));
  }
  for (auto& stage : pipeline::parse_pipeline(read.stages, reading)) {
    result.parsed.push_back(std::move(stage));
  }
  check_fields(result.stages, result.parsed, read.cls, context.scope);
  if (!reading.variables.is_deterministic()) context.scope.lose_determinism();
  if (near) {
    auto& stages = result.stages.own_elements();
    stages.insert(stages.begin() + 1, object_of("$near", Value::null()));
    result.parsed.insert(result.parsed.begin() + 1, near_stage(std::move(near)));
  }
  return result;
}

}  // namespace gantry::data
