#include "plan/sub_queries.hpp"

#include "plan/read.hpp"
#include "plan/typing/parse_form.hpp"
#include "values/pointer.hpp"

namespace gantry::data {
namespace {

constexpr int kMostSubQueries = 20;
constexpr std::uint64_t kMostFound = 10'000;

[[noreturn]] void refuse(std::string_view op, const std::string& what) {
  throw QueryError("Operator " + std::string(op) + " " + what);
}

Read read_of(const ReadContext& context, const columns::SubQuery& query, int depth) {
  Read read;
  read.view = &open_class(context.scope, query.class_name);
  if (query.where != nullptr) read.filter = *query.where;
  read.order = query.order;
  read.skip = query.skip;
  read.limit = query.limit;
  read.as_objects = true;
  read.depth = depth + 1;
  return read;
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
  const std::string_view id_name = query.view->id_name();
  const std::string shown(id_name.empty() ? kObjectId : id_name);
  const Value both = ObjectBuilder()
                         .add("_id", Value::int32(is_id ? 1 : 0))
                         .add("key", Value::string("$" + shown))
                         .build();
  Array values;
  for (const Value& row : values_of(context, op, query, both)) {
    const Value& id = row.find("_id");
    const Value& key = row.find("key");
    const Value text = typing::id_text_of(key);
    if (!id.is_missing()) values.push_back(id);
    if (!key.is_string()) values.push_back(key);
    if (id.is_missing() || !id.is_string()) values.push_back(text);
    values.push_back(pointer_value(query.view->name, text));
  }
  return values;
}

Array keys_of(const ReadContext& context, std::string_view op, const Read& read,
              std::string_view key) {
  Value projection = ObjectBuilder()
                         .add("_id", Value::int32(0))
                         .add("key", Value::string("$" + std::string(key)))
                         .build();
  Array values;
  for (const Value& row : values_of(context, op, read, std::move(projection))) {
    if (!row.find("key").is_nullish()) values.push_back(row.find("key"));
  }
  return values;
}

}  // namespace

Array related_values(const ReadContext& context, std::string_view op,
                     const columns::SubQuery& query, int depth) {
  if (depth >= kMostSubQueries) refuse(op, "nests more than 20 sub-queries.");
  const Read read = read_of(context, query, depth);
  return query.key.empty() ? references(context, op, read) : keys_of(context, op, read, query.key);
}

AskDocuments documents_of(const ReadContext& context, int depth) {
  return [&context, depth](std::string_view op, const columns::SubQuery& query) {
    return related_values(context, op, query, depth);
  };
}

}  // namespace gantry::data
