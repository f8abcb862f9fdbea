// $fill: values for fields that are null or missing; translated to $setWindowFields and $addFields.
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

class FillStage final : public Stage {
 public:
  explicit FillStage(Stages stages) : stages_(std::move(stages)) {}
  std::string_view name() const override { return "$fill"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return open_pipeline(stages_, std::move(input), run, slots);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    for (const auto& stage : stages_) {
      if (!stage->add_paths(paths)) return false;
    }
    return true;
  }
  bool passes_others() const override { return true; }

 private:
  Stages stages_;
};

// The fields, grouped by the method that fills them.
struct Fillings {
  ObjectBuilder computed;  // for $setWindowFields
  ObjectBuilder given;     // for $addFields
};

std::string_view function_for(std::string_view name, const Member& field, const Value& method) {
  if (method.is_string() && method.text() == "linear") return "$linearFill";
  if (method.is_string() && method.text() == "locf") return "$locf";
  refuse(name, "'" + field.name + "' wants \"linear\" or \"locf\" as method");
}

void add_field(std::string_view name, const Member& field, Fillings& fillings) {
  const Options options(name, field.value, {"value", "method"});
  parse_path(name, "a field's name", field.name);
  if (options.has("value") == options.has("method")) {
    refuse(name, "'" + field.name + "' wants either 'value' or 'method'");
  }
  const Value now = Value::string("$" + field.name);
  if (options.has("method")) {
    const std::string_view function = function_for(name, field, options["method"]);
    fillings.computed.set(field.name, ObjectBuilder().set(function, now).build());
  } else {
    const Value choice = Value::array({now, options["value"]});
    fillings.given.set(field.name, ObjectBuilder().set("$ifNull", choice).build());
  }
}

// {p0: "$a", p1: "$b"}: generated names, because field names may contain dots.
Value partition_of_fields(std::string_view name, const Value& fields) {
  if (!fields.is_array()) {
    refuse(name, "wants an array of names as partitionByFields, not " + kind_of(fields));
  }
  ObjectBuilder partition;
  for (const Value& field : fields.elements()) {
    if (!field.is_string()) refuse(name, "wants names of fields in partitionByFields");
    parse_path(name, "a name in partitionByFields", field.text());
    partition.set("p" + std::to_string(&field - fields.elements().data()),
                  Value::string("$" + std::string(field.text())));
  }
  return partition.build();
}

Value partition_of(std::string_view name, const Options& options) {
  const Value& fields = options["partitionByFields"];
  if (options.has("partitionBy") && !fields.is_nullish()) {
    refuse(name, "wants partitionBy or partitionByFields, not both");
  }
  if (!fields.is_nullish()) return partition_of_fields(name, fields);
  const Value& partition = options["partitionBy"];
  if (!partition.is_missing() && !partition.is_object() && !partition.is_string()) {
    refuse(name, "wants a field's path or an object as partitionBy, not " + kind_of(partition));
  }
  return partition;
}

}  // namespace

StagePtr parse_fill(std::string_view name, const Value& spec, Reading& reading) {
  const Options options(name, spec, {"partitionBy", "partitionByFields", "sortBy", "output"});
  const Value& output = options.require("output");
  if (!output.is_object() || output.members().empty()) {
    refuse(name, "wants an object with at least one field as output");
  }
  Fillings fillings;
  for (const Member& field : output.members()) add_field(name, field, fillings);
  Stages stages;
  ObjectBuilder window;
  window.set("partitionBy", partition_of(name, options)).set("sortBy", options["sortBy"]);
  const Value computed = fillings.computed.build();
  window.set("output", computed);
  auto filling = parse_set_window_fields(name, window.build(), reading);
  if (!computed.members().empty()) stages.push_back(std::move(filling));
  const Value given = fillings.given.build();
  if (!given.members().empty()) stages.push_back(parse_add_fields(name, given, reading));
  return std::make_unique<FillStage>(std::move(stages));
}

}  // namespace gantry::data::pipeline
