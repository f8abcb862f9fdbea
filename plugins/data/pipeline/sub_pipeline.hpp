// pipeline/sub_pipeline.hpp: a pipeline inside a stage, over another class or over $documents.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/stage.hpp"

namespace gantry::data::pipeline {

// Immutable after parsing.
class SubPipeline {
 public:
  SubPipeline() = default;
  // `json`: the array of stages; missing: none. `from`: the class, a string; missing if the
  // pipeline begins with $documents.
  SubPipeline(std::string_view stage, const Value& from, const Value& json, Reading& reading);

  // The documents of the class that wanted() describes, or those given in $documents.
  StreamPtr scan(Run& run, const Array& slots) const;
  // The documents and fields of the class that its first stages need.
  ScanHint wanted() const;
  // Adds a field to those that are read.
  void also_read(std::string_view path);
  // Opens the stages over `input`.
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const {
    return open_pipeline(stages_, std::move(input), run, slots);
  }
  const std::string& from() const { return from_; }
  bool has_class() const { return !from_.empty(); }
  bool is_empty() const { return stages_.empty(); }
  // All stages, $documents included.
  StageList all() const;

 private:
  std::string from_;
  std::unique_ptr<const Stage> documents_;  // replaces the class
  Stages stages_;
  filter::ConditionPtr filter_;                 // of the first stages; null: none
  std::optional<std::set<std::string>> paths_;  // empty: all
};

// A class's name; refuses values other than non-empty strings.
std::string read_class(std::string_view stage, std::string_view option, const Value& from);

}  // namespace gantry::data::pipeline
