#include "expr/strings.hpp"

#include <string>

#include "errors/query_error.hpp"
#include "expr/text.hpp"

namespace gantry::data::expr {
namespace {

// The bytes of all texts; kNotFound if one of them is null or missing.
std::size_t size_of_all(Arguments texts, std::size_t size) {
  for (const Value& text : texts) {
    if (text.is_nullish()) return kNotFound;
    if (!text.is_string()) refuse_type("$concat", "strings", text);
    check_text_size("$concat", size += text.text().size());
  }
  return size;
}

Value concat(Arguments arguments, Context&) {
  const std::size_t size = size_of_all(arguments, 0);
  if (size == kNotFound) return Value::null();
  std::string result;
  result.reserve(size);
  for (const Value& argument : arguments) result.append(argument.text());
  return Value::string(std::move(result));
}

// Appends the other texts to the first one, in place.
Value concat_onto(Value first, Arguments rest, Context& context) {
  if (!first.is_string()) return concat({&first, 1}, context);
  if (size_of_all(rest, first.text().size()) == kNotFound) return Value::null();
  for (const Value& text : rest) first.append_text(text.text());
  return first;
}

constexpr std::size_t kMostPieces = 1'000'000;

Array pieces_of(std::string_view text, std::string_view separator, const Context& context) {
  Array pieces;
  std::size_t begin = 0;
  for (auto at = find_text(text, separator, 0); at != kNotFound;
       at = find_text(text, separator, begin)) {
    context.step();
    if (pieces.size() == kMostPieces)
      throw QueryError("$split would make more than 1,000,000 pieces.");
    pieces.push_back(Value::string(std::string(text.substr(begin, at - begin))));
    begin = at + separator.size();
  }
  pieces.push_back(Value::string(std::string(text.substr(begin))));
  return pieces;
}

Value split(Arguments arguments, Context& context) {
  const Value& text = arguments[0];
  const Value& separator = arguments[1];
  if (text.is_nullish() || separator.is_nullish()) return Value::null();
  if (!text.is_string()) refuse_type("$split", "a string to split", text);
  if (!separator.is_string()) refuse_type("$split", "a string as its separator", separator);
  if (separator.text().empty()) throw QueryError("$split needs a separator that is not empty.");
  return Value::array(pieces_of(text.text(), separator.text(), context));
}

Value to_lower(Arguments arguments, Context&) {
  std::string made;
  return Value::string(ascii_lower(view_as_text("$toLower", arguments[0], made)));
}

Value to_upper(Arguments arguments, Context&) {
  std::string made;
  return Value::string(ascii_upper(view_as_text("$toUpper", arguments[0], made)));
}

Value strcasecmp(Arguments arguments, Context&) {
  std::string made_a, made_b;
  const std::string_view left = view_as_text("$strcasecmp", arguments[0], made_a);
  const std::string_view right = view_as_text("$strcasecmp", arguments[1], made_b);
  const Charge copies(left.size() + right.size());
  const std::string a = ascii_upper(left);
  const std::string b = ascii_upper(right);
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

constexpr Function kStringFunctions[] = {
    {"$concat", 0, kAny, concat, false, concat_onto},
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
constexpr NamedFunction kNamedStringFunctions[] = {
    {"$trim", kTrim, trim},
    {"$ltrim", kTrim, trim_left},
    {"$rtrim", kTrim, trim_right},
    {"$replaceOne", kReplace, replace_one},
    {"$replaceAll", kReplace, replace_all},
};

}  // namespace

Family string_family() { return {kStringFunctions, kNamedStringFunctions, {}}; }

}  // namespace gantry::data::expr
