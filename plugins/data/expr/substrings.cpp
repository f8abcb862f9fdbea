// Positions and parts of a text, in bytes and in code points.
#include <algorithm>

#include "errors/query_error.hpp"
#include "expr/numbers.hpp"
#include "expr/strings.hpp"
#include "expr/text.hpp"

namespace gantry::data::expr {
namespace {

// Truncated towards zero; NaN and values beyond 64 bits become the least long, as in MongoDB.
std::int64_t cut_long(std::string_view whose, const Value& value) {
  if (!value.is_number()) refuse_type(whose, "a number", value);
  if (!value.is_real()) return value.integer();
  const double real = value.real();
  const bool fits = real >= -kBeyondLong && real < kBeyondLong;
  return fits ? static_cast<std::int64_t>(real) : INT64_MIN;
}

void check_boundary(std::string_view whose, std::string_view text, std::size_t at) {
  if (at >= text.size() || !continues_character(text[at])) return;
  throw QueryError(std::string(whose) +
                   " lies inside a character; $substrCP counts in code points.");
}

Value cut_bytes(std::string_view op, Arguments arguments) {
  const std::string name(op);
  std::string made;
  const std::string_view text = view_as_text(op, arguments[0], made);
  const std::int64_t start = cut_long(name + "'s starting index", arguments[1]);
  const std::int64_t length = cut_long(name + "'s length", arguments[2]);
  if (start < 0) throw QueryError(name + "'s starting index cannot be negative.");
  if (static_cast<std::uint64_t>(start) >= text.size()) return Value::string({});
  const auto begin = static_cast<std::size_t>(start);
  check_boundary(name + "'s starting index", text, begin);
  const std::size_t rest = text.size() - begin;
  const std::size_t count = length < 0 ? rest : std::min(rest, static_cast<std::size_t>(length));
  check_boundary(name + "'s end", text, begin + count);
  return Value::string(std::string(text.substr(begin, count)));
}

struct Searched {
  std::string_view text, part;
  std::size_t start = 0;
  std::size_t end = std::string_view::npos;  // default: the end of the text
};

std::size_t index_argument(std::string_view whose, const Value& value) {
  const std::int32_t index = whole_int(whose, value);
  if (index < 0) throw QueryError(std::string(whose) + " cannot be negative.");
  return static_cast<std::size_t>(index);
}

// `arguments[0]` must be neither null nor missing.
Searched searched_of(std::string_view op, Arguments arguments) {
  const std::string name(op);
  if (!arguments[0].is_string()) refuse_type(op, "a string to search", arguments[0]);
  if (!arguments[1].is_string()) refuse_type(op, "a string to look for", arguments[1]);
  Searched searched{arguments[0].text(), arguments[1].text()};
  if (arguments.size() > 2) {
    searched.start = index_argument(name + "'s starting index", arguments[2]);
  }
  if (arguments.size() > 3) searched.end = index_argument(name + "'s ending index", arguments[3]);
  return searched;
}

std::int64_t find_bytes(const Searched& in) {
  const std::size_t end = std::min(in.end, in.text.size());
  if (in.start > in.text.size() || end < in.start) return -1;
  const auto at = find_text(in.text.substr(0, end), in.part, in.start);
  return at == kNotFound ? -1 : static_cast<std::int64_t>(at);
}

// A match begins before `end` and may extend beyond it.
std::int64_t find_characters(const Searched& in) {
  if (in.text.empty() && in.part.empty()) return 0;
  const std::size_t begin = skip_characters(in.text, 0, in.start);
  if (in.start >= in.end || begin >= in.text.size()) return -1;
  // Matches begin at characters: a part that begins inside a character can match at position 0
  // only.
  const bool is_cut = !in.part.empty() && continues_character(in.part.front());
  if (is_cut && begin > 0) return -1;
  const std::size_t at =
      is_cut && !in.text.starts_with(in.part) ? kNotFound : find_text(in.text, in.part, begin);
  if (at == kNotFound) return -1;
  const std::size_t index = in.start + count_characters(in.text.substr(begin, at - begin));
  return index < in.end ? static_cast<std::int64_t>(index) : -1;
}

}  // namespace

Value substr(Arguments arguments, Context&) { return cut_bytes("$substr", arguments); }
Value substr_bytes(Arguments arguments, Context&) { return cut_bytes("$substrBytes", arguments); }

Value substr_cp(Arguments arguments, Context&) {
  std::string made;
  const std::string_view text = view_as_text("$substrCP", arguments[0], made);
  const std::int32_t start = whole_int("$substrCP's starting index", arguments[1]);
  const std::int32_t length = whole_int("$substrCP's length", arguments[2]);
  if (start < 0 || length < 0) {
    throw QueryError("$substrCP's starting index and length cannot be negative.");
  }
  const std::size_t begin = skip_characters(text, 0, static_cast<std::size_t>(start));
  const std::size_t end = skip_characters(text, begin, static_cast<std::size_t>(length));
  return Value::string(std::string(text.substr(begin, end - begin)));
}

Value index_of_bytes(Arguments arguments, Context&) {
  if (arguments[0].is_nullish()) return Value::null();
  return Value::integer(find_bytes(searched_of("$indexOfBytes", arguments)));
}

Value index_of_cp(Arguments arguments, Context&) {
  if (arguments[0].is_nullish()) return Value::null();
  return Value::integer(find_characters(searched_of("$indexOfCP", arguments)));
}

}  // namespace gantry::data::expr
