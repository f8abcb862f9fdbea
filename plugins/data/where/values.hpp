// where/values.hpp: one value in MongoDB's terms, independent of its storage, and MongoDB's order.
//
// A View refers to the text and JSON it was read from, which must outlive it.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <string_view>

namespace gantry::data::where {

using Json = rapidjson::Value;

struct View {
  // In MongoDB's order of types.
  enum class Type : std::uint8_t {
    missing,
    null,
    number,
    string,
    object,
    array,
    bytes,
    boolean,
    date
  };

  Type type = Type::missing;
  bool is_real = false;      // numbers: `real` holds, else `integer`
  bool is_long = false;      // a 64-bit number although it would fit 32 bits
  std::int64_t integer = 0;  // also milliseconds of a date and 0/1 of a boolean
  double real = 0;
  std::string_view text;       // strings and bytes
  const Json* json = nullptr;  // objects, arrays, and dates that are objects with a __type

  static View null() { return of(Type::null, 0); }
  static View boolean(bool value) { return of(Type::boolean, value ? 1 : 0); }
  static View date(std::int64_t millis) { return of(Type::date, millis); }
  static View number(std::int64_t value) { return of(Type::number, value); }
  static View number(double value);
  static View string(std::string_view value);
  static View bytes(std::string_view value);

  bool is_nothing() const { return type <= Type::null; }

 private:
  static View of(Type type, std::int64_t integer);
};

// A JSON value as a View. {"__type":"Date","iso":…} and {"$date":…} are dates,
// {"$numberDouble":"Infinity"} and similar objects numbers, an unsigned integer beyond int64 is a
// double.
View view_of(const Json& json);

// Negative, zero or positive. A total order: types first (missing equals null), numbers by exact
// value whether integer or real, text and bytes bytewise, arrays element by element, objects member
// by member in order. Two Parse pointers are compared by class and id only.
int compare(const View& a, const View& b);

// Whether $gt and similar operators may hold between `a` and `b`: their types are comparable.
bool same_bracket(const View& a, const View& b);

}  // namespace gantry::data::where
