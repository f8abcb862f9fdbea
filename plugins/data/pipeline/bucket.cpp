// $bucket: groups by ranges between boundaries.
#include <algorithm>

#include "pipeline/buckets.hpp"
#include "pipeline/group_table.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "values/sorting.hpp"

namespace gantry::data::pipeline {
namespace {

struct Bucketing {
  expr::ExpressionPtr by;
  Array boundaries;
  Value otherwise;  // missing: no default
};

class BucketStream final : public GroupStream {
 public:
  BucketStream(StreamPtr input, expr::Context context, const Bucketing& how, const Outputs& outputs)
      : GroupStream(std::move(input), std::move(context), outputs, "$bucket"), how_(how) {}

 private:
  Value id_of(expr::Context& context) const override {
    return bucket_of(how_.by->evaluate(context));
  }

  void arrange(Array& results) const override {
    sort_stably(results, [](const Value& a, const Value& b) {
      return compare(a.find("_id"), b.find("_id")) < 0;
    });
  }

  const Value& bucket_of(const Value& value) const {
    const auto above =
        std::upper_bound(how_.boundaries.begin(), how_.boundaries.end(), value,
                         [](const Value& a, const Value& b) { return compare(a, b) < 0; });
    if (above != how_.boundaries.begin() && above != how_.boundaries.end()) return *(above - 1);
    if (!how_.otherwise.is_missing()) return how_.otherwise;
    refuse("$bucket",
           "a document's value is outside all boundaries; give a 'default' bucket for such values, "
           "or leave them out with $match");
  }

  const Bucketing& how_;
};

class BucketStage final : public Stage {
 public:
  BucketStage(Bucketing how, Outputs outputs)
      : how_(std::move(how)), outputs_(std::move(outputs)) {}
  std::string_view name() const override { return "$bucket"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<BucketStream>(std::move(input), make_context(run, slots), how_,
                                          outputs_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    how_.by->add_paths(paths);
    outputs_.add_paths(paths);
    return true;
  }

 private:
  Bucketing how_;
  Outputs outputs_;
};

Value constant_of(std::string_view name, std::string_view what, const Value& json,
                  Reading& reading) {
  const expr::ExpressionPtr expression = expr::parse_expression(json, reading.variables);
  const Value* const constant = expression->constant();
  if (constant != nullptr) return *constant;
  refuse(name, std::string(what) + " must be constant; it may not depend on a document");
}

Array read_boundaries(std::string_view name, const Value& json, Reading& reading) {
  if (!json.is_array()) {
    refuse(name, "'boundaries' must be an array, not " + kind_of(json));
  }
  Array boundaries;
  for (const Value& element : json.elements()) {
    boundaries.push_back(constant_of(name, "each of 'boundaries'", element, reading));
  }
  if (boundaries.size() < 2) refuse(name, "'boundaries' wants at least two values");
  for (std::size_t i = 1; i < boundaries.size(); ++i) {
    if (type_rank(boundaries[i].type()) != type_rank(boundaries[0].type())) {
      refuse(name, "all 'boundaries' must be of one type");
    }
    if (compare(boundaries[i - 1], boundaries[i]) >= 0) {
      refuse(name, "'boundaries' must be in ascending order, none twice");
    }
  }
  return boundaries;
}

Value read_default(std::string_view name, const Value& json, const Array& boundaries,
                   Reading& reading) {
  if (json.is_missing()) return Value();
  Value otherwise = constant_of(name, "'default'", json, reading);
  const bool is_outside =
      compare(otherwise, boundaries.front()) < 0 || compare(otherwise, boundaries.back()) >= 0;
  if (!is_outside) {
    refuse(name, "'default' must be below the lowest boundary, or at or above the highest");
  }
  return otherwise;
}

}  // namespace

void check_group_by(std::string_view stage, const Value& by) {
  const bool is_field = by.is_string() && by.text().starts_with("$");
  if (!is_field && !by.is_object()) {
    refuse(stage, "'groupBy' must be a field like \"$field\" or an expression");
  }
}

Outputs read_outputs(std::string_view stage, const Value& output, Reading& reading) {
  if (!output.is_missing()) return Outputs(stage, output, "", reading.variables);
  const Value one = ObjectBuilder().add("$sum", Value::int32(1)).build();
  return Outputs(stage, ObjectBuilder().add("count", one).build(), "", reading.variables);
}

StagePtr parse_bucket(std::string_view name, const Value& spec, Reading& reading) {
  const Options options(name, spec, {"groupBy", "boundaries", "default", "output"});
  const Value& by = options.require("groupBy");
  check_group_by(name, by);
  Bucketing how;
  how.by = expr::parse_expression(by, reading.variables);
  how.boundaries = read_boundaries(name, options.require("boundaries"), reading);
  how.otherwise = read_default(name, options["default"], how.boundaries, reading);
  return std::make_unique<BucketStage>(std::move(how),
                                       read_outputs(name, options["output"], reading));
}

}  // namespace gantry::data::pipeline
