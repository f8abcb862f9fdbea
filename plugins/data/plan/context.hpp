// plan/context.hpp: what a read may see and use.
//
// The Scope limits what it can see, the Budget what it can use. One read, one thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "errors/query_error.hpp"
#include "plan/plan_memory.hpp"
#include "plan/read_settings.hpp"
#include "plan/typing/warnings.hpp"
#include "store/store.hpp"
#include "values/budget.hpp"
#include "view/scope.hpp"

namespace gantry::data {

class RowPrinters;
class SqlVerdicts;

struct ReadContext {
  Store& store;
  Scope scope;
  Budget budget;
  std::size_t max_bytes = 0;   // limit of the whole tool answer
  std::size_t echo_bytes = 0;  // part of it reserved for a next_call that repeats the arguments
  ReadSettings settings = {};
  // Owned by the service; null: nothing is cached.
  VerifiedAssumptions* memory = nullptr;
  RowPrinters* printers = nullptr;
  SqlVerdicts* verdicts = nullptr;
  // Of the answer; null: they are not shown.
  Warnings* warnings = nullptr;
  RequestNotes* notes = nullptr;  // null: nothing is noted

  // The bytes of an answer that its rows may take: the rest is for the text around them.
  std::size_t room_for_rows() const;
};

// The class. A hidden class and an absent one give the same QueryError, with the nearest visible
// names.
const ClassView& named_class(const Scope& scope, std::string_view name);
// The same for a read of its rows, which the class's permissions and its tenant scope may refuse.
const ClassView& open_class(const Scope& scope, std::string_view name);

// Rewords an error of a `where` for another argument.
DataError of_argument(DataError error);

// store_error() for a statement, which may also fail because of the caller's constraint:
// invalid_query.
DataError statement_error(const Status& status);

// The steps of a read; their errors are those, thrown as QueryError.
LeasePtr lease_as_seen(const ReadContext& context);
CursorPtr prepared(Lease& lease, const Fragment& statement);
// Call when next() or step() has returned false.
void check_end(const Cursor& cursor);

}  // namespace gantry::data
