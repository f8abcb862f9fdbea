#include "expr/accumulators/accumulator_options.hpp"

#include <algorithm>
#include <string>

#include "errors/query_error.hpp"
#include "expr/numbers.hpp"
#include "expr/registry.hpp"
#include "values/utf8.hpp"

namespace gantry::data::expr {
namespace {

double read_share(std::string_view op, const Value& p) {
  if (p.is_number() && p.number() >= 0 && p.number() <= 1) return p.number();
  throw QueryError(std::string(op) + " needs numbers from 0 to 1 in p, like p: [0.5, 0.95].");
}

std::vector<double> read_shares(std::string_view op, const Value& p, Variables& variables) {
  const ExpressionPtr expression = parse_expression(p, variables);
  const Value* constant = expression->constant();
  if (constant == nullptr || !constant->is_array() || constant->elements().empty()) {
    throw QueryError(std::string(op) + " needs a constant array of numbers as p, like p: [0.5].");
  }
  std::vector<double> shares;
  for (const Value& share : constant->elements()) shares.push_back(read_share(op, share));
  return shares;
}

void check_method(std::string_view op, const Value& method) {
  if (method.is_string() && method.text() == "approximate") return;
  throw QueryError(std::string(op) + " needs method: \"approximate\".");
}

}  // namespace

Array read_options(std::string_view op, const Value& spec,
                   std::span<const std::string_view> names) {
  if (!spec.is_object()) refuse_type(op, "an object of " + joined(names), spec);
  Array options(names.size());
  for (const Member& member : spec.members()) {
    const auto it = std::find(names.begin(), names.end(), member.name);
    if (it == names.end()) {
      throw QueryError(std::string(op) + " has no option " + member.name + "; it takes " +
                       joined(names) + ".");
    }
    options[static_cast<std::size_t>(it - names.begin())] = member.value;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!options[i].is_missing()) continue;
    throw QueryError(std::string(op) + " needs " + std::string(names[i]) + ".");
  }
  return options;
}

std::size_t read_count(std::string_view op, const Value& n) {
  const auto count = n.is_number() ? whole_long(n) : std::nullopt;
  if (count && *count > 0) return static_cast<std::size_t>(*count);
  throw QueryError(std::string(op) + " needs a whole number above zero as n.");
}

QuantileOptions read_quantiles(std::string_view op, const Value& spec, Variables& variables) {
  static constexpr std::string_view kNames[] = {"input", "method", "p"};
  const bool is_median = op == "$median";
  const auto options = read_options(op, spec, std::span(kNames).first(is_median ? 2 : 3));
  check_method(op, options[1]);
  QuantileOptions read;
  read.input = parse_expression(options[0], variables);
  read.shape = is_median ? Quantiles::Shape::single : Quantiles::Shape::array;
  read.shares = is_median ? std::vector<double>{0.5} : read_shares(op, options[2], variables);
  return read;
}

}  // namespace gantry::data::expr
