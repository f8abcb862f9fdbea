#include "expr/types.hpp"

#include <string>

#include "expr/convert.hpp"

namespace gantry::data::expr {
namespace {

struct ShortForm {
  std::string_view op;
  Target target;
};
constexpr ShortForm kToInt = {"$toInt", Target::int32};
constexpr ShortForm kToLong = {"$toLong", Target::int64};
constexpr ShortForm kToDouble = {"$toDouble", Target::real};
constexpr ShortForm kToBool = {"$toBool", Target::boolean};
constexpr ShortForm kToDate = {"$toDate", Target::date};
constexpr ShortForm kToString = {"$toString", Target::string};
constexpr ShortForm kToObjectId = {"$toObjectId", Target::object_id};
constexpr ShortForm kToDecimal = {"$toDecimal", Target::decimal};
constexpr ShortForm kToUuid = {"$toUUID", Target::uuid};

template <const ShortForm& form>
Value convert_short(Arguments arguments, Context&) {
  if (arguments[0].is_nullish()) return Value::null();
  return convert({form.op, form.target, Format::automatic}, arguments[0]);
}

template <const ShortForm& form>
constexpr Function short_form() {
  return {form.op, 1, 1, convert_short<form>};
}

Value type_of(Arguments arguments, Context&) {
  return Value::string(std::string(arguments[0].type_name()));
}

Value is_number(Arguments arguments, Context&) { return Value::boolean(arguments[0].is_number()); }

constexpr Function kTypeFunctions[] = {
    short_form<kToInt>(),           short_form<kToLong>(),
    short_form<kToDouble>(),        short_form<kToBool>(),
    short_form<kToDate>(),          short_form<kToString>(),
    short_form<kToObjectId>(),      short_form<kToDecimal>(),
    short_form<kToUuid>(),          {"$type", 1, 1, type_of},
    {"$isNumber", 1, 1, is_number}, {"$binarySize", 1, 1, binary_size},
    {"$bsonSize", 1, 1, bson_size},
};
constexpr Form kTypeForms[] = {{"$convert", parse_convert}};

}  // namespace

Family type_family() { return {kTypeFunctions, {}, kTypeForms}; }

}  // namespace gantry::data::expr
