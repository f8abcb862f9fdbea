#include "ops/sql_statement.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "ops/sql_faults.hpp"
#include "statement/class_query.hpp"
#include "values/base64.hpp"

namespace gantry::data {
namespace {

// SQLite's names ignore ASCII case.
const ClassView* class_in_any_case(const Scope& scope, std::string_view name) {
  if (const ClassView* const cls = scope.open(name)) return cls;
  for (const ClassView* const cls : scope.classes()) {
    if (same_name(cls->name, name)) return scope.open(cls->name);
  }
  return nullptr;
}

[[noreturn]] void refuse_values(std::string message) {
  throw QueryError(invalid_argument(std::move(message)));
}

// {"$base64":"…"}, as rows show bytes.
Bind bytes_of(const rapidjson::Value& object) {
  const auto member = object.FindMember("$base64");
  if (member != object.MemberEnd() && object.MemberCount() == 1 && member->value.IsString()) {
    const auto& text = member->value;
    if (auto bytes = decode_base64({text.GetString(), text.GetStringLength()})) {
      return Bytes{std::move(*bytes)};
    }
  }
  refuse_values(R"('params' may hold bytes as {"$base64":"…"}, but no other objects)");
}

Bind value_to_bind(const rapidjson::Value& value) {
  if (value.IsNull()) return nullptr;
  if (value.IsBool()) return std::int64_t{value.GetBool() ? 1 : 0};
  if (value.IsInt64()) return value.GetInt64();
  if (value.IsUint64()) {
    refuse_values("'params' holds an integer beyond 64 bits with a sign; write it as text");
  }
  if (value.IsNumber()) return value.GetDouble();
  if (value.IsString()) return std::string(value.GetString(), value.GetStringLength());
  if (value.IsObject()) return bytes_of(value);
  refuse_values("'params' may hold texts, numbers, true, false, null and bytes");
}

std::string names_of(const std::vector<std::string>& parameters) {
  std::string names;
  for (const std::string& one : parameters) {
    names.append(names.empty() ? "" : ", ").append(one.empty() ? "?" : one);
  }
  return names;
}

[[noreturn]] void refuse_count(const StatementShape& shape, std::size_t given) {
  refuse_values("'sql' has " + std::to_string(shape.parameters.size()) + " parameters (" +
                names_of(shape.parameters) + "), but 'params' has " + std::to_string(given) +
                " values");
}

std::vector<Bind> by_position(const StatementShape& shape, const rapidjson::Value& list) {
  if (list.Size() != shape.parameters.size()) refuse_count(shape, list.Size());
  std::vector<Bind> values;
  for (const auto& value : list.GetArray()) values.push_back(value_to_bind(value));
  return values;
}

// By its name with or without the sign, or by its number.
const rapidjson::Value* member_of(const rapidjson::Value& object, const std::string& parameter,
                                  std::size_t number) {
  const std::string own = std::to_string(number);
  const bool has_name = !parameter.empty();
  for (const char* name : {has_name ? parameter.c_str() : own.c_str(),
                           has_name ? parameter.c_str() + 1 : own.c_str()}) {
    const auto found = object.FindMember(name);
    if (found != object.MemberEnd()) return &found->value;
  }
  return nullptr;
}

std::vector<Bind> by_name(const StatementShape& shape, const rapidjson::Value& object) {
  std::vector<Bind> values;
  for (const std::string& parameter : shape.parameters) {
    const std::size_t number = values.size() + 1;
    const auto* const value = member_of(object, parameter, number);
    if (value == nullptr) {
      const std::string key = parameter.empty() ? std::to_string(number) : parameter.substr(1);
      refuse_values("'params' has no value for " + (parameter.empty() ? "?" : parameter) +
                    ": write {\"" + key + "\": …}");
    }
    values.push_back(value_to_bind(*value));
  }
  if (object.MemberCount() != shape.parameters.size()) refuse_count(shape, object.MemberCount());
  return values;
}

std::vector<Bind> values_for(const Request& request, const StatementShape& shape, bool needs_them) {
  check_parameters(shape);
  const auto found = request.arguments.FindMember("params");
  const bool is_given = found != request.arguments.MemberEnd() && !found->value.IsNull();
  if (!is_given && needs_them && !shape.parameters.empty()) refuse_count(shape, 0);
  if (!is_given) return std::vector<Bind>(shape.parameters.size(), nullptr);
  if (found->value.IsArray()) return by_position(shape, found->value);
  if (found->value.IsObject()) return by_name(shape, found->value);
  refuse_values("'params' must be an array of values, or an object by name");
}

StatementShape judged(const Request& request, std::string_view sql) {
  const auto lookup = [&request](std::string_view name) -> std::optional<NamedClass> {
    const ClassView* const cls = class_in_any_case(request.scope, name);
    if (cls == nullptr) return std::nullopt;
    columns::refuse_unreadable(*cls);
    return NamedClass{cls->name, sql_columns(*cls)};
  };
  auto verdict = request.store.judge(sql, lookup);
  if (!verdict) throw QueryError(store_error(verdict.status()));
  if (auto* const fault = std::get_if<StatementFault>(&*verdict)) {
    refuse_statement(*fault, request.scope);
  }
  return std::get<StatementShape>(std::move(*verdict));
}

}  // namespace

SqlStatement sql_statement(const Request& request, std::uint64_t limit, bool needs_values) {
  if (!request.settings.sql || !request.scope.rules().agent().sql) {
    throw QueryError(DataError{std::string(error_code::kAccessDenied),
                               "SQL is turned off by the operator. Use query_class and aggregate.",
                               "sql_off",
                               {},
                               {},
                               {}});
  }
  SqlStatement statement;
  statement.shape = judged(request, required_string(request, "sql"));
  const StatementShape& shape = statement.shape;
  if (shape.reads_clock) request.scope.lose_determinism();
  for (const auto& used : shape.classes) {
    statement.classes.push_back(&open_class(request.scope, used.name));
  }
  statement.composed = composed(shape, request.store.runnable(shape.text), statement.classes,
                                values_for(request, shape, needs_values), limit);
  return statement;
}

}  // namespace gantry::data
