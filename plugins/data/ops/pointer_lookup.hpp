// ops/pointer_lookup.hpp: the objects that pointers of a pipeline's documents lead to, for columns
// that go on below them.
//
// Documents are looked at some hundred at a time: first for the pointers in them, then, when all
// their objects were fetched together, for what is below. One thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gantry/json.hpp>

#include "ops/request.hpp"
#include "ops/row_reader.hpp"

namespace gantry::data {

class PointerLookup {
 public:
  explicit PointerLookup(const Request& request) : request_(request) {}

  // See Columns::Follow. A pointer whose object was not fetched yet is kept in mind. Pointers to
  // classes that the scope does not have, or that have no ids of one column, lead nowhere.
  std::optional<Json> find(const Json& object, const std::vector<std::string>& names,
                           std::size_t from);
  // Fetches all objects that find() did not have. Throws QueryError: fields that their classes do
  // not have, the database's errors.
  void fetch(sqlite::Lease& lease);
  // Forgets the objects, for the next documents.
  void forget();

 private:
  struct Target {
    const ClassInfo* cls = nullptr;  // null: leads nowhere
    std::set<std::string> paths;     // below the pointers
    std::set<std::string> wanted;    // ids
    RowReader::Objects objects;
  };
  Target& target(const std::string& class_name);

  const Request& request_;
  std::map<std::string, Target> targets_;  // by class
  bool is_fetched_ = false;
};

}  // namespace gantry::data
