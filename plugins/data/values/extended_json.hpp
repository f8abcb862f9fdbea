// values/extended_json.hpp: MongoDB's Extended JSON v2 to values and back. Pure functions.
//
// Reading takes both forms: 1 is an int (long beyond 32 bits, double beyond 64), 1.0 a double,
// {"$numberInt":"1"}, {"$numberLong":"1"}, {"$numberDouble":"NaN"}, {"$date":"2026-11-21T…Z"},
// {"$date":{"$numberLong":"…"}} and {"$binary":{"base64":…,"subType":…}}. An object that only
// begins like one of these stays an object. {"__type":"Date","iso":…} and {"__type":"Bytes",…} are
// read if `parse_types` is set. The relaxed form is written: a long that would read back as an int
// is wrapped, and so are NaN, infinities and dates.
#pragma once

#include <rapidjson/fwd.h>

#include <span>
#include <string>

#include <gantry/result.hpp>

#include "values/value.hpp"

namespace gantry::data {

struct ReadOptions {
  bool parse_types = false;
  // Duplicate members. True: keep the first, as SQLite's JSON functions do; for stored documents.
  // False: keep all, so that an argument with duplicates can be refused.
  bool keep_first_duplicate = false;
  // Only for a reader that follows this path: other members of the objects on it are left out.
  // Arrays on it are kept whole. No name of it may be an array index. Empty: everything is read.
  std::span<const std::string> path = {};
};

Value read_extended(const rapidjson::Value& json, const ReadOptions& options = {});
// GANTRY_INVALID_ARGUMENT: not JSON, or nested more than 200 deep.
Result<Value> read_extended(std::string_view json, const ReadOptions& options = {});

enum class JsonDialect {
  extended,  // document classes
  // Classes with columns. Integers of any size are plain numbers, infinities their names.
  parse,  // {"__type":"Date","iso":…}, {"__type":"Bytes","base64":…}
  plain   // "2026-11-21T20:00:00Z" (milliseconds only if there are any), {"$base64":…}
};

// Appends `value`; missing is written as null.
void append_value_json(const Value& value, JsonDialect dialect, std::string& out);

}  // namespace gantry::data
