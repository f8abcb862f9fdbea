#include "ops/document_related.hpp"

#include "ops/document_find.hpp"
#include "ops/document_where.hpp"
#include "plan/pipeline_run.hpp"
#include "values/pointer.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

constexpr int kMostSubQueries = 20;
constexpr std::uint64_t kMostValues = 10'000;
constexpr std::int64_t kMostRows = std::int64_t{1} << 53;

struct SubQuery {
  std::string_view op = {};
  const ClassView* cls = nullptr;
  Value where = {};  // missing: none
  std::string_view order = {};
  std::int64_t limit = -1, skip = 0;  // limit -1: none
};

[[noreturn]] void refuse(std::string_view op, const std::string& what) {
  throw QueryError("Operator " + std::string(op) + " " + what);
}

std::int64_t count_of(std::string_view op, std::string_view name, const Value& count) {
  if (!count.is_integral() || count.integer() < 0 || count.integer() > kMostRows) {
    refuse(op, "wants a whole number that is not negative for '" + std::string(name) + "'.");
  }
  return count.integer();
}

void read_member(const Request& request, const Member& one, SubQuery& query) {
  const auto& [name, value] = one;
  if (name == "className" && value.is_string()) {
    query.cls = &open_class(request.scope, value.text());
  } else if (name == "where" && value.is_object()) {
    query.where = value;
  } else if (name == "order" && value.is_string()) {
    query.order = value.text();
  } else if (name == "limit") {
    query.limit = count_of(query.op, name, value);
  } else if (name == "skip") {
    query.skip = count_of(query.op, name, value);
  } else {
    refuse(query.op,
           "knows className (a string), where (an object), order (a string), limit and "
           "skip; '" +
               clipped(name) + "' is none of them.");
  }
}

SubQuery read_query(const Request& request, std::string_view op, const Value& operand) {
  if (!operand.is_object()) refuse(op, "needs an object with a className.");
  SubQuery query;
  query.op = op;
  for (const Member& one : operand.members()) read_member(request, one, query);
  if (query.cls == nullptr) refuse(op, "needs a className.");
  return query;
}

Array rows_of(const Request& request, const SubQuery& query, const Value& projection, int depth) {
  Array stages;
  Pipeline pipeline;
  pipeline.cls = query.cls;
  pipeline.shows_ids = true;
  if (!query.where.is_missing() && !query.cls->is_document()) {
    pipeline.where =
        compile_where(query.where, *query.cls, request.scope, where_options(request, depth + 1));
  } else if (!query.where.is_missing()) {
    stages.push_back(object_of("$match", document_condition(request, query.where, depth + 1)));
  }
  if (query.limit == 0) return {};
  add_sort(query.order, stages);
  if (query.skip > 0) stages.push_back(object_of("$skip", Value::int64(query.skip)));
  if (query.limit > 0) stages.push_back(object_of("$limit", Value::int64(query.limit)));
  stages.push_back(object_of("$project", projection));
  pipeline.stages = Value::array(std::move(stages));
  Documents found = run_pipeline(request, pipeline, kMostValues);
  if (found.has_more) {
    refuse(query.op, "finds more than " + std::to_string(kMostValues) + " objects of class '" +
                         query.cls->name + "'; narrow its where.");
  }
  return std::move(found.list);
}

// Pointers to the objects of a sub-query, and their bare ids.
Array references(const Request& request, const SubQuery& query, int depth) {
  const Value projection = ObjectBuilder()
                               .add("_id", Value::int32(query.cls->is_document() ? 1 : 0))
                               .add("objectId", Value::int32(1))
                               .build();
  Array values;
  for (const Value& row : rows_of(request, query, projection, depth)) {
    const Value& id = row.find("_id");
    if (!id.is_missing()) values.push_back(id);
    if (id.is_missing() || !id.is_string()) values.push_back(row.find("objectId"));
    values.push_back(pointer_value(query.cls->name, row.find("objectId")));
  }
  return values;
}

Array keys_of(const Request& request, std::string_view op, const Value& operand, int depth) {
  if (!operand.is_object()) refuse(op, "needs an object.");
  const Value& query = operand.find("query");
  const Value& key = operand.find("key");
  const bool is_whole = operand.members().size() == 2 && !query.is_missing() && key.is_string() &&
                        !key.text().empty();
  if (!is_whole) {
    refuse(op, R"(needs {"query": {"className": …, "where": {…}}, "key": "field"}.)");
  }
  const Value projection = ObjectBuilder()
                               .add("_id", Value::int32(0))
                               .add("key", Value::string("$" + std::string(key.text())))
                               .build();
  Array values;
  const SubQuery read = read_query(request, op, query);
  for (const Value& row : rows_of(request, read, projection, depth)) {
    if (!row.find("key").is_nullish()) values.push_back(row.find("key"));
  }
  return values;
}

}  // namespace

bool is_related(std::string_view op) {
  return op == "$inQuery" || op == "$notInQuery" || op == "$select" || op == "$dontSelect";
}

Array related_values(const Request& request, std::string_view op, const Value& operand, int depth) {
  if (depth >= kMostSubQueries) refuse(op, "nests more than 20 sub-queries.");
  if (op == "$select" || op == "$dontSelect") return keys_of(request, op, operand, depth);
  return references(request, read_query(request, op, operand), depth);
}

AskDocuments documents_of(const Request& request, int depth) {
  return [&request, depth](std::string_view op, const Value& operand) {
    return related_values(request, op, operand, depth);
  };
}

}  // namespace gantry::data
