// ops/change/change_ops.hpp: the operations create, update, delete, transaction, create_class and
// delete_class.
//
// Each runs in one transaction, which ends with the operation: committed, or as if it had not been.
// With `dry_run` it ends without a commit and answers with what it would have done. Throws
// QueryError; StaleCatalog before anything was changed.
#pragma once

#include <exception>
#include <string_view>

#include "ops/change/rights.hpp"
#include "ops/request.hpp"
#include "store/editor.hpp"

namespace gantry::data {

// The schema changed after the request's catalog was read: run the operation with a new one.
class StaleCatalog : public std::exception {};

struct Change {
  std::string_view name;
  bool is_of_schema;
  // `tier`: that of the call.
  Reply (*run)(const Request& request, WriteTier tier);
};

// Null: there is none of that name.
const Change* find_change(std::string_view name);

// Refuses an operation whose gate is closed, naming the gate.
void check_gate(const Change& change, const EditRights& rights);

}  // namespace gantry::data
