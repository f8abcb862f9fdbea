// pipeline/window.hpp: $setWindowFields: what is computed for each document over its neighbours.
//
// A partition's documents are gathered and sorted; then each WindowFunction gives one result a
// document. Errors are thrown as QueryError. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "expr/date_units.hpp"
#include "expr/expression.hpp"
#include "pipeline/sort_key.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

// Documents of one partition in their order. `keys` is empty without a sortBy.
struct Partition {
  std::span<const Value> documents;
  std::span<const SortKey> keys;
  const SortOrder* order = nullptr;
  std::size_t size() const { return documents.size(); }
  // Of a sortBy of one field.
  const Value& position(std::size_t i) const { return keys[i].front(); }
};

// [begin, end) among a partition's documents.
struct Frame {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
  bool operator==(const Frame&) const = default;
};

// How the stage sorts: what functions and bounds ask for.
struct Sorting {
  bool given = false;
  std::size_t fields = 0;
  bool ascending = true;  // the first field
};

// The bounds of {documents: […]} or {range: […], unit}; all documents when neither is there.
class Window {
 public:
  Window() = default;
  Window(std::string_view stage, const Value& spec, const Sorting& sorting);
  // Refuses positions of the wrong type in ranges.
  Frame frame(const Partition& partition, std::size_t i) const;
  // Whether every frame ends with the last document.
  bool reaches_the_end() const { return upper_.at == Bound::At::unbounded; }

 private:
  enum class Kind { all, documents, range };
  struct Bound {
    enum class At { unbounded, current, offset } at = At::unbounded;
    Value offset;
    std::int64_t steps = 0;  // of documents; of units of time
  };

  void read_bounds(const Value& spec, std::string_view name);
  Bound read_bound(const Value& value) const;
  void check_offset(const Bound& bound) const;
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
  // Appends one result a document.
  virtual void run(const Partition& partition, expr::Context& context, Array& results) const = 0;
  virtual void add_paths(std::set<std::string>& paths) const = 0;
};
using WindowFunctionPtr = std::unique_ptr<const WindowFunction>;

// What stands behind an output's name: {$sum: "$x", window: {…}}.
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
  void need_sort() const;       // any
  void need_one_field() const;  // exactly one
  Window read_window() const;
  [[noreturn]] void refuse_call(const std::string& text) const;
};

// Each of these reads the functions of one file.
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

// The one function in `spec`; refuses others with the nearest known one.
WindowFunctionPtr read_window_function(std::string_view stage, const Member& output,
                                       const Sorting& sorting, expr::Variables& variables);

// For each document what `expression` comes to.
Array evaluate_each(const expr::Expression& expression, const Partition& partition,
                    expr::Context& context);

}  // namespace gantry::data::pipeline
