#include "policy/scope.hpp"

#include "values/fleeting.hpp"

namespace gantry::data {

bool Scope::sees(const std::string& name) const {
  return !is_hidden_class(name) && (classes_ == nullptr || classes_->allows(name));
}

const ClassInfo* Scope::find_class(std::string_view name) const {
  const ClassInfo* cls = is_hidden_class(name) ? nullptr : catalog_->find(name);
  if (cls != nullptr && !sees(cls->name)) cls = nullptr;
  if (cls != nullptr && cls->type == ClassInfo::Type::view) NonDeterminism::mark();
  return cls;
}

const Field* Scope::find_field(const ClassInfo& cls, std::string_view name) const {
  const Field* const field = is_internal_field(name) ? nullptr : cls.find(name);
  return field == nullptr || field->internal ? nullptr : field;
}

bool Scope::redacts(const Field& field) const {
  return field.kind == Kind::pointer &&
         (!sees(field.target_class) || !catalog_->declares(field.target_class));
}

std::vector<const ClassInfo*> Scope::visible_classes() const {
  std::vector<const ClassInfo*> classes;
  for (const auto& cls : catalog_->classes()) {
    if (sees(cls.name)) classes.push_back(&cls);
  }
  return classes;
}

std::vector<const Field*> Scope::visible_fields(const ClassInfo& cls) const {
  std::vector<const Field*> fields;
  for (const auto& field : cls.fields) {
    if (!field.internal && !is_internal_field(field.name)) fields.push_back(&field);
  }
  return fields;
}

}  // namespace gantry::data
