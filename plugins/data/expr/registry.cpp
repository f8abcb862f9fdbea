#include "expr/registry.hpp"

#include <map>
#include <vector>

namespace gantry::data::expr {
namespace {

using Operators = std::map<std::string_view, Operator>;

void add_family(const Family& family, Operators& operators) {
  for (const Function& function : family.functions) operators[function.name].function = &function;
  for (const NamedFunction& named : family.named) operators[named.name].named = &named;
  for (const Form& form : family.forms) operators[form.name].form = &form;
}

// Built on first use, then immutable; any thread.
const Operators& operators() {
  static const Operators kOperators = [] {
    Operators all;
    for (const Family& family : {
             logic_family(),
             object_family(),
             arithmetic_family(),
             trigonometry_family(),
             accumulator_family(),
             set_family(),
             array_family(),
             date_family(),
             date_text_family(),
             string_family(),
             regex_family(),
             type_family(),
         }) {
      add_family(family, all);
    }
    return all;
  }();
  return kOperators;
}

}  // namespace

Operator find_operator(std::string_view name) {
  const auto it = operators().find(name);
  return it == operators().end() ? Operator() : it->second;
}

std::span<const std::string_view> operator_names() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const auto& [name, op] : operators()) names.push_back(name);
    return names;
  }();
  return kNames;
}

}  // namespace gantry::data::expr
