// expr/convert.hpp: values from one type to another, for $convert and its short forms. Pure
// functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "values/query_error.hpp"
#include "values/value.hpp"

namespace gantry::data::expr {

// What onError catches. Other QueryErrors mean that the conversion was asked for wrongly.
class ConversionFailure : public QueryError {
 public:
  using QueryError::QueryError;
};

// MongoDB's types by their codes; none beyond date, int, long, double, bool, string and binData is
// kept here.
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
  unsupported  // a type that MongoDB knows and converts nothing to
};

enum class Format : std::uint8_t { none, automatic, base64, base64url, utf8, hex, uuid };

struct Conversion {
  std::string_view op;  // for messages: "$toInt"
  Target target = Target::unsupported;
  Format format = Format::none;  // between strings and binary data
  bool big_endian = false;       // between numbers and binary data
};

// `value` is neither null nor missing. Throws ConversionFailure for what cannot be converted, and
// QueryError for what MongoDB could convert to a type that is not kept here.
Value convert(const Conversion& to, const Value& value);

// convert_bytes.cpp: binary data from and to the others.
Value bytes_to_number(const Conversion& to, std::string_view bytes);
Value number_to_bytes(const Conversion& to, const Value& number);
Value bytes_to_text(const Conversion& to, std::string_view bytes);
Value text_to_bytes(const Conversion& to, std::string_view text);

// "$toInt cannot convert a string: why."
[[noreturn]] void fail_conversion(const Conversion& to, const Value& from, std::string_view why);

}  // namespace gantry::data::expr
