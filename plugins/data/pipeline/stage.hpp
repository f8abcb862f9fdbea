// pipeline/stage.hpp: one stage of an aggregation, and the stream of documents through it.
//
// A pipeline is parsed once (parse_pipeline), then opened over a source: each stage wraps the
// stream before it. Documents are pulled one by one, so $limit stops all earlier stages. One
// thread. Errors are thrown as QueryError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/expression.hpp"
#include "filter/condition.hpp"

namespace gantry::data::pipeline {

class Stream {
 public:
  virtual ~Stream() = default;
  // The next document, or false at the end; `document` is then unspecified.
  virtual bool next(Value& document) = 0;
};
using StreamPtr = std::unique_ptr<Stream>;

class Stage;
using Stages = std::vector<std::unique_ptr<const Stage>>;
using StageList = std::vector<const Stage*>;

// A hint of the documents and fields that a stage needs from a class. A scan may return more of
// both, so the stage must check again. The pointers need to be valid during the call only.
struct ScanHint {
  // With `values`, at most 1,000: only documents whose value at `path` matches one of them as in
  // $in.
  std::string_view path = {};
  const Array* values = nullptr;
  filter::ConditionPtr filter = nullptr;         // only documents that match this filter
  const std::set<std::string>* paths = nullptr;  // the root fields that are read; null: all
};

// The source of documents for $lookup, $graphLookup and $unionWith. Applies the caller's scope.
class Classes {
 public:
  virtual ~Classes() = default;
  // Refuses a class that this caller may not see.
  virtual void check(std::string_view name) = 0;
  virtual StreamPtr scan(std::string_view name, const ScanHint& wanted) = 0;
};

// The resources of one run, shared by all its stages and sub-pipelines.
struct Run {
  Classes& classes;
  // The clock and spending for the contexts of the stages, and the values of variables defined
  // outside. It has Variables::slots() slots, as counted after the pipeline was parsed.
  expr::Context& base;
  std::function<double()> random;  // [0, 1)

  void tick() const { base.step(); }
  // The part of the remaining memory that caches may use.
  std::size_t spare() const;
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view name() const = 0;  // "$match"
  // The documents after this stage. `slots` are the values of variables that `let` passed to
  // sub-pipelines.
  virtual StreamPtr open(StreamPtr input, Run& run, const Array& slots) const = 0;
  // Adds the fields that the stage reads of its input; false: all of them. If passes_others(), the
  // fields that later stages read must be added too.
  virtual bool add_paths(std::set<std::string>& paths) const = 0;
  // Whether fields that the stage does not name pass unchanged.
  virtual bool passes_others() const { return false; }
  // The filter of a $match; null for every other stage.
  virtual filter::ConditionPtr filter() const { return nullptr; }
  // The pipelines inside, as written: those of a $facet, that of a $lookup or $unionWith (empty
  // without one). The restriction of a $graphLookup is one $match.
  virtual std::vector<StageList> inner() const { return {}; }
};

struct Reading {
  Classes& classes;  // refuses hidden classes during parsing
  expr::Variables& variables;
  int depth = 0;  // nesting of sub-pipelines; at most 20
  bool in_facet = false;
};

// `json` is the array of stages. Refuses unknown stages, and stages that would write or run code,
// by name.
Stages parse_pipeline(const Value& json, Reading& reading);

// The names of all stages, and of all functions of $setWindowFields.
std::vector<std::string_view> stage_names();
std::vector<std::string_view> window_function_names();

// The stages, borrowed.
StageList listed(const Stages& stages);

// Opens the stages over `input`.
StreamPtr open_pipeline(const Stages& stages, StreamPtr input, Run& run, const Array& slots);

// Adds the input fields that a whole pipeline needs; false: all of them. May include fields that
// its own stages make.
bool add_pipeline_paths(const Stages& stages, std::set<std::string>& paths);

// Each stage's file defines one of these; parse.cpp lists them.
using ParseStage = std::unique_ptr<const Stage> (*)(std::string_view name, const Value& spec,
                                                    Reading& reading);
struct StageEntry {
  std::string_view name;
  ParseStage parse;
};

// A new context for one stage: the run's base with `slots`.
expr::Context make_context(const Run& run, const Array& slots);

}  // namespace gantry::data::pipeline
