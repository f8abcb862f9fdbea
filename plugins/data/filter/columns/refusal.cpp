#include "filter/columns/refusal.hpp"

#include <algorithm>
#include <gantry/schema/nearest.hpp>
#include <vector>

#include "errors/query_error.hpp"
#include "filter/parser.hpp"
#include "policy/internal.hpp"
#include "values/utf8.hpp"

namespace gantry::data::columns {
namespace {

constexpr std::size_t kShown = 20;

std::vector<std::string> field_names(const ClassView& cls) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (cls.id_form != IdForm::none) add("objectId");
  for (const std::string_view role : kDateRoles) {
    if (cls.role(role) != nullptr) add(std::string(role));
  }
  for (const FieldView& field : cls.fields) add(field.name);
  const bool lists_keys = cls.is_open() && cls.permitted && cls.permitted->only();
  if (!lists_keys) return names;
  for (const std::string& name : *cls.permitted->only()) {
    if (cls.permits(name)) add(name);
  }
  return names;
}

std::string meant(std::string_view word, const std::vector<std::string>& names) {
  const auto found = schema::nearest(word, std::span<const std::string>(names));
  return found ? std::string(*found) : std::string();
}

std::string quoted(std::string_view name) { return "'" + clipped(name) + "'"; }

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kShown) text += ", +" + std::to_string(names.size() - kShown) + " more";
  return text;
}

void refuse(std::string message) { throw QueryError(std::move(message)); }

namespace {

// `has_rules`: there are rules about the class's fields, so that a denied name and an absent one
// have one answer.
[[noreturn]] void refuse_name(std::string_view name, const std::string& cls, bool has_rules,
                              const std::vector<std::string>& names) {
  DataError error;
  error.allowed_fields.assign(names.begin(),
                              names.begin() + static_cast<long>(std::min(names.size(), kShown)));
  if (has_rules || names_internal(name)) {
    error.code = error_code::kAccessDenied;
    error.kind = "field_denied";
    error.denied_field = clipped(name);
    error.message = "Field " + quoted(name) + " of class '" + cls +
                    "' is not accessible to this agent. Fields: " + listed(names) + ".";
    throw QueryError(std::move(error));
  }
  error.code = error_code::kInvalidQuery;
  error.message = "Class '" + cls + "' has no field " + quoted(name) + ".";
  error.suggested_rewrite = meant(name, names);
  if (!error.suggested_rewrite.empty()) {
    error.message += " Did you mean '" + error.suggested_rewrite + "'?";
  }
  error.message += " Fields: " + listed(names) + ".";
  throw QueryError(std::move(error));
}

// A pointer is addressed by its name.
[[noreturn]] void refuse_storage_name(std::string_view name, const std::string& pointer,
                                      const ClassView& cls) {
  DataError error;
  error.code = error_code::kInvalidQuery;
  error.kind = "storage_form_field_ref";
  error.suggested_rewrite = pointer;
  error.message = "Field " + quoted(name) + " is the storage column of the pointer '" + pointer +
                  "' of class '" + cls.name + "'. Write '" + pointer + "'.";
  throw QueryError(std::move(error));
}

}  // namespace

void refuse_field(std::string_view name, const ClassView& cls) {
  const auto pointer = cls.storage_names.find(name.substr(0, name.find('.')));
  if (pointer != cls.storage_names.end()) refuse_storage_name(name, pointer->second, cls);
  refuse_name(name, cls.name, cls.permitted != nullptr, field_names(cls));
}

void refuse_field(std::string_view name) { refuse_name(name, {}, false, {}); }

void refuse_dotted(std::string_view path, const ClassView& cls) {
  const std::string name = clipped(path);
  refuse("Field '" + name + "' of class '" + cls.name +
         "' has a dot in its name, which in a path leads into an object. Say {\"$getField\": \"" +
         name + "\"}, or name it in where, order, keys, or in a tool that groups.");
}

void refuse_operator_without_sign(std::string_view field, const Value& operand) {
  if (!operand.is_object()) return;
  for (const Member& one : operand.members()) {
    const std::string op = "$" + one.name;
    if (filter::find_field_operator(op) == nullptr) continue;
    refuse("Field '" + clipped(field) + "': '" + one.name + "' is no operator; did you mean '" +
           op + "'?");
  }
}

void refuse_redacted(std::string_view name) {
  refuse("Field '" + std::string(name) +
         "' points to a class that is not visible. Compare it with null, or use $exists.");
}

void refuse_unreadable(const ClassView& cls) {
  if (cls.refusal == RowRules::Refusal::none) return;
  DataError error;
  error.code = error_code::kAccessDenied;
  const bool is_tenant = cls.refusal == RowRules::Refusal::tenant;
  error.kind = is_tenant ? "tenant_scope" : "class_permission";
  error.cause = is_tenant ? "tenant" : "class_permission";
  error.message = is_tenant
                      ? "Class '" + cls.name +
                            "' is read within a tenant, and this agent has none. The operator "
                            "sets the tenant in the agent's profile or token."
                      : "The permissions of class '" + cls.name +
                            "' do not allow this operation to this agent.";
  throw QueryError(std::move(error));
}

void refuse_class(std::string_view name, const Scope& scope) {
  std::vector<std::string> names;
  for (const ClassView* cls : scope.classes()) names.push_back(cls->name);
  DataError error;
  error.code = error_code::kAccessDenied;
  error.kind = "hidden_class";
  error.cause = scope.hiding_layer(name);
  error.message = "Class " + quoted(name) + " is not accessible to this agent";
  error.suggested_rewrite = meant(name, names);
  if (!error.suggested_rewrite.empty()) {
    error.message += "; did you mean '" + error.suggested_rewrite + "'?";
  }
  error.message += error.suggested_rewrite.empty() ? ". " : " ";
  error.message += names.empty() ? "There are no classes." : "Classes: " + listed(names) + ".";
  throw QueryError(std::move(error));
}

}  // namespace gantry::data::columns
