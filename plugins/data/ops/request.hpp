// ops/request.hpp: one request to the data engine and its answer.
//
// The Scope limits what an operation can see, the Budget what it can use. One request, one thread.
#pragma once

#include <rapidjson/document.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "errors/error.hpp"
#include "ops/plan_memory.hpp"
#include "ops/read_settings.hpp"
#include "view/scope.hpp"
#include "store/store.hpp"
#include "values/budget.hpp"
#include "values/value.hpp"
#include "where/where.hpp"

namespace gantry::data {

class RowPrinters;

struct Request {
  Store& store;
  Scope scope;
  Budget budget;
  std::size_t max_bytes = 0;   // limit of the whole tool answer
  std::size_t echo_bytes = 0;  // part of it reserved for a next_call that repeats the arguments
  // The arguments, a JSON object. Unknown arguments were already refused by the tool's schema.
  const rapidjson::Value& arguments;
  ReadSettings settings = {};
  // Owned by the service; null: nothing is cached.
  VerifiedAssumptions* memory = nullptr;
  RowPrinters* printers = nullptr;
};

// The answer in parts: `rows` is one JSON value or empty, `meta` one JSON object.
struct Reply {
  std::string rows;
  std::string meta;
};

// Arguments by name. Absent and null are equivalent. They throw QueryError, as everything below: a
// wrong type is an invalid_argument that names the argument and its expected type.
std::string_view required_string(const Request& request, const char* name);
std::string_view optional_string(const Request& request, const char* name);  // or ""
std::int64_t optional_integer(const Request& request, const char* name, std::int64_t otherwise,
                              std::int64_t least, std::int64_t most);
// More than `most` elements are an invalid_argument too.
std::vector<std::string_view> optional_strings(const Request& request, const char* name,
                                               std::size_t most);
bool optional_flag(const Request& request, const char* name, bool otherwise);
// Limits of the fields in `keys` and in `include`.
inline constexpr std::size_t kMostKeyArguments = 200, kMostIncludes = 20;
// The object, or null when absent.
const rapidjson::Value* optional_object(const Request& request, const char* name);

// A JSON argument as a Value; invalid_argument when it is nested more than 200 deep.
Value value_of(const rapidjson::Value& json);

// The class that the argument `class_name` names, with sampled kinds. A hidden class and an absent
// one give the same error, with the nearest visible names.
const ClassView& requested_class(const Request& request);
const ClassView& open_class(const Scope& scope, std::string_view name);

// How a where of this request becomes SQL; `depth`: the number of enclosing sub-queries.
WhereOptions where_options(const Request& request, int depth = 0);
// The arguments `where` and `order`, compiled for a class of this request.
Predicate requested_where(const Request& request, const ClassView& cls);
Fragment requested_order(const Request& request, const ClassView& cls);

DataError invalid_argument(std::string message);
// Rewords an error of a `where` for another argument.
DataError of_argument(DataError error);
// The error for a Status of the store: timeout, cancelled or store_error.
DataError store_error(const Status& status);
// The same for a statement, which may also fail because of the caller's constraint: invalid_query.
DataError statement_error(const Status& status);

}  // namespace gantry::data
