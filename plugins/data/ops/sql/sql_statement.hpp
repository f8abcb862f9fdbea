// ops/sql/sql_statement.hpp: a caller's statement, judged and composed for the scope of its
// request.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <gantry/json_writer.hpp>

#include "ops/request.hpp"
#include "statement/composed.hpp"

namespace gantry::data {

struct SqlStatement {
  KnownStatementPtr known;
  std::vector<const ClassView*> classes;                 // of known->shape.classes
  std::vector<std::unique_ptr<const ClassView>> marked;  // those that are not the scope's
  std::vector<Bind> values;                              // of the shape's parameters
  CallerStatement composed;
};

bool may_write_sql(const Request& request);
// Writes the member sql {name?, columns?} into the open object where SQL does not name the class as
// get_schema does, and its agent may write SQL.
void write_sql_form(const Request& request, const ClassView& cls, JsonWriter& json);
// Throws QueryError if the operator turned SQL off, for all or for the request's agent.
void refuse_without_sql(const Request& request);

// Of the arguments `sql`, `params` and `after`. Throws QueryError: what is wrong with them, in
// words that name visible classes and fields only, with the nearest and the position. Where
// `needs_values` is false, missing params are NULL.
SqlStatement sql_statement(const Request& request, std::uint64_t limit, bool needs_values = true);

}  // namespace gantry::data
