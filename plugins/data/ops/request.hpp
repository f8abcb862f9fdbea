// ops/request.hpp: one request to the data engine and its answer.
//
// One request, one thread.
#pragma once

#include <rapidjson/fwd.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "journal/journal.hpp"
#include "plan/context.hpp"
#include "values/value.hpp"

namespace gantry::data {

// What a change of the database is recorded with.
struct WriteContext {
  Journal* journal = nullptr;  // null: nothing is recorded
  WriteOrigin origin{};
  EditRights rights{};           // what the operator has opened
  std::string_view operation{};  // the change's name
};

struct Request : ReadContext {
  // The arguments, a JSON object. Unknown arguments were already refused by the tool's schema.
  const rapidjson::Value& arguments;
  bool may_write = false;  // the operator's gates and the agent's tier let it change objects
  const WriteContext* writing = nullptr;  // of a change
};

// The answer in parts: `rows` is one JSON value or empty, `meta` one JSON object.
struct Reply {
  std::string rows;
  std::string meta;
  std::string warnings = {};    // a JSON array; empty: none
  std::string class_name = {};  // the argument, as a JSON string; empty: there is none
  // For the host's audit record: a JSON object without literals of the caller; empty: nothing.
  std::string audit_note = {};
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

// Throws an invalid_argument.
[[noreturn]] void refuse_argument(std::string message);

// Of a JSON string.
std::string_view text_of(const rapidjson::Value& value);
// The member of an object; null: it is absent, or null.
const rapidjson::Value* member_of(const rapidjson::Value& object, const char* name);
// Limits of the fields in `keys` and in `include`.
inline constexpr std::size_t kMostKeyArguments = 200, kMostIncludes = 20;
// The object, or null when absent.
const rapidjson::Value* optional_object(const Request& request, const char* name);

// `most`, or the agent's own cap on the rows of an answer, whichever is lower.
std::uint64_t capped_rows(const Request& request, std::uint64_t most);

// A JSON argument as a Value; invalid_argument when it is nested more than 200 deep.
Value value_of(const rapidjson::Value& json);

// The class that the argument `class_name` names, with sampled kinds. A hidden class and an absent
// one give the same error, with the nearest visible names.
const ClassView& requested_class(const Request& request);

}  // namespace gantry::data
