#include "ops/sql/sql_faults.hpp"

#include <algorithm>
#include <gantry/schema/nearest.hpp>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "ops/sql/sql_hints.hpp"
#include "policy/internal.hpp"
#include "rows/class_query.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

std::string place(std::size_t at) {
  return at == 0 ? "" : " (at position " + std::to_string(at) + ")";
}

[[noreturn]] void refuse_sql(std::string message) {
  throw QueryError(DataError::invalid_query(std::move(message)));
}

std::vector<std::string> fields_of_fault(const StatementFault& fault) {
  std::vector<std::string> names;
  for (const auto& cls : fault.classes) {
    for (const std::string& field : cls.fields) {
      if (std::find(names.begin(), names.end(), field) == names.end()) names.push_back(field);
    }
  }
  return names;
}

// The field that "_id" stands for in pipelines, or the nearest.
std::string meant_field(const std::string& name, const StatementFault& fault, const Scope& scope,
                        const std::vector<std::string>& names) {
  for (const auto& used : fault.classes) {
    const ClassView* const cls = scope.open(used.name);
    const bool has_key = cls != nullptr && cls->id_form == IdForm::column;
    if (name == "_id" && has_key) return std::string(cls->id_name());
  }
  const auto near = schema::nearest(name, std::span<const std::string>(names));
  return near ? std::string(*near) : std::string();
}

bool has_field_rules(const StatementFault& fault, const Scope& scope) {
  return std::any_of(fault.classes.begin(), fault.classes.end(), [&](const auto& used) {
    const ClassView* const cls = scope.open(used.name);
    return cls != nullptr && cls->permitted != nullptr;
  });
}

// "a.b" as 'a' and 'b'; 'a' is empty where the name has no dot.
struct WrittenName {
  explicit WrittenName(const std::string& name) {
    const auto dot = name.rfind('.');
    if (dot != std::string::npos) before = name.substr(0, dot);
    field = dot == std::string::npos ? name : name.substr(dot + 1);
  }
  std::string before, field;
};

const FieldView* field_in(const StatementFault& fault, const Scope& scope,
                          const std::string& name) {
  for (const auto& used : fault.classes) {
    const ClassView* const cls = scope.open(used.name);
    const FieldView* const field = cls == nullptr ? nullptr : cls->find(name);
    if (field != nullptr) return field;
  }
  return nullptr;
}

// What a path that begins with a field means in SQL; empty: it begins with none.
std::string path_hint(const WrittenName& name, const StatementFault& fault, const Scope& scope,
                      const std::vector<std::string>& names) {
  const std::string path = " ->> '$." + clipped(name.field) + "'.";
  const std::string column(kDocumentColumn);
  const bool has_documents = std::find(names.begin(), names.end(), column) != names.end();
  if (has_documents && (name.before.empty() || name.before == column)) {
    return " Fields of documents are paths: write " + column + path;
  }
  const FieldView* const field = field_in(fault, scope, name.before);
  if (field == nullptr) return {};
  if (field->json) return " '" + name.before + "' holds JSON: write " + name.before + path;
  if (field->target_class.empty() || field->redacted) return {};
  return " SQL follows no pointers: JOIN " + field->target_class + " ON " + field->target_class +
         "." + field->target_field + " = " + name.before + ".";
}

// The field is there, so the name before it is wrong.
std::string qualifier_hint(const WrittenName& name, const StatementFault& fault,
                           const Scope& scope) {
  const ClassView* const cls = scope.open(name.before);
  const bool is_joined =
      std::any_of(fault.classes.begin(), fault.classes.end(),
                  [&name](const auto& used) { return same_name(used.name, name.before); });
  const std::string shown = " '" + clipped(name.before) + "' ";
  if (is_joined) return shown + "has an alias after FROM: write that.";
  return cls == nullptr ? shown + "is neither a class nor an alias after FROM."
                        : shown + "does not stand after FROM: join it.";
}

std::string name_hint(const WrittenName& name, const StatementFault& fault, const Scope& scope,
                      const std::vector<std::string>& names) {
  const std::string by_path = path_hint(name, fault, scope, names);
  if (!by_path.empty() || name.before.empty()) return by_path;
  const bool is_field = std::find(names.begin(), names.end(), name.field) != names.end();
  return is_field ? qualifier_hint(name, fault, scope) : std::string();
}

[[noreturn]] void refuse_field_name(const StatementFault& fault, std::string_view sql,
                                    const Scope& scope) {
  const std::string shown = "'" + clipped(fault.name) + "'";
  const WrittenName name(fault.name);
  const std::vector<std::string> names = fields_of_fault(fault);
  if (fault.classes.empty()) {
    refuse_sql("There is no field " + shown + place(fault.at) + ": name its class after FROM.");
  }
  DataError error;
  error.message = "The classes of the statement have no field " + shown + place(fault.at) + ".";
  error.code = error_code::kInvalidQuery;
  const bool is_denied = has_field_rules(fault, scope) || names_internal(name.field);
  if (is_denied) {
    error.code = error_code::kAccessDenied;
    error.kind = "field_denied";
    error.denied_field = clipped(name.field);
    error.message = "Field " + shown + " is not accessible to this agent" + place(fault.at) + ".";
  }
  const std::string hint = name_hint(name, fault, scope, names);
  const std::string meant = hint.empty() ? meant_field(name.field, fault, scope, names) : "";
  const std::string written =
      name.before.empty() || meant.empty() ? meant : clipped(name.before) + "." + meant;
  error.suggested_rewrite = is_denied ? meant : written;
  const bool is_quoted = fault.at != 0 && fault.at <= sql.size() && sql[fault.at - 1] == '"';
  if (!meant.empty()) {
    error.message += " Did you mean '" + written + "'?";
  } else if (is_quoted) {
    error.message += " Texts stand in single quotes.";
  }
  error.message += hint + " Fields: " + columns::listed(names) + ".";
  throw QueryError(std::move(error));
}

constexpr std::string_view kFunctions =
    "Allowed are aggregates, window functions, text and number functions, json_extract and its "
    "kin, like, date functions in UTC.";

std::string sentence(const StatementFault& fault) {
  using Fault = StatementFault::Kind;
  switch (fault.kind) {
    case Fault::empty:
      return "'sql' holds no statement. Write one SELECT.";
    case Fault::several:
      return "'sql' holds more than one statement" + place(fault.at) + ". Write one SELECT.";
    case Fault::not_a_query:
      return "Only one SELECT, VALUES or WITH … SELECT can be run: reads alone.";
    case Fault::too_long:
      return "The statement is too long, or repeats its WITH queries too often. Split it.";
    case Fault::no_function:
      return "Function '" + clipped(fault.name) + "' cannot be used" + place(fault.at) + ". " +
             std::string(kFunctions);
    case Fault::no_class:
      return "'" + clipped(fault.name) + "' cannot be read" + place(fault.at) + ".";
    case Fault::not_allowed:
      return "The statement reads something that is neither a class nor a field of one" +
             place(fault.at) + ". Name classes and fields as get_schema shows them.";
    default:
      return "SQL error: " + fault.text + place(fault.at) + ".";
  }
}

}  // namespace

void refuse_statement(const StatementFault& fault, std::string_view sql, const Scope& scope) {
  using Fault = StatementFault::Kind;
  const std::string hint = sql_hint(fault, sql);
  if (fault.kind == Fault::no_class && hint.empty()) columns::refuse_class(fault.name, scope);
  if (fault.kind == Fault::no_field) refuse_field_name(fault, sql, scope);
  const bool is_blocked = fault.kind == Fault::not_allowed || fault.kind == Fault::no_function ||
                          fault.kind == Fault::not_a_query;
  if (is_blocked) throw QueryError::blocked(sentence(fault) + hint);
  refuse_sql(sentence(fault) + hint);
}

}  // namespace gantry::data
