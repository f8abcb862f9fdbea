// pipeline/foreign_index.hpp: documents of another class that hold one of many wanted values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "match/path.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

// Fetches documents whose value at a path is one of those asked for, in one scan, and tells for
// each value which they are. Missing and null are one value; an array is found by its elements and
// as a whole. One thread.
class ForeignIndex {
 public:
  explicit ForeignIndex(Run& run) : run_(run) {}

  // One more value to ask for.
  void want(const Value& value) { places_.try_emplace(value_or_null(value)); }
  std::size_t wanted() const { return places_.size(); }
  // The documents of `from` that may hold one of the values at `path`, and that are `wanted`
  // besides: what to give to fetch().
  StreamPtr scan(const std::string& from, const match::Path& path, Wanted wanted) const;
  // Reads all of `documents`. `passes`, if given, says which of them count.
  void fetch(Stream& documents, const match::Path& path,
             const std::function<bool(const Value&)>& passes = nullptr);
  // Of values that were asked for: the documents that hold any of them, in the class's order, each
  // once.
  Array documents_of(const Array& values) const;
  // Forgets all.
  void clear();

 private:
  static Value value_or_null(const Value& value) {
    return value.is_missing() ? Value::null() : value;
  }
  void add(Value document, const match::Path& path);

  Run& run_;
  using Places = std::vector<std::uint32_t, Metered<std::uint32_t>>;

  Array documents_;
  ValueMap<Places> places_;
};

}  // namespace gantry::data::pipeline
