#include "plan/sub_queries.hpp"

#include "plan/read.hpp"
#include "plan/typing/parse_form.hpp"
#include "values/pointer.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

constexpr int kMostSubQueries = 20;
constexpr std::uint64_t kMostFound = 10'000;
constexpr std::int64_t kFarthestRow = std::int64_t{1} << 53;

[[noreturn]] void refuse(std::string_view op, const std::string& what) {
  throw QueryError("Operator " + std::string(op) + " " + what);
}

std::uint64_t count_of(std::string_view op, std::string_view name, const Value& count) {
  if (!count.is_integral() || count.integer() < 0 || count.integer() > kFarthestRow) {
    refuse(op, "wants a whole number that is not negative for '" + std::string(name) + "'.");
  }
  return static_cast<std::uint64_t>(count.integer());
}

void read_member(const ReadContext& context, std::string_view op, const Member& one, Read& query) {
  const auto& [name, value] = one;
  if (name == "className" && value.is_string()) {
    query.view = &open_class(context.scope, value.text());
  } else if (name == "where" && value.is_object()) {
    query.filter = value;
  } else if (name == "order" && value.is_string()) {
    query.order = value.text();
  } else if (name == "limit") {
    query.limit = count_of(op, name, value);
  } else if (name == "skip") {
    query.skip = count_of(op, name, value);
  } else {
    refuse(op,
           "knows className (a string), where (an object), order (a string), limit and "
           "skip; '" +
               clipped(name) + "' is none of them.");
  }
}

Read read_query(const ReadContext& context, std::string_view op, const Value& operand, int depth) {
  if (!operand.is_object()) refuse(op, "needs an object with a className.");
  Read query;
  for (const Member& one : operand.members()) read_member(context, op, one, query);
  if (query.view == nullptr) refuse(op, "needs a className.");
  query.as_objects = true;
  query.depth = depth + 1;
  return query;
}

Array values_of(const ReadContext& context, std::string_view op, Read query, Value projection) {
  if (query.limit == 0) return {};
  query.stages = Value::array({object_of("$project", std::move(projection))});
  Documents found = read_documents(context, query, kMostFound);
  if (found.has_more) {
    refuse(op, "finds more than " + std::to_string(kMostFound) + " objects of class '" +
                   query.view->name + "'; narrow its where.");
  }
  return std::move(found.list);
}

// Pointers to the objects of a sub-query, and their bare ids.
Array references(const ReadContext& context, std::string_view op, const Read& query) {
  // A column of that name is no id.
  const bool is_id = query.view->find("_id") == nullptr;
  const Value both = ObjectBuilder()
                         .add("_id", Value::int32(is_id ? 1 : 0))
                         .add("objectId", Value::int32(1))
                         .build();
  Array values;
  for (const Value& row : values_of(context, op, query, both)) {
    const Value& id = row.find("_id");
    const Value& key = row.find("objectId");
    const Value text = typing::id_text_of(key);
    if (!id.is_missing()) values.push_back(id);
    if (!key.is_string()) values.push_back(key);
    if (id.is_missing() || !id.is_string()) values.push_back(text);
    values.push_back(pointer_value(query.view->name, text));
  }
  return values;
}

Array keys_of(const ReadContext& context, std::string_view op, const Value& operand, int depth) {
  if (!operand.is_object()) refuse(op, "needs an object.");
  const Value& query = operand.find("query");
  const Value& key = operand.find("key");
  const bool is_whole = operand.members().size() == 2 && !query.is_missing() && key.is_string() &&
                        !key.text().empty();
  if (!is_whole) {
    refuse(op, R"(needs {"query": {"className": …, "where": {…}}, "key": "field"}.)");
  }
  Value projection = ObjectBuilder()
                         .add("_id", Value::int32(0))
                         .add("key", Value::string("$" + std::string(key.text())))
                         .build();
  Array values;
  const Read read = read_query(context, op, query, depth);
  for (const Value& row : values_of(context, op, read, std::move(projection))) {
    if (!row.find("key").is_nullish()) values.push_back(row.find("key"));
  }
  return values;
}

}  // namespace

bool is_related(std::string_view op) {
  return op == "$inQuery" || op == "$notInQuery" || op == "$select" || op == "$dontSelect";
}

Array related_values(const ReadContext& context, std::string_view op, const Value& operand,
                     int depth) {
  if (depth >= kMostSubQueries) refuse(op, "nests more than 20 sub-queries.");
  if (op == "$select" || op == "$dontSelect") return keys_of(context, op, operand, depth);
  return references(context, op, read_query(context, op, operand, depth));
}

AskDocuments documents_of(const ReadContext& context, int depth) {
  return [&context, depth](std::string_view op, const Value& operand) {
    return related_values(context, op, operand, depth);
  };
}

}  // namespace gantry::data
