#include "expr/strings.hpp"

#include <string>

#include "expr/text.hpp"
#include "values/query_error.hpp"

namespace gantry::data::expr {
namespace {

Value concat(Arguments arguments, Context&) {
  std::string result;
  for (const Value& argument : arguments) {
    if (argument.is_nullish()) return Value::null();
    if (!argument.is_string()) refuse_type("$concat", "strings", argument);
    check_text_size("$concat", result.size() + argument.text().size());
    result.append(argument.text());
  }
  return Value::string(std::move(result));
}

constexpr std::size_t kMostPieces = 1'000'000;  // each takes some 64 bytes beside its text

Array pieces_of(std::string_view text, std::string_view separator) {
  Array pieces;
  std::size_t begin = 0;
  for (auto at = text.find(separator); at != std::string_view::npos;
       at = text.find(separator, begin)) {
    if (pieces.size() == kMostPieces)
      throw QueryError("$split would make more than 1,000,000 pieces.");
    pieces.push_back(Value::string(std::string(text.substr(begin, at - begin))));
    begin = at + separator.size();
  }
  pieces.push_back(Value::string(std::string(text.substr(begin))));
  return pieces;
}

Value split(Arguments arguments, Context&) {
  const Value& text = arguments[0];
  const Value& separator = arguments[1];
  if (text.is_nullish() || separator.is_nullish()) return Value::null();
  if (!text.is_string()) refuse_type("$split", "a string to split", text);
  if (!separator.is_string()) refuse_type("$split", "a string as its separator", separator);
  if (separator.text().empty()) throw QueryError("$split needs a separator that is not empty.");
  return Value::array(pieces_of(text.text(), separator.text()));
}

Value to_lower(Arguments arguments, Context&) {
  return Value::string(ascii_lower(coerce_to_text("$toLower", arguments[0])));
}

Value to_upper(Arguments arguments, Context&) {
  return Value::string(ascii_upper(coerce_to_text("$toUpper", arguments[0])));
}

Value strcasecmp(Arguments arguments, Context&) {
  const std::string a = ascii_upper(coerce_to_text("$strcasecmp", arguments[0]));
  const std::string b = ascii_upper(coerce_to_text("$strcasecmp", arguments[1]));
  const int order = a.compare(b);
  return Value::int32((order > 0) - (order < 0));
}

Value str_len_bytes(Arguments arguments, Context&) {
  if (!arguments[0].is_string()) refuse_type("$strLenBytes", "a string", arguments[0]);
  return Value::integer(static_cast<std::int64_t>(arguments[0].text().size()));
}

Value str_len_cp(Arguments arguments, Context&) {
  if (!arguments[0].is_string()) refuse_type("$strLenCP", "a string", arguments[0]);
  return Value::integer(static_cast<std::int64_t>(count_characters(arguments[0].text())));
}

constexpr Function kFunctions[] = {
    {"$concat", 0, kAny, concat},
    {"$split", 2, 2, split},
    {"$toLower", 1, 1, to_lower},
    {"$toUpper", 1, 1, to_upper},
    {"$strcasecmp", 2, 2, strcasecmp},
    {"$strLenBytes", 1, 1, str_len_bytes},
    {"$strLenCP", 1, 1, str_len_cp},
    {"$substr", 3, 3, substr},
    {"$substrBytes", 3, 3, substr_bytes},
    {"$substrCP", 3, 3, substr_cp},
    {"$indexOfBytes", 2, 4, index_of_bytes},
    {"$indexOfCP", 2, 4, index_of_cp},
};

constexpr Parameter kTrim[] = {{"input", true}, {"chars"}};
constexpr Parameter kReplace[] = {{"input", true}, {"find", true}, {"replacement", true}};
constexpr NamedFunction kNamed[] = {
    {"$trim", kTrim, trim},
    {"$ltrim", kTrim, trim_left},
    {"$rtrim", kTrim, trim_right},
    {"$replaceOne", kReplace, replace_one},
    {"$replaceAll", kReplace, replace_all},
};

}  // namespace

Family string_family() { return {kFunctions, kNamed, {}}; }

}  // namespace gantry::data::expr
