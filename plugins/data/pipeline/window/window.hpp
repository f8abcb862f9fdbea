// pipeline/window/window.hpp: $setWindowFields: computes a value for each document from its
// neighbours.
//
// The documents of a partition are collected and sorted; then each WindowFunction produces one
// result per document. Errors are thrown as QueryError. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "expr/dates/date_units.hpp"
#include "expr/expression.hpp"
#include "pipeline/sort_key.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

// The documents of one partition in sorted order. `keys` is empty without a sortBy.
struct Partition {
  std::span<const Value> documents;
  std::span<const SortKey> keys;
  const SortOrder* order = nullptr;
  std::size_t size() const { return documents.size(); }
  // For a sortBy of one field.
  const Value& position(std::size_t i) const { return keys[i].front(); }
};

// The range [begin, end) of a partition's documents.
struct Frame {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
  bool operator==(const Frame&) const = default;
};

// The stage's sort order, which functions and bounds depend on.
struct Sorting {
  bool given = false;
  std::size_t fields = 0;
  bool ascending = true;  // the first field
};

// The bounds of {documents: […]} or {range: […], unit}; all documents if neither is given.
class Window {
 public:
  Window() = default;
  Window(std::string_view stage, const Value& spec, const Sorting& sorting);
  // Refuses sort values of the wrong type for range bounds.
  Frame frame(const Partition& partition, std::size_t i) const;
  // Whether every frame ends with the last document.
  bool reaches_the_end() const { return upper_.at == Bound::At::unbounded; }

 private:
  enum class Kind { all, documents, range };
  struct Bound {
    enum class At { unbounded, current, offset } at = At::unbounded;
    Value offset;
    std::int64_t steps = 0;  // number of documents, or of time units
  };

  void read_bounds(const Value& spec, std::string_view name);
  Bound read_bound(const Value& value) const;
  void check_order() const;
  Frame by_documents(std::size_t size, std::size_t i) const;
  Frame by_range(const Partition& partition, std::size_t i) const;
  Value moved(const Value& position, const Bound& bound) const;

  std::string stage_;
  Kind kind_ = Kind::all;
  std::optional<expr::Unit> unit_;
  Bound lower_, upper_;
};

class WindowFunction {
 public:
  virtual ~WindowFunction() = default;
  // Appends one result per document.
  virtual void run(const Partition& partition, expr::Context& context, Array& results) const = 0;
  virtual void add_paths(std::set<std::string>& paths) const = 0;
};
using WindowFunctionPtr = std::unique_ptr<const WindowFunction>;

// The parsed value of an output: {$sum: "$x", window: {…}}.
struct WindowCall {
  std::string_view stage;
  std::string_view field;
  const Value& spec;  // the whole object
  std::string_view name;
  const Value& operand;
  const Value* window;  // null when there is none
  const Sorting& sorting;
  expr::Variables& variables;

  void refuse_window() const;
  void need_sort() const;       // requires any sortBy
  void need_one_field() const;  // requires a sortBy of exactly one field
  Window read_window() const;
  [[noreturn]] void refuse_call(const std::string& text) const;
};

// Each of these parses the functions of one file.
using ReadWindowFunction = WindowFunctionPtr (*)(const WindowCall& call);
WindowFunctionPtr read_accumulating(const WindowCall& call);  // $sum and its kin
WindowFunctionPtr read_covariance(const WindowCall& call);    // $covariancePop, $covarianceSamp
WindowFunctionPtr read_rank(const WindowCall& call);          // $rank, $denseRank, $documentNumber
WindowFunctionPtr read_shift(const WindowCall& call);
WindowFunctionPtr read_derivative(const WindowCall& call);
WindowFunctionPtr read_integral(const WindowCall& call);
WindowFunctionPtr read_moving_average(const WindowCall& call);
WindowFunctionPtr read_last_seen(const WindowCall& call);    // $locf
WindowFunctionPtr read_linear_fill(const WindowCall& call);  // $linearFill

// Parses the only function in `spec`; refuses unknown ones with the nearest known one.
WindowFunctionPtr read_window_function(std::string_view stage, const Member& output,
                                       const Sorting& sorting, expr::Variables& variables);

// The result of `expression` for each document.
Array evaluate_each(const expr::Expression& expression, const Partition& partition,
                    expr::Context& context);

}  // namespace gantry::data::pipeline
