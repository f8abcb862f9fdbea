// $map, $filter and $reduce: an expression for each element of an array.
#include <string>
#include <utility>

#include "expr/array_forms.hpp"
#include "expr/named_operands.hpp"
#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

Value or_null(Value value) { return value.is_missing() ? Value::null() : std::move(value); }

class Map final : public Expression {
 public:
  Map(ExpressionPtr input, std::size_t slot, ExpressionPtr in)
      : input_(std::move(input)), slot_(slot), in_(std::move(in)) {}
  Value evaluate(Context& context) const override {
    const Value input = input_->evaluate(context);
    if (input.is_nullish()) return Value::null();
    return in_name_of("$map", [&] { return mapped_of(input, context); });
  }
  void add_paths(std::set<std::string>& paths) const override {
    input_->add_paths(paths);
    in_->add_paths(paths);
  }

 private:
  Value mapped_of(const Value& input, Context& context) const {
    Array mapped;
    mapped.reserve(require_array("$map", input).size());
    for (const Value& element : input.elements()) {
      context.step();
      context.slots[slot_] = element;
      mapped.push_back(or_null(in_->evaluate(context)));
    }
    return Value::array(std::move(mapped));
  }

  ExpressionPtr input_;
  std::size_t slot_;
  ExpressionPtr in_;
};

class Filter final : public Expression {
 public:
  Filter(ExpressionPtr input, std::size_t slot, ExpressionPtr cond, ExpressionPtr limit)
      : input_(std::move(input)), slot_(slot), cond_(std::move(cond)), limit_(std::move(limit)) {}
  Value evaluate(Context& context) const override {
    const Value input = input_->evaluate(context);
    if (input.is_nullish()) return Value::null();
    return in_name_of("$filter", [&] { return filtered(input, context); });
  }
  void add_paths(std::set<std::string>& paths) const override {
    input_->add_paths(paths);
    cond_->add_paths(paths);
    if (limit_) limit_->add_paths(paths);
  }

 private:
  Value filtered(const Value& input, Context& context) const {
    const Array& elements = require_array("$filter", input);
    const std::size_t limit = limit_of(elements.size(), context);
    Array kept;
    for (std::size_t i = 0; i < elements.size() && kept.size() < limit; ++i) {
      context.step();
      context.slots[slot_] = elements[i];
      if (cond_->evaluate(context).is_true()) kept.push_back(elements[i]);
    }
    return Value::array(std::move(kept));
  }

  std::size_t limit_of(std::size_t all, Context& context) const {
    if (!limit_) return all;
    const Value limit = limit_->evaluate(context);
    if (limit.is_nullish()) return all;
    const std::int32_t count = require_index("$filter", "limit", limit);
    if (count <= 0) throw QueryError("$filter needs a limit above 0.");
    return static_cast<std::size_t>(count);
  }

  ExpressionPtr input_;
  std::size_t slot_;
  ExpressionPtr cond_;
  ExpressionPtr limit_;
};

class Reduce final : public Expression {
 public:
  struct Slots {
    std::size_t element, value;
  };
  // `takes`: `in` reads $$value once only, so it may be changed in place.
  Reduce(ExpressionPtr input, ExpressionPtr initial, Slots slots, ExpressionPtr in, bool takes)
      : input_(std::move(input)),
        initial_(std::move(initial)),
        slots_(slots),
        in_(std::move(in)),
        takes_(takes) {}
  Value evaluate(Context& context) const override {
    const Value input = input_->evaluate(context);
    if (input.is_nullish()) return Value::null();
    return in_name_of("$reduce", [&] { return reduced(input, context); });
  }
  void add_paths(std::set<std::string>& paths) const override {
    input_->add_paths(paths);
    initial_->add_paths(paths);
    in_->add_paths(paths);
  }

 private:
  Value reduced(const Value& input, Context& context) const {
    const Array& elements = require_array("$reduce", input);
    Value value = initial_->evaluate(context);
    for (const Value& element : elements) {
      context.step();
      context.slots[slots_.element] = element;
      context.slots[slots_.value] = std::move(value);
      value = takes_ ? in_->evaluate_taking(slots_.value, context) : in_->evaluate(context);
    }
    return value;
  }

  ExpressionPtr input_;
  ExpressionPtr initial_;
  Slots slots_;
  ExpressionPtr in_;
  bool takes_;
};

std::string element_name(std::string_view op, const Value& as) {
  if (as.is_missing()) return "this";
  if (!as.is_string()) refuse_type(op, "a variable's name as a string in as", as);
  check_variable_name(as.text(), op);
  return std::string(as.text());
}

// Parses an expression that can read the variable `name`; returns the variable's slot and the
// expression.
std::pair<std::size_t, ExpressionPtr> parse_with(std::string_view name, const Value& json,
                                                 Variables& variables) {
  const std::size_t slot = variables.define(name);
  ExpressionPtr in = parse_expression(json, variables);
  variables.take_back(name);
  return {slot, std::move(in)};
}

ExpressionPtr failing_of(ExpressionPtr& a, ExpressionPtr& b) {
  if (failure_of(*a) != nullptr) return std::move(a);
  return failure_of(*b) != nullptr ? std::move(b) : nullptr;
}

}  // namespace

ExpressionPtr parse_map(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array kParameters = {Parameter{"input", true}, Parameter{"as"},
                                             Parameter{"in", true}};
  const auto parts = named_operands(name, operand, kParameters);
  ExpressionPtr input = parse_expression(parts[0], variables);
  auto [slot, in] = parse_with(element_name(name, parts[1]), parts[2], variables);
  if (auto failing = failing_of(input, in)) return failing;
  return std::make_unique<Map>(std::move(input), slot, std::move(in));
}

ExpressionPtr parse_filter(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array kParameters = {Parameter{"input", true}, Parameter{"as"},
                                             Parameter{"cond", true}, Parameter{"limit"}};
  const auto parts = named_operands(name, operand, kParameters);
  ExpressionPtr input = parse_expression(parts[0], variables);
  auto [slot, cond] = parse_with(element_name(name, parts[1]), parts[2], variables);
  if (auto failing = failing_of(input, cond)) return failing;
  ExpressionPtr limit;
  if (!parts[3].is_missing()) limit = parse_expression(parts[3], variables);
  if (limit && failure_of(*limit) != nullptr) return limit;
  return std::make_unique<Filter>(std::move(input), slot, std::move(cond), std::move(limit));
}

ExpressionPtr parse_reduce(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array kParameters = {
      Parameter{"input", true}, Parameter{"initialValue", true}, Parameter{"in", true}};
  const auto parts = named_operands(name, operand, kParameters);
  ExpressionPtr input = parse_expression(parts[0], variables);
  ExpressionPtr initial = parse_expression(parts[1], variables);
  const std::size_t element = variables.define("this");
  auto [value, in] = parse_with("value", parts[2], variables);
  variables.take_back("this");
  if (auto failing = failing_of(input, initial)) return failing;
  if (failure_of(*in) != nullptr) return std::move(in);
  return std::make_unique<Reduce>(std::move(input), std::move(initial),
                                  Reduce::Slots{element, value}, std::move(in),
                                  variables.reads(value) == 1);
}

}  // namespace gantry::data::expr
