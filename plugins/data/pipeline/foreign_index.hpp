// pipeline/foreign_index.hpp: documents of another class that contain one of many values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "filter/path.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

// Fetches the documents whose value at a path is one of the requested values, in one scan, and
// finds the documents of each value. Missing and null are one value; an array matches by its
// elements and as a whole. One thread.
class ForeignIndex {
 public:
  explicit ForeignIndex(Run& run) : run_(run) {}

  // Requests one more value.
  void want(const Value& value) { places_.try_emplace(value_or_null(value)); }
  std::size_t wanted() const { return places_.size(); }
  // A scan of the documents in `from` that may have one of the values at `path` and also match
  // `wanted`; pass it to fetch().
  StreamPtr scan(const std::string& from, const filter::Path& path, ScanHint wanted) const;
  // Reads all of `documents`. `passes`, if given, filters them.
  void fetch(Stream& documents, const filter::Path& path,
             const std::function<bool(const Value&)>& passes = nullptr);
  // For requested values: the documents that contain any of them, in the order of the class, each
  // once.
  Array documents_of(const Array& values) const;
  // Clears values and documents.
  void clear();

 private:
  static Value value_or_null(const Value& value) {
    return value.is_missing() ? Value::null() : value;
  }
  void add(Value document, const filter::Path& path);

  Run& run_;
  using Places = std::vector<std::uint32_t, Metered<std::uint32_t>>;

  Array documents_;
  ValueMap<Places> places_;
};

}  // namespace gantry::data::pipeline
