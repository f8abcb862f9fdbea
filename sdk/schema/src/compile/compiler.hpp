// Compiles indexed schemas to a program: one node for each place of the index.
#pragma once

#include "compile/index.hpp"
#include "program.hpp"

namespace gantry::schema::detail {

// Emits every place of `index` into the empty `program`, including the places that references add
// meanwhile. Refuses a schema that applies itself to the same value without end.
Status compile(Index& index, Program& program);

}  // namespace gantry::schema::detail
