// where/documents.hpp: sub-queries over document classes in a where over columns.
//
// SQL cannot evaluate conditions on documents, so a callback runs the sub-query while the where is
// compiled, and its present values become literals of the predicate.
#pragma once

#include <functional>
#include <string_view>

#include "values/value.hpp"
#include "where/where.hpp"

namespace gantry::data {

// The result of `op` ($inQuery, $notInQuery, $select, $dontSelect) with `operand`: ids, where
// pointers are given by their ids. At most 10,000. An error becomes the error of the where.
using AskDocuments = std::function<Outcome<Array>(std::string_view op, const Value& operand)>;

// compile_where() of where.hpp refuses such sub-queries; this overload calls the function for them.
Outcome<Fragment> compile_where(const Value& where, const ClassInfo& cls, const Scope& scope,
                                const WhereOptions& options, const AskDocuments& ask);

}  // namespace gantry::data
