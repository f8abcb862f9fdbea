// pipeline/stage.hpp: one stage of an aggregation, and the documents that flow through it.
//
// A pipeline is read once (parse_pipeline) and then opened over a source: each stage wraps the
// stream before it. Documents are pulled one by one, so $limit stops everything behind it. One
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

// Which documents of a class a stage wants, and what of them. More may come, of both: whoever asks
// looks at them again. The pointers must stay for the call only.
struct Wanted {
  // With `values`, at most 1,000: only those whose value at `path` equals one of them as $in says.
  std::string_view path = {};
  const Array* values = nullptr;
  const Value* filter = nullptr;                 // only those that a $match of this lets through
  const std::set<std::string>* paths = nullptr;  // the fields that are read; null: all
};

// Where $lookup, $graphLookup and $unionWith find documents. Applies the caller's scope to them.
class Classes {
 public:
  virtual ~Classes() = default;
  // Refuses a class that this caller may not see.
  virtual void check(std::string_view name) = 0;
  virtual StreamPtr scan(std::string_view name, const Wanted& wanted) = 0;
};

// What one run may use. Shared by all its stages, sub-pipelines too.
struct Run {
  Classes& classes;
  // Time and spending for the contexts of the stages, and values of variables defined outside: has
  // Variables::slots() slots, as counted once the pipeline is read.
  expr::Context& base;
  std::function<double()> random;  // [0, 1)

  void tick() const { base.step(); }
  // A share of the memory that is left: what may be kept only to be faster.
  std::size_t spare() const;
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view name() const = 0;  // "$match"
  // The documents after this stage. `slots` are values of variables that sub-pipelines got by let.
  virtual StreamPtr open(StreamPtr input, Run& run, const Array& slots) const = 0;
  // Fields the stage reads of its input; false: all of them. What later stages read is added by
  // whoever walks the pipeline, through `passes_others`.
  virtual bool add_paths(std::set<std::string>& paths) const = 0;
  // Whether fields that the stage does not name come out as they went in.
  virtual bool passes_others() const { return false; }
};

struct Reading {
  Classes& classes;  // to refuse foreign classes while the pipeline is read
  expr::Variables& variables;
  int depth = 0;  // of sub-pipelines; at most 20
  bool in_facet = false;
};

// `json` is the array. Refuses by name what does not exist or would write or run code.
Stages parse_pipeline(const Value& json, Reading& reading);

// All stages there are, and all functions of $setWindowFields.
std::vector<std::string_view> stage_names();
std::vector<std::string_view> window_function_names();

// Opens all of them over `input`.
StreamPtr open_pipeline(const Stages& stages, StreamPtr input, Run& run, const Array& slots);

// The fields of its input that a whole pipeline needs; false: all of them. Fields that its own
// stages make may be among them.
bool add_pipeline_paths(const Stages& stages, std::set<std::string>& paths);

// Each stage's file has one of these; parse.cpp lists them.
using ParseStage = std::unique_ptr<const Stage> (*)(std::string_view name, const Value& spec,
                                                    Reading& reading);
struct StageEntry {
  std::string_view name;
  ParseStage parse;
};

// A context of its own for one stage: the run's base with `slots`.
expr::Context make_context(const Run& run, const Array& slots);

}  // namespace gantry::data::pipeline
