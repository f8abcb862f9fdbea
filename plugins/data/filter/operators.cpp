#include <array>

#include "filter/parser.hpp"

namespace gantry::data::filter {

std::span<const std::span<const FieldOperator>> field_operators() {
  static const std::array kFamilies = {
      comparison_operators(), list_operators(), element_operators(), kind_operators(),
      number_operators(),     text_operators(), geo_operators(),     near_operators()};
  return kFamilies;
}

const FieldOperator* find_field_operator(std::string_view name) {
  for (const auto& family : field_operators()) {
    for (const FieldOperator& known : family) {
      if (known.name == name) return &known;
    }
  }
  return nullptr;
}

}  // namespace gantry::data::filter
