// Finds the window function of an output of $setWindowFields.
#include <algorithm>
#include <gantry/schema/nearest.hpp>
#include <iterator>
#include <vector>

#include "pipeline/window/window.hpp"

#include "values/utf8.hpp"

namespace gantry::data::pipeline {
namespace {

struct WindowEntry {
  std::string_view name;
  ReadWindowFunction read;
};

constexpr WindowEntry kFunctions[] = {
    {"$addToSet", read_accumulating},
    {"$avg", read_accumulating},
    {"$bottom", read_accumulating},
    {"$bottomN", read_accumulating},
    {"$concatArrays", read_accumulating},
    {"$count", read_accumulating},
    {"$covariancePop", read_covariance},
    {"$covarianceSamp", read_covariance},
    {"$denseRank", read_rank},
    {"$derivative", read_derivative},
    {"$documentNumber", read_rank},
    {"$expMovingAvg", read_moving_average},
    {"$first", read_accumulating},
    {"$firstN", read_accumulating},
    {"$integral", read_integral},
    {"$last", read_accumulating},
    {"$lastN", read_accumulating},
    {"$linearFill", read_linear_fill},
    {"$locf", read_last_seen},
    {"$max", read_accumulating},
    {"$maxN", read_accumulating},
    {"$median", read_accumulating},
    {"$min", read_accumulating},
    {"$minN", read_accumulating},
    {"$percentile", read_accumulating},
    {"$push", read_accumulating},
    {"$rank", read_rank},
    {"$setUnion", read_accumulating},
    {"$shift", read_shift},
    {"$stdDevPop", read_accumulating},
    {"$stdDevSamp", read_accumulating},
    {"$sum", read_accumulating},
    {"$top", read_accumulating},
    {"$topN", read_accumulating},
};

const WindowEntry& entry_of(std::string_view stage, std::string_view name) {
  const auto* const it = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                      [&](const WindowEntry& entry) { return entry.name == name; });
  if (it != std::end(kFunctions)) return *it;
  const std::vector<std::string_view> names = window_function_names();
  const auto near = schema::nearest(name, std::span<const std::string_view>(names));
  refuse(stage, "there is no window function '" + clipped(name) + "'" +
                    (near ? "; did you mean '" + std::string(*near) + "'?" : ""));
}

// {$op: operand, window: {…}}: the member with the operator.
const Member& function_of(std::string_view stage, const Member& output) {
  const Member* found = nullptr;
  if (!output.value.is_object()) {
    refuse(stage, "'" + output.name + "' wants an object such as {\"$sum\": \"$x\"}, not " +
                      kind_of(output.value));
  }
  for (const Member& member : output.value.members()) {
    if (member.name == "window") continue;
    if (found != nullptr || !member.name.starts_with('$')) {
      refuse(stage, "'" + output.name + "' wants one function, and 'window' beside it at most");
    }
    found = &member;
  }
  if (found == nullptr) refuse(stage, "'" + output.name + "' wants a function such as $sum");
  return *found;
}

}  // namespace

std::vector<std::string_view> window_function_names() {
  std::vector<std::string_view> names;
  for (const WindowEntry& entry : kFunctions) names.push_back(entry.name);
  return names;
}

void WindowCall::refuse_call(const std::string& text) const {
  refuse(stage, std::string(name) + " " + text);
}

void WindowCall::refuse_window() const {
  if (window != nullptr) refuse_call("takes no window");
}

void WindowCall::need_sort() const {
  if (!sorting.given) refuse_call("needs a sortBy");
}

void WindowCall::need_one_field() const {
  if (sorting.fields != 1) refuse_call("needs a sortBy with exactly one field");
}

Window WindowCall::read_window() const {
  return window == nullptr ? Window() : Window(stage, *window, sorting);
}

WindowFunctionPtr read_window_function(std::string_view stage, const Member& output,
                                       const Sorting& sorting, expr::Variables& variables) {
  const Member& function = function_of(stage, output);
  const Value& window = output.value.find("window");
  const WindowCall call{stage,         output.name,    output.value,
                        function.name, function.value, window.is_missing() ? nullptr : &window,
                        sorting,       variables};
  return entry_of(stage, function.name).read(call);
}

Array evaluate_each(const expr::Expression& expression, const Partition& partition,
                    expr::Context& context) {
  Array values;
  values.reserve(partition.size());
  for (const Value& document : partition.documents) {
    context.step();
    look_at(context, document);
    values.push_back(expression.evaluate(context));
  }
  return values;
}

}  // namespace gantry::data::pipeline
