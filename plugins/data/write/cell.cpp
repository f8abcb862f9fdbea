#include "write/cell.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace gantry::data::write {

Cell number_cell(std::string_view text) {
  Cell cell;
  const char* const end = text.data() + text.size();
  if (text.find_first_of(".eE") == std::string_view::npos) {
    const auto [rest, error] = std::from_chars(text.data(), end, cell.integer);
    cell.type = error == std::errc() && rest == end ? Cell::Type::integer : Cell::Type::big_number;
  } else {
    const auto [rest, error] = std::from_chars(text.data(), end, cell.real);
    // A number too small for a double is also out of range; it becomes 0, as everywhere.
    if (error == std::errc::result_out_of_range) {
      cell.real = std::strtod(std::string(text).c_str(), nullptr);
    }
    const bool fits =
        rest == end && error != std::errc::invalid_argument && std::isfinite(cell.real);
    cell.type = fits ? Cell::Type::real : Cell::Type::big_number;
  }
  if (cell.is(Cell::Type::big_number)) cell.text = text;
  return cell;
}

std::string_view describe(Cell::Type type) {
  switch (type) {
    case Cell::Type::null:
      return "null";
    case Cell::Type::boolean:
      return "a boolean";
    case Cell::Type::integer:
      return "an integer";
    case Cell::Type::real:
      return "a number";
    case Cell::Type::big_number:
      return "a number beyond 64 bits";
    case Cell::Type::text:
    case Cell::Type::lexical:
      return "text";
    case Cell::Type::nested:
      return "an object or array";
    case Cell::Type::date:
      return "a date";
    case Cell::Type::bytes:
      return "bytes";
    case Cell::Type::pointer:
      return "a pointer";
    case Cell::Type::relation:
      return "a relation";
  }
  return "";
}

}  // namespace gantry::data::write
