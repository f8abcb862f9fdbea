#include <algorithm>

#include "pipeline/lookup.hpp"

namespace gantry::data::pipeline {
namespace {

// For some options null is equivalent to absent.
bool is_given(const Options& options, std::string_view name) { return !options[name].is_nullish(); }

// So is an empty field name.
bool is_named(const Options& options, std::string_view name) {
  const Value& field = options[name];
  return is_given(options, name) && !(field.is_string() && field.text().empty());
}

bool is_one_of(const Value& lets, std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('.'));
  return !lets.find(name).is_missing();
}

// The operands of {$eq: ["$field", "$$variable"]}, in either order.
struct Equality {
  std::string_view field, variable;
};
std::optional<Equality> equality_of(const Value& expression, const Value& lets) {
  const Value& operands = expression.find("$eq");
  if (!operands.is_array() || operands.elements().size() != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    const Value& field = operands.elements()[i];
    const Value& variable = operands.elements()[1 - i];
    if (!field.is_string() || !variable.is_string()) return std::nullopt;
    const bool is_field = field.text().starts_with("$") && !field.text().starts_with("$$");
    const bool is_let =
        variable.text().starts_with("$$") && is_one_of(lets, variable.text().substr(2));
    if (is_field && is_let) return Equality{field.text().substr(1), variable.text()};
  }
  return std::nullopt;
}

// For a sub-pipeline that begins with {$match: {$expr: …}}: an equality that all documents must
// satisfy.
std::optional<Equality> first_equality(const Value& pipeline, const Value& lets) {
  if (!pipeline.is_array() || pipeline.elements().empty()) return std::nullopt;
  const Value& condition = pipeline.elements().front().find("$match").find("$expr");
  const Value& all = condition.find("$and");
  if (!all.is_array()) return equality_of(condition, lets);
  for (const Value& part : all.elements()) {
    if (const auto found = equality_of(part, lets)) return found;
  }
  return std::nullopt;
}

void read_lets(std::string_view name, const Value& lets, Reading& reading, Lookup& lookup) {
  if (lets.is_nullish()) return;
  if (!lets.is_object()) refuse(name, "'let' must be an object, not " + kind_of(lets));
  for (const Member& let : lets.members()) {
    expr::check_variable_name(let.name, name);
    lookup.lets.push_back({0, expr::parse_expression(let.value, reading.variables)});
  }
  for (std::size_t i = 0; i < lookup.lets.size(); ++i) {
    lookup.lets[i].slot = reading.variables.define(lets.members()[i].name);
  }
}

void take_back_lets(const Value& lets, Reading& reading) {
  if (!lets.is_object()) return;
  for (const Member& let : lets.members()) reading.variables.take_back(let.name);
}

void read_fields(std::string_view name, const Options& options, Lookup& lookup) {
  const bool has_local = is_named(options, "localField");
  if (has_local != is_named(options, "foreignField")) {
    refuse(name, "wants both 'localField' and 'foreignField', or neither and a 'pipeline'");
  }
  if (!has_local) return;
  Path local = parse_path(name, "'localField'", options.text("localField"));
  const std::string_view foreign = options.text("foreignField");
  parse_path(name, "'foreignField'", foreign);
  lookup.narrowing = Lookup::Narrowing{filter::Path(foreign), std::move(local), nullptr};
}

void check_parts(std::string_view name, const Options& options, const Lookup& lookup) {
  const bool has_pipeline = is_given(options, "pipeline");
  if (!has_pipeline && !lookup.narrowing) {
    refuse(name, "wants 'localField' and 'foreignField', or a 'pipeline'");
  }
  if (has_pipeline && !options["pipeline"].is_array()) {
    refuse(name, "'pipeline' must be an array of stages, not " + kind_of(options["pipeline"]));
  }
  if (!has_pipeline && is_given(options, "let")) {
    refuse(name, "'let' is for a 'pipeline'; add one, or leave it out");
  }
}

}  // namespace

Lookup read_lookup(std::string_view name, const Value& spec, Reading& reading) {
  const Options options(name, spec,
                        {"from", "localField", "foreignField", "let", "pipeline", "as"});
  Lookup lookup;
  lookup.as = parse_path(name, "'as'", options.text("as"));
  read_fields(name, options, lookup);
  check_parts(name, options, lookup);
  if (is_given(options, "from")) read_class(name, "from", options["from"]);
  const Value from = is_given(options, "from") ? options["from"] : Value();
  const Value pipeline = is_given(options, "pipeline") ? options["pipeline"] : Value();
  const Value& lets = options["let"];
  read_lets(name, lets, reading, lookup);
  lookup.pipeline = SubPipeline(name, from, pipeline, reading);
  const auto equality = first_equality(pipeline, lets);
  if (!lookup.narrowing && equality && lookup.pipeline.has_class()) {
    lookup.narrowing = Lookup::Narrowing{
        filter::Path(equality->field),
        {},
        expr::parse_expression(Value::string(std::string(equality->variable)), reading.variables)};
  }
  if (lookup.narrowing) lookup.pipeline.also_read(lookup.narrowing->foreign.text());
  take_back_lets(lets, reading);
  return lookup;
}

}  // namespace gantry::data::pipeline
