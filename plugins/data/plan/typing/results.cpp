#include "plan/typing/results.hpp"

namespace gantry::data::typing {

Type::Kind result_of(std::string_view name) {
  if (is_one_of(name, {"$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$and", "$or", "$not", "$in",
                       "$regexMatch", "$isArray", "$isNumber", "$setEquals", "$setIsSubset",
                       "$allElementsTrue", "$anyElementTrue", "$toBool"})) {
    return Type::Kind::boolean;
  }
  if (is_one_of(name,
                {"$abs",       "$ceil",        "$floor",       "$divide",       "$multiply",
                 "$mod",       "$round",       "$trunc",       "$sqrt",         "$pow",
                 "$exp",       "$ln",          "$log",         "$log10",        "$size",
                 "$strLenCP",  "$strLenBytes", "$indexOfCP",   "$indexOfBytes", "$indexOfArray",
                 "$year",      "$month",       "$week",        "$dayOfMonth",   "$dayOfWeek",
                 "$dayOfYear", "$isoWeek",     "$isoWeekYear", "$isoDayOfWeek", "$hour",
                 "$minute",    "$second",      "$millisecond", "$dateDiff",     "$sum",
                 "$avg",       "$toInt",       "$toLong",      "$toDouble",     "$cmp",
                 "$count",     "$stdDevPop",   "$stdDevSamp"})) {
    return Type::Kind::number;
  }
  if (is_one_of(name, {"$concat", "$toLower", "$toUpper", "$substr", "$substrCP", "$substrBytes",
                       "$trim", "$ltrim", "$rtrim", "$dateToString", "$toString", "$type",
                       "$replaceOne", "$replaceAll"})) {
    return Type::Kind::text;
  }
  const bool is_date = is_one_of(name, {"$dateTrunc", "$dateAdd", "$dateSubtract",
                                        "$dateFromString", "$dateFromParts", "$toDate"});
  return is_date ? Type::Kind::date : Type::Kind::any;
}

}  // namespace gantry::data::typing
