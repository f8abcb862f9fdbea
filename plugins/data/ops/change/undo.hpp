// ops/change/undo.hpp: takes a recorded write back, as one transaction, for operators.
//
// All rows that the write changed have to be as it left them: else nothing is changed, and the
// error names the objects and fields that are not. The rows get the stored values of before, also
// of columns that no agent sees. Triggers of the schema run as for every write. An undo is recorded
// as a write, and can be taken back too.
#pragma once

#include "ops/change/change_ops.hpp"

namespace gantry::data {

// {id}: of the record. Answers {id, undoes, rows}, where `id` is the undo's own record. The tier is
// not looked at: the caller is an operator. Throws QueryError: not_found; access_denied, a gate is
// closed; invalid_argument, it cannot be taken back, or was; store_error.
Reply undo(const Request& request, WriteTier tier);

}  // namespace gantry::data
