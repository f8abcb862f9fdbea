#include "write/convert.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "catalog/column_type.hpp"
#include "values/hex.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"
#include "write/dates.hpp"
#include "write/special.hpp"

namespace gantry::data::write {
namespace {

using Type = Cell::Type;

Status no(const Cell& cell, const std::string& what) {
  const bool is_text = cell.is(Type::text) || cell.is(Type::lexical);
  return Status::invalid((is_text ? excerpt(cell.text) : std::string(describe(cell.type))) +
                         " is no " + what);
}

Status beyond(const Cell& cell) {
  return Status::invalid(cell.text + " is beyond 64 bits; a column of text keeps it as it is");
}

Status store(std::int64_t value, Stored& out) {
  out.type = Stored::Type::integer;
  out.integer = value;
  return {};
}

Status store(double value, Stored& out) {
  if (std::isnan(value)) return Status::invalid("NaN is no value that SQLite can store");
  out.type = Stored::Type::real;
  out.real = value;
  return {};
}

Status store(std::string text, Stored& out, Stored::Type type = Stored::Type::text) {
  out.type = type;
  out.bytes = std::move(text);
  return {};
}

// A text in the form of a number becomes that number.
Cell untexted(const Cell& cell) {
  if (!cell.is(Type::text) && !cell.is(Type::lexical)) return cell;
  const Form form = lexical_form(cell.text);
  return form == Form::integer || form == Form::number ? number_cell(cell.text) : cell;
}

Status to_integer(const Cell& given, Stored& out) {
  const Cell cell = untexted(given);
  if (cell.is(Type::integer)) return store(cell.integer, out);
  if (cell.is(Type::big_number)) return beyond(cell);
  const bool is_whole = cell.is(Type::real) && std::trunc(cell.real) == cell.real &&
                        std::fabs(cell.real) <= static_cast<double>(kExact);
  return is_whole ? store(static_cast<std::int64_t>(cell.real), out) : no(given, "integer");
}

// Missing: the text is not how answers show an infinite number.
std::optional<double> infinity_of(const Cell& cell) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!cell.is(Type::text) && !cell.is(Type::lexical)) return std::nullopt;
  if (cell.text == "Infinity") return kInfinity;
  return cell.text == "-Infinity" ? std::optional(-kInfinity) : std::nullopt;
}

Status store_real(std::int64_t number, Stored& out) {
  if (fits_double(number)) return store(static_cast<double>(number), out);
  return Status::invalid(std::to_string(number) +
                         " would lose digits in a column of numbers with fractions; a column of "
                         "text keeps it as it is");
}

Status to_number(const Cell& given, Stored& out) {
  if (const auto infinity = infinity_of(given)) return store(*infinity, out);
  const Cell cell = untexted(given);
  if (cell.is(Type::real)) return store(cell.real, out);
  if (cell.is(Type::big_number)) return beyond(cell);
  const bool is_text = cell.is(Type::text) || cell.is(Type::lexical);
  if (is_text && loses_digits(cell.text)) {
    return Status::invalid(excerpt(cell.text) +
                           " would lose digits; a column of text keeps it as it is");
  }
  if (!cell.is(Type::integer)) return no(given, "number");
  return store_real(cell.integer, out);
}

Status to_boolean(const Cell& given, Stored& out) {
  const Cell cell = untexted(given);
  const bool is_bit =
      cell.is(Type::boolean) || (cell.is(Type::integer) && (cell.integer & ~1) == 0);
  if (is_bit) return store(cell.integer, out);
  if (given.is(Type::lexical) && lexical_form(given.text) == Form::boolean) {
    return store(std::int64_t{given.text[0] == 't' || given.text[0] == 'T'}, out);
  }
  return no(given, "boolean");
}

bool keeps_text(Form form) {
  return form != Form::date_ms && form != Form::date_s && form != Form::date_julian;
}

Status to_date(const Cell& given, const Column& column, Stored& out) {
  const Cell cell = given.is(Type::lexical) ? untexted(given) : given;
  // A number is taken in the form that the column stores.
  if (column.form == Form::date_julian && cell.is(Type::real)) return store(cell.real, out);
  const bool is_stored = column.form == Form::date_ms || column.form == Form::date_s;
  if (is_stored && cell.is(Type::integer)) {
    const bool fits = can_store(cell.integer, column.form);
    return fits ? store(cell.integer, out) : no(given, "date between the years 0 and 9999");
  }
  const auto when = instant_of(cell);
  if (!when && cell.is(Type::date)) {
    return Status::invalid("the date is not between the years 0 and 9999");
  }
  if (!when) return no(given, "date (ISO 8601)");
  if (!keeps_text(column.form) && !cell.is(Type::date) && is_finer_than_milliseconds(cell.text)) {
    return Status::invalid(excerpt(cell.text) +
                           " says more than milliseconds, which is all the column keeps; a column "
                           "of text keeps it as it is");
  }
  switch (column.form) {
    case Form::date_ms:
      return store(*when, out);
    case Form::date_julian:
      return store(julian_day(*when), out);
    case Form::date_s:
      if (*when % 1000 == 0) return store(*when / 1000, out);
      return Status::invalid("the column stores whole seconds, and this date has milliseconds");
    default:
      break;
  }
  auto text = date_text(cell, *when, column.shape);
  if (!text)
    return Status::invalid("the column stores dates like " + column.shape + ", not this one");
  return store(*std::move(text), out);
}

bool is_document_text(const Cell& cell) {
  if (!cell.is(Type::lexical) && !cell.is(Type::text)) return false;
  const auto shape = json_shape(cell.text);
  return shape == JsonShape::object || shape == JsonShape::array;
}

Status to_json(Cell& cell, const Column& column, Stored& out) {
  if (cell.is(Type::nested)) return store(std::move(cell.text), out);
  const bool verbatim = cell.is(Type::lexical) || column.form == Form::json;
  if (verbatim && is_document_text(cell)) return store(std::move(cell.text), out);
  const bool is_object = cell.is(Type::date) || cell.is(Type::bytes) || cell.is(Type::pointer);
  if (column.form == Form::json && !is_object) return no(cell, "object or array");
  std::string text;
  append_cell_json(cell, text);
  return store(std::move(text), out);
}

Status to_text(Cell& cell, Stored& out) {
  switch (cell.type) {
    case Type::text:
    case Type::lexical:
    case Type::pointer:
    case Type::big_number:
      return store(std::move(cell.text), out);
    case Type::integer:
    case Type::real: {
      std::string text;
      append_cell_json(cell, text);
      return store(std::move(text), out);
    }
    case Type::date:
      return store(*date_text(cell, cell.integer, ""), out);
    default:
      return no(cell, "text");
  }
}

Status to_any(Cell& given, Stored& out) {
  Cell cell = given.is(Type::lexical) ? untexted(given) : std::move(given);
  switch (cell.type) {
    case Type::boolean:
    case Type::integer:
      return store(cell.integer, out);
    case Type::real:
      return store(cell.real, out);
    case Type::bytes:
      return store(std::move(cell.text), out, Stored::Type::blob);
    case Type::nested:
      return store(std::move(cell.text), out);
    case Type::big_number:
      return beyond(cell);
    default:
      return to_text(cell, out);
  }
}

// CSV has bytes as exports write them, {"$base64":…}.
void read_lexical_bytes(Cell& cell) {
  if (!cell.is(Type::lexical) || !is_document_text(cell)) return;
  Cell nested = cell;
  nested.type = Type::nested;
  read_special(nested);
  if (nested.is(Type::bytes)) cell = std::move(nested);
}

Status to_bytes(Cell& cell, Stored& out) {
  read_lexical_bytes(cell);
  if (!cell.is(Type::bytes)) return no(cell, R"(bytes ({"$base64":…}))");
  return store(std::move(cell.text), out, Stored::Type::blob);
}

Status to_text_id(Cell& cell, Stored& out) {
  return cell.is(Type::real) || cell.is(Type::date) ? no(cell, "id") : to_text(cell, out);
}

// An id of bytes is also taken in hex, as answers show it. Any other text may be one of a column
// that is only declared for bytes.
Status to_id_of_bytes(Cell& cell, Stored& out) {
  read_lexical_bytes(cell);
  if (cell.is(Type::bytes)) return to_bytes(cell, out);
  const bool is_text = cell.is(Type::text) || cell.is(Type::lexical);
  auto bytes = is_text ? bytes_of_hex(cell.text) : std::nullopt;
  return bytes ? store(*std::move(bytes), out, Stored::Type::blob) : to_text_id(cell, out);
}

// A text that is no number stays one, which the column may take as a number.
Status to_id_of_number(Cell& given, const Column& column, Stored& out) {
  const Cell cell = untexted(given);
  if (cell.is(Type::integer)) {
    const bool is_fraction = makes_fractions(column.numeric_type);
    return is_fraction ? store_real(cell.integer, out) : store(cell.integer, out);
  }
  return cell.is(Type::real) ? store(cell.real, out) : to_text_id(given, out);
}

// A text that is no date may be one among the dates of the key.
Status to_id_of_date(Cell& given, const Column& column, Stored& out) {
  Cell cell = keeps_text(column.form) ? given : untexted(given);
  const bool is_text = cell.is(Type::text) || cell.is(Type::lexical);
  return is_text && !instant_of(cell) ? to_text_id(cell, out) : to_date(cell, column, out);
}

// CSV has all values as texts.
Status to_id_of_any(Cell& given, Stored& out) {
  Cell cell = given.is(Type::lexical) ? untexted(given) : std::move(given);
  const bool is_id = !cell.is(Type::date) && !cell.is(Type::boolean) && !cell.is(Type::nested);
  return is_id ? to_any(cell, out) : no(cell, "id");
}

Status to_pointer(Cell& cell, const Column& column, Stored& out) {
  if (cell.is(Type::pointer) && cell.target != column.target) {
    return Status::invalid("points to " + cell.target + ", and the column to " + column.target);
  }
  if (cell.is(Type::pointer)) cell.type = Type::text;
  switch (column.form) {
    case Form::date_ms:
    case Form::date_s:
    case Form::date_julian:
    case Form::date_text:
      return to_id_of_date(cell, column, out);
    case Form::number:
      return to_id_of_number(cell, column, out);
    case Form::any:
      return to_id_of_any(cell, out);
    case Form::bytes:
      return to_id_of_bytes(cell, out);
    default:
      break;
  }
  const bool is_id = !cell.is(Type::real) && !cell.is(Type::date);
  return column.form == Form::integer && is_id ? to_integer(cell, out) : to_text_id(cell, out);
}

// Refuses a text that SQLite would store as a number of other digits.
Status keep_text(const Column& column, Stored& out) {
  if (out.type != Stored::Type::text || column.numeric_type.empty()) return {};
  if (!becomes_other_number(out.bytes)) return {};
  return Status::invalid("a column of type " + column.numeric_type + " stores " +
                         excerpt(out.bytes) +
                         " as a number, without its own digits; a column of type TEXT keeps it");
}

Status converted(Cell& cell, const Column& column, Stored& out) {
  out.type = Stored::Type::null;
  if (cell.is_null() || cell.is(Type::relation)) return {};
  if (!column.target.empty()) return to_pointer(cell, column, out);
  switch (column.form) {
    case Form::text:
      return to_text(cell, out);
    case Form::integer:
      return to_integer(cell, out);
    case Form::number:
      return to_number(cell, out);
    case Form::boolean:
      return to_boolean(cell, out);
    case Form::json:
    case Form::any_json:
      return to_json(cell, column, out);
    case Form::bytes:
      return to_bytes(cell, out);
    case Form::any:
      return to_any(cell, out);
    default:
      return to_date(cell, column, out);
  }
}

}  // namespace

Status convert(Cell& cell, const Column& column, Stored& out) {
  const Status status = converted(cell, column, out);
  return status ? keep_text(column, out) : status;
}

}  // namespace gantry::data::write
