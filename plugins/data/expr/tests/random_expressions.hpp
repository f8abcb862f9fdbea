// tests/random_expressions.hpp: random expressions, the same ones in every run.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string_view>

#include "expr/registry.hpp"

namespace gantry::data::expr {

class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : engine_(seed) {}

  std::size_t below(std::size_t limit) { return engine_() % limit; }

  Value scalar() {
    using I32 = std::numeric_limits<std::int32_t>;
    using I64 = std::numeric_limits<std::int64_t>;
    static const Value kScalars[] = {
        Value::null(),
        Value::boolean(true),
        Value::boolean(false),
        Value::int32(0),
        Value::int32(1),
        Value::int32(-1),
        Value::int32(7),
        Value::int32(I32::max()),
        Value::int32(I32::min()),
        Value::int64(5),
        Value::int64(I64::max()),
        Value::int64(I64::min()),
        Value::real(0.5),
        Value::real(-0.0),
        Value::real(1e308),
        Value::real(-2.5),
        Value::real(INFINITY),
        Value::real(NAN),
        Value::string(""),
        Value::string("a"),
        Value::string("ab cd"),
        Value::string("é☃🙂"),
        Value::string("day"),
        Value::string("UTC"),
        Value::string("%Y-%m"),
        Value::string("("),
        Value::string("2024-02-29"),
        Value::date(0),
        Value::date(I64::max()),
        Value::date(1'700'000'000'000),
        Value::date(I64::min()),
        Value::bytes("a\xff"),
        Value::string("+02:00"),
    };
    return kScalars[below(std::size(kScalars))];
  }

  Value value(int depth = 2) {
    const std::size_t kind = depth == 0 ? 9 : below(10);
    if (kind == 0) return array([&] { return value(depth - 1); });
    if (kind == 1) return object([&] { return value(depth - 1); });
    return scalar();
  }

  Value expression(int depth = 3) {
    const std::size_t kind = depth == 0 ? below(4) : below(10);
    if (kind < 2) return literal(value());
    if (kind < 4) return reference();
    if (kind == 4) return array([&] { return expression(depth - 1); });
    if (kind == 5) return object([&] { return expression(depth - 1); });
    return operation(depth);
  }

  static Value literal(const Value& value) { return one("$literal", value); }

 private:
  static Value one(std::string_view name, const Value& value) {
    ObjectBuilder object;
    return object.add(std::string(name), value).build();
  }

  template <class Make>
  Value array(Make make) {
    Array elements;
    for (std::size_t i = below(4); i > 0; --i) elements.push_back(make());
    return Value::array(std::move(elements));
  }

  template <class Make>
  Value object(Make make) {
    static constexpr std::string_view kNames[] = {"a", "b", "k", "v", "as", "in"};
    ObjectBuilder object;
    for (std::size_t i = below(4); i > 0; --i) object.set(kNames[below(6)], make());
    return object.build();
  }

  Value reference() {
    static constexpr std::string_view kReferences[] = {"$a",     "$b",          "$c.a",  "$none",
                                                       "$$ROOT", "$$CURRENT.b", "$$NOW", "$$REMOVE",
                                                       "$$this", "$c.b.a"};
    return Value::string(std::string(kReferences[below(std::size(kReferences))]));
  }

  // Named arguments, mostly those that the operator has.
  Value named_operand(std::span<const Parameter> parameters, int depth) {
    ObjectBuilder object;
    for (const Parameter& parameter : parameters) {
      if (parameter.required || below(2) == 0) {
        object.set(parameter.name, expression(depth - 1));
      }
    }
    if (below(20) == 0) object.set("stranger", scalar());
    return object.build();
  }

  // Arguments for forms, complete or in part.
  Value form_operand(int depth) {
    static constexpr Parameter kParameters[] = {
        {"input"}, {"in"},      {"cond"},    {"as"},    {"limit"},  {"initialValue"}, {"if"},
        {"then"},  {"else"},    {"field"},   {"value"}, {"inputs"}, {"sortBy"},       {"n"},
        {"to"},    {"onError"}, {"default"}, {"vars"},  {"unit"}};
    const std::size_t from = below(std::size(kParameters) - 3);
    return named_operand(std::span(kParameters).subspan(from, 1 + below(3)), depth);
  }

  Value operation(int depth) {
    const auto names = operator_names();
    const std::string_view name = names[below(names.size())];
    const Operator op = find_operator(name);
    if (op.named != nullptr) return one(name, named_operand(op.named->parameters, depth));
    const bool by_name = op.form != nullptr && below(2) == 0;
    if (by_name) return one(name, form_operand(depth));
    return one(name, array([&] { return expression(depth - 1); }));
  }

  std::mt19937 engine_;
};

}  // namespace gantry::data::expr
