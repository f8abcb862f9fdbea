// ops/pointer_lookup.hpp: resolves pointers in a pipeline's documents, for columns that continue
// below them.
//
// Works on batches of some hundred documents: the first pass collects the pointers, then their
// objects are fetched together, and the second pass reads the nested fields. One thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gantry/json.hpp>

#include "ops/read_arguments.hpp"
#include "ops/row_reader.hpp"

namespace gantry::data {

class PointerLookup {
 public:
  explicit PointerLookup(const Request& request)
      : request_(request), shape_(requested_shape(request)) {}

  // See Columns::Follow. Records a pointer whose object was not fetched yet. Pointers to classes
  // outside of the scope, or without one-column ids, resolve to nothing.
  std::optional<Json> find(const Json& object, const std::vector<std::string>& names,
                           std::size_t from);
  // Fetches the objects of all recorded pointers. Throws QueryError: unknown fields of their
  // classes, the database's errors.
  void fetch(Lease& lease);
  // Drops the objects before the next batch.
  void forget();

 private:
  struct Target {
    const ClassView* cls = nullptr;  // null: resolves to nothing
    std::set<std::string> paths;     // below the pointers
    std::set<std::string> wanted;    // ids
    RowReader::Objects objects;
  };
  Target& target(const std::string& class_name);

  const Request& request_;
  const Shape shape_;
  std::map<std::string, Target> targets_;  // by class
  bool is_fetched_ = false;
};

}  // namespace gantry::data
