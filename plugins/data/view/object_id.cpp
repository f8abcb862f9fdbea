#include "view/object_id.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "catalog/column_type.hpp"
#include "values/ascii.hpp"
#include "values/base64.hpp"
#include "values/hex.hpp"
#include "values/iso_date.hpp"
#include "values/iso_shape.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"
#include "view/class_view.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kNullPart = "%null";
constexpr double kLargestExact = 9007199254740992.0;  // 2^53

void append_number(double value, std::string& out) {
  if (std::isinf(value)) {
    out += value > 0 ? "Infinity" : "-Infinity";
  } else {
    append_json_double(value, out);
  }
}

// The bytes that an id shows in hex, or that rows show in Base64.
std::optional<std::string> bytes_of(const Field& field, std::string_view text) {
  auto bytes = bytes_of_hex(text);
  const bool is_of_bytes = field.kind == Kind::bytes || field.native == Kind::bytes;
  if (bytes || !is_of_bytes || text.empty()) return bytes;
  return decode_base64(text);
}

// The number whose id is exactly this text: "01" and "1e0" match none.
std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  std::string back;
  append_json_integer(value, back);
  return read.ec == std::errc{} && back == text ? std::optional(value) : std::nullopt;
}

std::optional<double> double_of(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end || std::isnan(value)) return std::nullopt;
  std::string back;
  append_number(value, back);
  return back == text ? std::optional(value) : std::nullopt;
}

// Whether a column with numeric affinity would convert this text into a number.
bool turns_into_number(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return false;
  text = text.substr(first, text.find_last_not_of(kSpace) - first + 1);
  if (text[0] == '+' || text[0] == '-') text.remove_prefix(1);
  if (text.empty() || !(text[0] == '.' || is_digit(text[0]))) return false;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec != std::errc::invalid_argument && read.ptr == text.data() + text.size();
}

bool append_numbers(std::string_view text, std::vector<Bind>& values) {
  const std::size_t before = values.size();
  if (const auto integer = integer_of(text)) values.emplace_back(*integer);
  if (const auto real = double_of(text)) values.emplace_back(*real);
  return values.size() != before;
}

// A key of dates is shown as ISO 8601 with a zone, whatever the form of its texts or numbers.
std::optional<Bind> stored_date(const Field& field, std::string_view text) {
  const bool is_date = field.kind == Kind::date || field.key_kind == Kind::date;
  const auto when = is_date ? parse_iso_date(text) : std::nullopt;
  if (!when) return std::nullopt;
  if (field.date_form == DateForm::epoch_millis) return *when;
  if (field.date_form == DateForm::epoch_seconds) {
    if (*when % 1000 == 0) return *when / 1000;
    return static_cast<double>(*when) / 1000.0;
  }
  if (field.iso_shape.empty()) return std::nullopt;
  auto stored = iso_text_of_shape(*when, field.iso_shape);
  if (!stored || *stored == text) return std::nullopt;
  return *std::move(stored);
}

std::optional<std::string> decode_part(std::string_view part) {
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '%') {
      text += part[i];
      continue;
    }
    const int high = i + 2 < part.size() ? hex_digit(part[i + 1]) : -1;
    const int low = i + 2 < part.size() ? hex_digit(part[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return text;
}

std::vector<std::string_view> split(std::string_view id) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto comma = id.find(',');
    parts.push_back(id.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    id.remove_prefix(comma + 1);
  }
}

Status wrong_parts(const ClassView& cls) {
  std::string names;
  for (const FieldView& part : cls.key_fields) names += (names.empty() ? "" : ",") + part.name;
  return Status::invalid("An objectId of class '" + cls.name + "' has the parts " + names +
                         ", joined with commas, each percent-encoded.");
}

Result<std::vector<IdPart>> parse_composite(const ClassView& cls, std::string_view id) {
  const auto texts = split(id);
  if (texts.size() != cls.key_fields.size()) return wrong_parts(cls);
  std::vector<IdPart> parts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Field& field = cls.key_fields[i];
    if (texts[i] == kNullPart) {
      parts.push_back({field.column, {Bind{nullptr}}, field.binary_collation});
      continue;
    }
    const auto text = decode_part(texts[i]);
    if (!text) return wrong_parts(cls);
    parts.push_back({field.column, id_values(field, *text), field.binary_collation});
  }
  return parts;
}

void add_equality(const std::string& column, const std::vector<Bind>& any_of, Fragment& out) {
  if (any_of.size() == 1) return void(out.add(column).add(" = ").bind(any_of[0]));
  out.add(column).add(" IN (");
  for (std::size_t i = 0; i < any_of.size(); ++i) {
    if (i != 0) out.add(",");
    out.bind(any_of[i]);
  }
  out.add(")");
}

void add_condition(const IdPart& part, Fragment& out) {
  if (part.any_of.empty()) return void(out.add("0"));
  if (std::holds_alternative<std::nullptr_t>(part.any_of[0])) {
    return void(out.add(part.column).add(" IS NULL"));
  }
  add_equality(part.column, part.any_of, out);
  if (part.binary_collation) return;
  // The comparison with the column's own collation uses its index; the binary one then decides.
  add_equality(part.column + " COLLATE BINARY", part.any_of, out.add(" AND "));
}

// One part of a composite id.
void append_id_part(const StoredValue& value, std::string& out) {
  if (value.is_null()) return void(out += kNullPart);
  for (const char c : id_text(value)) {
    if (c == '%') {
      out += "%25";
    } else if (c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
}

// The ids of the values that a condition on the part finds: 1 and 1.0 are equal.
std::vector<std::string> part_texts(const IdPart& part, bool is_composite) {
  std::vector<std::string> texts;
  const auto add = [&](const Bind& value) {
    std::string& text = texts.emplace_back();
    is_composite ? append_id_part(stored_of(value), text) : append_id(stored_of(value), text);
  };
  for (const Bind& value : part.any_of) {
    add(value);
    const StoredValue stored = stored_of(value);
    if (!stored.is_number() || std::abs(stored.number()) > kLargestExact) continue;
    if (stored.type == StoredValue::Type::integer) {
      add(stored.number());
    } else if (std::trunc(stored.real) == stored.real) {
      add(static_cast<std::int64_t>(stored.real));
    }
  }
  return texts;
}

}  // namespace

void append_id(const StoredValue& value, std::string& out) {
  switch (value.type) {
    case StoredValue::Type::null:
      return;
    case StoredValue::Type::integer:
      append_json_integer(value.integer, out);
      return;
    case StoredValue::Type::real:
      append_number(value.real, out);
      return;
    case StoredValue::Type::text:
      if (is_utf8(value.bytes)) {
        out += value.bytes;
        return;
      }
      [[fallthrough]];
    case StoredValue::Type::blob:
      append_hex(value.bytes, out += "0x");
      return;
  }
}

std::string id_text(const StoredValue& value) {
  std::string text;
  append_id(value, text);
  return text;
}

void append_row_id(Row row, const std::vector<std::size_t>& key, std::string& out) {
  if (key.size() == 1) return append_id(row[key.front()], out);
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (i != 0) out += ',';
    append_id_part(row[key[i]], out);
  }
}

SameIds::SameIds(const ClassView& cls, std::string_view id)
    : is_composite_(cls.id_form == IdForm::composite) {
  const auto parts = parse_object_id(cls, id);
  if (!parts.is_ok()) return;
  for (const IdPart& part : *parts) parts_.push_back(part_texts(part, is_composite_));
}

bool SameIds::include(std::string_view shown) const {
  const auto texts = is_composite_ ? split(shown) : std::vector<std::string_view>{shown};
  return std::equal(texts.begin(), texts.end(), parts_.begin(), parts_.end(),
                    [](std::string_view text, const std::vector<std::string>& any_of) {
                      return std::find(any_of.begin(), any_of.end(), text) != any_of.end();
                    });
}

std::vector<Bind> id_values(const Field& field, std::string_view text) {
  std::vector<Bind> values;
  const bool is_text = !field.numeric_affinity && affinity_of(field.declared) == Affinity::text;
  const bool number = !is_text && append_numbers(text, values);
  const bool as_text = field.numeric_affinity ? !number && !turns_into_number(text) : true;
  if (as_text) values.emplace_back(std::string(text));
  if (auto stored = stored_date(field, text)) values.emplace_back(*std::move(stored));
  if (auto bytes = bytes_of(field, text)) {
    if (!is_utf8(*bytes)) values.emplace_back(*bytes);
    values.emplace_back(Bytes{std::move(*bytes)});
  }
  return values;
}

Result<std::vector<IdPart>> parse_object_id(const ClassView& cls, std::string_view id) {
  switch (cls.id_form) {
    case IdForm::column: {
      const Field& field = cls.key_fields.front();
      return std::vector<IdPart>{{field.column, id_values(field, id), field.binary_collation}};
    }
    case IdForm::rowid: {
      IdPart part{cls.rowid, {}, true};
      if (const auto integer = integer_of(id)) part.any_of.emplace_back(*integer);
      return std::vector<IdPart>{std::move(part)};
    }
    case IdForm::composite:
      return parse_composite(cls, id);
    case IdForm::none:
      break;
  }
  return Status::invalid("Class '" + cls.name +
                         "' has no ids, so its objects cannot be read by id. Use query_class.");
}

Fragment id_condition(const std::vector<IdPart>& parts) {
  Fragment condition;
  condition.add("(");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) condition.add(" AND ");
    add_condition(parts[i], condition);
  }
  condition.add(")");
  return condition;
}

}  // namespace gantry::data
