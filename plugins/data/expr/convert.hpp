// expr/convert.hpp: type conversion for $convert and its short forms. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "errors/query_error.hpp"
#include "values/value.hpp"

namespace gantry::data::expr {

// The error that onError handles. Any other QueryError means an invalid $convert.
class ConversionFailure : public QueryError {
 public:
  using QueryError::QueryError;
};

// MongoDB's type codes. Supported targets are date, int, long, double, bool, string and binData.
enum class Target : std::uint8_t {
  real,
  string,
  bytes,
  object_id,
  boolean,
  date,
  int32,
  int64,
  decimal,
  uuid,
  unsupported  // a MongoDB type without conversions to it
};

enum class Format : std::uint8_t { none, automatic, base64, base64url, utf8, hex, uuid };

struct Conversion {
  std::string_view op;  // for messages: "$toInt"
  Target target = Target::unsupported;
  Format format = Format::none;  // between strings and binary data
  bool big_endian = false;       // between numbers and binary data
};

// `value` is neither null nor missing. Throws ConversionFailure for values that cannot be
// converted, and QueryError for conversions that MongoDB supports but this engine does not.
Value convert(const Conversion& to, const Value& value);

// Defined in convert_bytes.cpp: conversions from and to binary data.
Value bytes_to_number(const Conversion& to, std::string_view bytes);
Value number_to_bytes(const Conversion& to, const Value& number);
Value bytes_to_text(const Conversion& to, std::string_view bytes);
Value text_to_bytes(const Conversion& to, std::string_view text);

// Throws "$toInt cannot convert a string: why."
[[noreturn]] void fail_conversion(const Conversion& to, const Value& from, std::string_view why);

}  // namespace gantry::data::expr
