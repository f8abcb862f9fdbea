// where/documents.hpp: sub-queries of a where over columns that ask a class of documents.
//
// What documents hold no SQL of the outer statement can say; whoever compiles the where knows how
// to ask them, and the values they have now stand in the predicate.
#pragma once

#include <rapidjson/document.h>

#include <functional>
#include <string_view>

#include "values/value.hpp"
#include "where/where.hpp"

namespace gantry::data {

// What `op` ($inQuery, $notInQuery, $select, $dontSelect) with `operand` finds: keys, or pointers
// to the objects among their bare ids. At most 10,000; an error is the answer of the where.
using AskDocuments =
    std::function<Outcome<Array>(std::string_view op, const rapidjson::Value& operand)>;

// compile_where() of where.hpp, where such sub-queries are refused.
Outcome<Fragment> compile_where(const rapidjson::Value& where, const ClassInfo& cls,
                                const Scope& scope, const WhereOptions& options,
                                const AskDocuments& ask);

}  // namespace gantry::data
