#include "ops/sql_faults.hpp"

#include <algorithm>
#include <gantry/schema/nearest.hpp>

#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "policy/internal.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

std::string place(std::size_t at) {
  return at == 0 ? "" : " (at position " + std::to_string(at) + ")";
}

[[noreturn]] void refuse_sql(std::string message) {
  throw QueryError(DataError::invalid_query(std::move(message)));
}

std::vector<std::string> fields_of(const StatementFault& fault) {
  std::vector<std::string> names;
  for (const auto& cls : fault.classes) {
    for (const std::string& field : cls.fields) {
      if (std::find(names.begin(), names.end(), field) == names.end()) names.push_back(field);
    }
  }
  return names;
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kShown) text += ", +" + std::to_string(names.size() - kShown) + " more";
  return text;
}

// The field that an accepted name stands for elsewhere: createdAt, objectId.
std::string meant_field(const std::string& name, const StatementFault& fault, const Scope& scope,
                        const std::vector<std::string>& names) {
  for (const auto& used : fault.classes) {
    const ClassView* const cls = scope.open(used.name);
    if (cls == nullptr || cls->is_open()) continue;
    if (const FieldView* role = cls->role(name)) return role->name;
    if ((name == kObjectId || name == "_id") && cls->id_form == IdForm::column) {
      return std::string(cls->id_name());
    }
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

[[noreturn]] void refuse_field_name(const StatementFault& fault, const Scope& scope) {
  const std::string shown = "'" + clipped(fault.name) + "'";
  const std::string name = fault.name.substr(fault.name.rfind('.') + 1);
  const std::vector<std::string> names = fields_of(fault);
  if (fault.classes.empty()) {
    refuse_sql("There is no field " + shown + place(fault.at) + ": name its class after FROM.");
  }
  DataError error;
  error.suggested_rewrite = meant_field(name, fault, scope, names);
  error.message = "The classes of the statement have no field " + shown + place(fault.at) + ".";
  error.code = error_code::kInvalidQuery;
  if (has_field_rules(fault, scope) || names_internal(name)) {
    error.code = error_code::kAccessDenied;
    error.kind = "field_denied";
    error.denied_field = clipped(name);
    error.message = "Field " + shown + " is not accessible to this agent" + place(fault.at) + ".";
  }
  if (!error.suggested_rewrite.empty()) {
    error.message += " Did you mean '" + error.suggested_rewrite + "'?";
  }
  error.message += " Fields: " + first_names(names) + ".";
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
    case Fault::not_allowed:
      return "The statement reads something that is neither a class nor a field of one" +
             place(fault.at) + ". Name classes and fields as get_schema shows them.";
    default:
      return "SQL error: " + fault.text + place(fault.at) + ".";
  }
}

}  // namespace

void refuse_statement(const StatementFault& fault, const Scope& scope) {
  using Fault = StatementFault::Kind;
  if (fault.kind == Fault::no_class) columns::refuse_class(fault.name, scope);
  if (fault.kind == Fault::no_field) refuse_field_name(fault, scope);
  const bool is_blocked = fault.kind == Fault::not_allowed || fault.kind == Fault::no_function ||
                          fault.kind == Fault::not_a_query;
  if (is_blocked) throw QueryError::blocked(sentence(fault));
  refuse_sql(sentence(fault));
}

}  // namespace gantry::data
