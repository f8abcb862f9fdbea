// plan/typing/typed_where.hpp: the expressions of a `where` over columns.
//
// filter/columns binds its conditions to columns and refuses literals that do not fit. Here the
// operands of $expr get the names and types of the documents that it reads, as in pipelines
// (expressions.hpp), in sub-queries too, and conditions that surely were not meant add warnings.
#pragma once

#include "plan/typing/type.hpp"
#include "plan/typing/warnings.hpp"

namespace gantry::data::typing {

// `where` need not be valid. Throws QueryError for paths that lead nowhere.
Value typed_where(const Value& where, const ClassView& cls, const Scope& scope, Warnings& warnings);

}  // namespace gantry::data::typing
