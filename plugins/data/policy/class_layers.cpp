#include "policy/class_layers.hpp"

#include <set>

#include "catalog/floor.hpp"
#include "policy/class_access.hpp"

namespace gantry::data {
namespace {

std::vector<std::string> protected_from(const ClassRules& model, const FieldRules& fields) {
  std::set<std::string> names;
  for (const auto& [group, listed] : model.protected_fields) {
    for (const std::string& path : listed) {
      const std::string root = path.substr(0, path.find('.'));
      const bool is_listed = !fields.only() || fields.only()->count(root) > 0;
      if (is_listed && !fields.permits(root)) names.insert(root);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace

ClassLayers class_layers(const Catalog& catalog, const Rules& rules, std::string_view name) {
  ClassLayers layers;
  const ClassInfo* const cls = catalog.declared(name);
  if (cls == nullptr) return layers;
  layers.model = cls->rules;
  if (const FieldRulesPtr fields = field_rules(*cls, rules)) {
    layers.protected_fields = protected_from(*cls->rules, *fields);
  }
  for (std::size_t i = 0; i < kClassOps.size(); ++i) {
    layers.rows[i] = row_rules(*cls, rules, kClassOps[i]);
  }
  return layers;
}

std::vector<std::string> class_names(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const ClassInfo& cls : catalog.classes()) {
    if (!is_store_class(cls.name)) names.push_back(cls.name);
  }
  return names;
}

}  // namespace gantry::data
