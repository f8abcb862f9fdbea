// What texts without types mean.
#include <charconv>

#include "tools/gantry/import/convert.hpp"
#include "values/iso_date.hpp"

namespace gantry::cli::importing {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// -?(0|[1-9][0-9]*) then anything.
bool begins_as_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0])) return false;
  return text[0] != '0' || text.size() == 1 || !is_digit(text[1]);
}

bool is_boolean(std::string_view text) {
  return text == "true" || text == "false" || text == "TRUE" || text == "FALSE" || text == "True" ||
         text == "False";
}

// As JSON writes numbers: nothing but digits, point, exponent.
bool is_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end && is_digit(text.back());
}

}  // namespace

Form lexical_form(std::string_view text) {
  if (is_boolean(text)) return Form::boolean;
  if (begins_as_number(text)) {
    std::int64_t whole = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, whole);
    if (rest == end) return error == std::errc() && text != "-0" ? Form::integer : Form::text;
    if (is_number(text)) return Form::number;
  }
  return data::parse_iso_date(text) ? Form::date_ms : Form::text;
}

Form common_form(Form a, Form b) {
  if (a == b) return a;
  const auto numeric = [](Form form) { return form == Form::integer || form == Form::number; };
  return numeric(a) && numeric(b) ? Form::number : Form::text;
}

}  // namespace gantry::cli::importing
