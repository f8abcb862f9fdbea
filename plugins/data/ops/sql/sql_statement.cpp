#include "ops/sql/sql_statement.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "ops/page.hpp"
#include "ops/sql/marked_texts.hpp"
#include "ops/sql/sql_faults.hpp"
#include "ops/sql/sql_values.hpp"
#include "rows/class_query.hpp"
#include "statement/audit_text.hpp"
#include "statement/lifted.hpp"
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

StatementVerdict verdict_on(const Request& request, std::string_view sql) {
  const std::vector<SqlWord> words = sql_words(sql);
  const auto lookup = [&](std::string_view name) -> std::optional<NamedClass> {
    const ClassView* const cls = class_in_any_case(request.scope, name);
    if (cls == nullptr) return std::nullopt;
    columns::refuse_unreadable(*cls);
    return NamedClass{cls->name, sql_columns(*cls, words)};
  };
  auto verdict = request.store.judge(sql, lookup);
  if (!verdict) throw QueryError(store_error(verdict.status()));
  return std::move(*verdict);
}

void open_classes(const Request& request, const StatementShape& shape, SqlStatement& statement) {
  for (const auto& used : shape.classes) {
    const ClassView& cls = open_class(request.scope, used.name);
    auto marked = with_marked_texts(request, cls);
    statement.classes.push_back(marked ? marked.get() : &cls);
    if (marked) statement.marked.push_back(std::move(marked));
  }
}

KnownStatementPtr known_of(const Request& request, StatementShape shape, std::string audit_note,
                           const SqlStatement& statement) {
  KnownStatement known = known_statement(request.store, std::move(shape), statement.classes);
  known.audit_note = std::move(audit_note);
  check_parameters(known);
  return std::make_shared<const KnownStatement>(std::move(known));
}

SqlStatement learned(const Request& request, std::string_view sql, StatementShape shape) {
  std::string noted = audit_note(shape.text, shape.classes);
  note(request, noted);
  SqlStatement statement;
  open_classes(request, shape, statement);
  statement.known = known_of(request, std::move(shape), std::move(noted), statement);
  const bool is_lasting = request.verdicts != nullptr && statement.marked.empty();
  if (is_lasting) request.verdicts->keep(request.scope, sql, statement.known);
  return statement;
}

// Rows may have come that mark a class since.
SqlStatement remembered(const Request& request, KnownStatementPtr known) {
  note(request, known->audit_note);
  SqlStatement statement;
  open_classes(request, known->shape, statement);
  statement.known = statement.marked.empty()
                        ? std::move(known)
                        : known_of(request, known->shape, known->audit_note, statement);
  return statement;
}

KnownStatementPtr find_known(const Request& request, std::string_view sql) {
  return request.verdicts == nullptr ? nullptr : request.verdicts->find(request.scope, sql);
}

// Nothing: it may not run, and `fault` says why.
std::optional<SqlStatement> remembered_or_learned(const Request& request, std::string_view sql,
                                                  StatementFault& fault) {
  if (KnownStatementPtr known = find_known(request, sql)) {
    return remembered(request, std::move(known));
  }
  StatementVerdict verdict = verdict_on(request, sql);
  if (auto* const shape = std::get_if<StatementShape>(&verdict)) {
    return learned(request, sql, std::move(*shape));
  }
  fault = std::get<StatementFault>(std::move(verdict));
  return std::nullopt;
}

SqlStatement as_written(const Request& request, std::string_view sql) {
  StatementFault fault;
  auto statement = remembered_or_learned(request, sql, fault);
  if (statement) return *std::move(statement);
  note(request, audit_note(sql, fault.classes));
  refuse_statement(fault, sql, request.scope);
}

// The statement without the values that it compares with; nothing: it has none, or is no statement.
std::optional<SqlStatement> without_values(const Request& request, LiftedText lifted) {
  if (lifted.values.empty()) return std::nullopt;
  StatementFault fault;  // told of the text as it is written
  auto statement = remembered_or_learned(request, lifted.text, fault);
  if (statement) statement->values = std::move(lifted.values);
  return statement;
}

// An index of a part of the rows serves a literal: plans that count are made with it.
bool takes_values_out(const Request& request, bool needs_values) {
  return needs_values && request.verdicts != nullptr && !request.settings.refuse_collscan &&
         member_of(request.arguments, "params") == nullptr;
}

// Nothing: the parameter is no text.
std::optional<std::string> compared_text(const TextComparison& one,
                                         const std::vector<Bind>& values) {
  if (!one.parameter) return one.text;
  if (*one.parameter >= values.size()) return std::nullopt;
  const auto* const text = std::get_if<std::string>(&values[*one.parameter]);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

// A text that no row has is looked for where the answer holds nothing.
void warn(const Request& request, const SqlStatement& statement, const Misreadings& misread) {
  if (request.warnings == nullptr) return;
  for (const std::string& one : misread.warnings) request.warnings->add(one);
  for (const TextComparison& one : misread.texts) {
    const auto text = compared_text(one, statement.values);
    if (!text) continue;
    // Of the scope: it outlives the statement.
    const ClassView& cls = open_class(request.scope, statement.classes[one.cls]->name);
    request.warnings->doubt({&cls, one.field, Value::string(*text), true});
  }
}

SqlStatement with_values(const Request& request, std::string_view sql, bool needs_values) {
  // A text that is known has no values to take out, or was explained as it is written.
  if (takes_values_out(request, needs_values) && find_known(request, sql) == nullptr) {
    const std::vector<SqlWord> words = sql_words(sql);
    if (auto statement = without_values(request, lifted(sql, words))) {
      warn(request, *statement, misreadings(words, statement->known->shape, statement->classes));
      return *std::move(statement);
    }
  }
  SqlStatement statement = as_written(request, sql);
  statement.values = parameter_values(request, statement.known->shape, needs_values);
  warn(request, statement, statement.known->misread);
  return statement;
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
  SqlStatement statement = with_values(request, required_string(request, "sql"), needs_values);
  const KnownStatement& known = *statement.known;
  if (known.shape.reads_clock) request.scope.lose_determinism();
  const RunValues run{std::move(statement.values), limit, values_after(request, known.pages)};
  statement.composed = composed(known, statement.classes, run);
  return statement;
}

}  // namespace gantry::data
