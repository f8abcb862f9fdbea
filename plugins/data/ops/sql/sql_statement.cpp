#include "ops/sql/sql_statement.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "ops/page.hpp"
#include "ops/sql/sql_faults.hpp"
#include "ops/sql/sql_values.hpp"
#include "statement/audit_text.hpp"
#include "statement/class_query.hpp"
#include "statement/sql_form.hpp"
#include "statement/sql_verdicts.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kMostListed = 1000;  // bytes of class names in an audit note

// SQLite's names ignore ASCII case.
const ClassView* class_in_any_case(const Scope& scope, std::string_view name) {
  if (const ClassView* const cls = scope.open(name)) return cls;
  for (const ClassView* const cls : scope.classes()) {
    if (same_name(cls->name, name)) return scope.open(cls->name);
  }
  return nullptr;
}

// The statement and its classes, for the host's operators.
std::string audit_note(std::string_view sql,
                       const std::vector<StatementShape::UsedClass>& classes) {
  std::vector<std::string_view> names;
  std::string list;
  for (const auto& used : classes) {
    names.emplace_back(used.name);
    names.insert(names.end(), used.fields.begin(), used.fields.end());
    if (list.size() < kMostListed)
      list.append(list.empty() ? "" : ",").append(quoted_json(used.name));
  }
  return R"({"sql":)" + quoted_json(audit_text(sql, names)) + R"(,"classes":[)" + list + "]}";
}

void note(const Request& request, const std::string& text) {
  if (request.notes != nullptr) request.notes->audit_note = text;
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
    note(request, audit_note(sql, fault->classes));
    refuse_statement(*fault, sql, request.scope);
  }
  return std::get<StatementShape>(std::move(*verdict));
}

std::vector<const ClassView*> classes_of(const Request& request, const StatementShape& shape) {
  std::vector<const ClassView*> classes;
  for (const auto& used : shape.classes) {
    classes.push_back(&open_class(request.scope, used.name));
  }
  return classes;
}

SqlStatement learned(const Request& request, std::string_view sql) {
  StatementShape shape = judged(request, sql);
  const std::string noted = audit_note(shape.text, shape.classes);
  note(request, noted);
  SqlStatement statement;
  statement.classes = classes_of(request, shape);
  KnownStatement known = known_statement(request.store, std::move(shape), statement.classes);
  known.audit_note = noted;
  check_parameters(known);
  statement.known = std::make_shared<const KnownStatement>(std::move(known));
  if (request.verdicts != nullptr) request.verdicts->keep(request.scope, sql, statement.known);
  return statement;
}

// A text that no row has is looked for where the answer holds nothing.
void warn(const Request& request, const SqlStatement& statement) {
  if (request.warnings == nullptr) return;
  const Misreadings& misread = statement.known->misread;
  for (const std::string& one : misread.warnings) request.warnings->add(one);
  for (const TextComparison& one : misread.texts) {
    request.warnings->doubt({statement.classes[one.cls], one.field, Value::string(one.text), true});
  }
}

SqlStatement remembered_or_learned(const Request& request, std::string_view sql) {
  KnownStatementPtr known =
      request.verdicts == nullptr ? nullptr : request.verdicts->find(request.scope, sql);
  if (known == nullptr) return learned(request, sql);
  note(request, known->audit_note);
  return {known, classes_of(request, known->shape), {}};
}

}  // namespace

bool may_write_sql(const Request& request) {
  return request.settings.sql && request.scope.rules().agent().sql;
}

void write_sql_form(const Request& request, const ClassView& cls, JsonWriter& json) {
  const SqlForm form =
      may_write_sql(request) ? sql_form(request.store, request.verdicts, cls) : SqlForm();
  if (form.is_plain()) return;
  json.key("sql").begin_object();
  if (!form.name.empty()) json.key("name").string(form.name);
  if (!form.columns.empty()) json.key("columns").raw(quoted_list(form.columns));
  json.end_object();
}

void refuse_without_sql(const Request& request) {
  if (may_write_sql(request)) return;
  DataError error{std::string(error_code::kAccessDenied),
                  "SQL is turned off by the operator. Use query_class and aggregate.",
                  "sql_off",
                  {},
                  {},
                  {}};
  error.cause = "sql_off";
  throw QueryError(std::move(error));
}

SqlStatement sql_statement(const Request& request, std::uint64_t limit, bool needs_values) {
  refuse_without_sql(request);
  SqlStatement statement = remembered_or_learned(request, required_string(request, "sql"));
  const KnownStatement& known = *statement.known;
  if (known.shape.reads_clock) request.scope.lose_determinism();
  warn(request, statement);
  const RunValues run{parameter_values(request, known.shape, needs_values), limit,
                      values_after(request, known.pages)};
  statement.composed = composed(known, statement.classes, run);
  return statement;
}

}  // namespace gantry::data
