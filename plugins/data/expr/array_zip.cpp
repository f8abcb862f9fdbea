// $zip: combines arrays element by element.
#include <algorithm>
#include <string>
#include <utility>

#include "expr/array_forms.hpp"
#include "expr/named_operands.hpp"
#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

class Zip final : public Expression {
 public:
  Zip(std::vector<ExpressionPtr> inputs, std::vector<ExpressionPtr> defaults, bool longest)
      : inputs_(std::move(inputs)), defaults_(std::move(defaults)), longest_(longest) {}

  Value evaluate(Context& context) const override {
    return in_name_of("$zip", [&] { return zipped(context); });
  }
  void add_paths(std::set<std::string>& paths) const override {
    add_all_paths(inputs_, paths);
    add_all_paths(defaults_, paths);
  }

 private:
  Value zipped(Context& context) const {
    Array inputs;
    inputs.reserve(inputs_.size());
    for (const ExpressionPtr& input : inputs_) {
      inputs.push_back(input->evaluate(context));
      if (inputs.back().is_nullish()) return Value::null();
      require_array("$zip", inputs.back());
    }
    const Array defaults = evaluate_defaults(context);
    Array rows;
    const std::size_t length = length_of(inputs);
    rows.reserve(length);
    for (std::size_t i = 0; i < length; ++i) {
      context.step();
      rows.push_back(row(inputs, defaults, i));
    }
    return Value::array(std::move(rows));
  }

  Array evaluate_defaults(Context& context) const {
    Array defaults(inputs_.size(), Value::null());
    for (std::size_t i = 0; i < defaults_.size(); ++i) {
      Value value = defaults_[i]->evaluate(context);
      if (!value.is_missing()) defaults[i] = std::move(value);
    }
    return defaults;
  }
  std::size_t length_of(const Array& inputs) const {
    const auto shorter = [](const Value& a, const Value& b) {
      return a.elements().size() < b.elements().size();
    };
    const auto [least, most] = std::minmax_element(inputs.begin(), inputs.end(), shorter);
    return (longest_ ? most : least)->elements().size();
  }
  static Value row(const Array& inputs, const Array& defaults, std::size_t place) {
    Array values = defaults;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (place < inputs[i].elements().size()) values[i] = inputs[i].elements()[place];
    }
    return Value::array(std::move(values));
  }

  std::vector<ExpressionPtr> inputs_;
  std::vector<ExpressionPtr> defaults_;
  bool longest_;
};

std::vector<ExpressionPtr> parse_all(std::string_view role, const Value& list,
                                     Variables& variables) {
  std::vector<ExpressionPtr> parsed;
  if (list.is_missing()) return parsed;
  if (!list.is_array()) refuse_type("$zip", "an array as " + std::string(role), list);
  for (const Value& one : list.elements()) parsed.push_back(parse_expression(one, variables));
  return parsed;
}

void check_defaults(std::size_t inputs, std::size_t defaults, bool longest) {
  if (defaults == 0) return;
  if (!longest) throw QueryError("$zip takes defaults only with useLongestLength: true.");
  if (defaults != inputs) throw QueryError("$zip needs as many defaults as inputs.");
}

}  // namespace

ExpressionPtr parse_zip(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array kParameters = {Parameter{"inputs", true},
                                             Parameter{"useLongestLength"}, Parameter{"defaults"}};
  const auto parts = named_operands(name, operand, kParameters);
  auto inputs = parse_all("inputs", parts[0], variables);
  auto defaults = parse_all("defaults", parts[2], variables);
  if (inputs.empty()) throw QueryError("$zip needs at least one array in inputs.");
  if (!parts[1].is_missing() && !parts[1].is_boolean()) {
    refuse_type(name, "true or false as useLongestLength", parts[1]);
  }
  const bool longest = parts[1].is_boolean() && parts[1].truth();
  check_defaults(inputs.size(), defaults.size(), longest);
  if (auto failing = take_failing(inputs)) return failing;
  if (auto failing = take_failing(defaults)) return failing;
  const bool constant = all_constant(inputs) && all_constant(defaults);
  auto zip = std::make_unique<const Zip>(std::move(inputs), std::move(defaults), longest);
  return constant ? fold(std::move(zip), {}) : std::move(zip);
}

}  // namespace gantry::data::expr
