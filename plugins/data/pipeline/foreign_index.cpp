#include "pipeline/foreign_index.hpp"

#include <algorithm>
#include <functional>

#include "values/sorting.hpp"

namespace gantry::data::pipeline {
namespace {

constexpr std::size_t kMostValues = 1000;  // of one scan

}  // namespace

StreamPtr ForeignIndex::scan(const std::string& from, const filter::Path& path,
                             ScanHint wanted) const {
  if (places_.empty()) return std::make_unique<ListStream>(Array());
  // Too many values for one scan: reads the whole class, which keeps its order.
  if (places_.size() > kMostValues) return run_.classes.scan(from, wanted);
  Array values;
  values.reserve(places_.size());
  for (const auto& [value, places] : places_) values.push_back(value);
  wanted.path = path.text();
  wanted.values = &values;
  return run_.classes.scan(from, wanted);
}

void ForeignIndex::fetch(Stream& documents, const filter::Path& path,
                         const std::function<bool(const Value&)>& passes) {
  for (Value document; documents.next(document);) {
    run_.tick();
    if (!passes || passes(document)) add(std::move(document), path);
  }
}

void ForeignIndex::add(Value document, const filter::Path& path) {
  const auto place = static_cast<std::uint32_t>(documents_.size());
  bool is_wanted = false;
  path.any(document, filter::Leaf::elements_too, [&](const Value& value) {
    const auto it = places_.find(value_or_null(value));
    if (it == places_.end()) return false;
    is_wanted = true;
    if (it->second.empty() || it->second.back() != place) it->second.push_back(place);
    return false;
  });
  if (!is_wanted) return;
  documents_.push_back(std::move(document));
}

Array ForeignIndex::documents_of(const Array& values) const {
  Places places;
  for (const Value& value : values) {
    const auto it = places_.find(value_or_null(value));
    if (it != places_.end()) places.insert(places.end(), it->second.begin(), it->second.end());
  }
  if (values.size() > 1) {
    sort_stably(places, std::less<>());
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }
  Array documents;
  documents.reserve(places.size());
  for (const std::uint32_t place : places) {
    run_.tick();
    documents.push_back(documents_[place]);
  }
  return documents;
}

void ForeignIndex::clear() {
  documents_.clear();
  places_.clear();
}

}  // namespace gantry::data::pipeline
