// pipeline/sub_pipeline.hpp: a pipeline inside a stage, over another class or over $documents.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/stage.hpp"

namespace gantry::data::pipeline {

// Immutable after it is read.
class SubPipeline {
 public:
  SubPipeline() = default;
  // `json`: the array of stages; missing for none. `from`: the class, a string; missing where the
  // pipeline begins with $documents.
  SubPipeline(std::string_view stage, const Value& from, const Value& json, Reading& reading);

  // The documents of the class that it wants, or those written in $documents.
  StreamPtr scan(Run& run, const Array& slots) const;
  // What it wants of the class: what its first stages let through, and read.
  Wanted wanted() const;
  // Has that field read too.
  void also_read(std::string_view path);
  // What is behind them.
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const {
    return open_pipeline(stages_, std::move(input), run, slots);
  }
  const std::string& from() const { return from_; }
  bool has_class() const { return !from_.empty(); }
  bool is_empty() const { return stages_.empty(); }

 private:
  std::string from_;
  std::unique_ptr<const Stage> documents_;  // in the class's place
  Stages stages_;
  Value filter_;                                // missing: none
  std::optional<std::set<std::string>> paths_;  // nothing: all
};

// As a class's name: refuses what is no text, or empty.
std::string read_class(std::string_view stage, std::string_view option, const Value& from);

}  // namespace gantry::data::pipeline
