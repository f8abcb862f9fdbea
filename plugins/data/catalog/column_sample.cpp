#include "catalog/column_sample.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "catalog/own_column.hpp"
#include "catalog/well_known.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

// Whole numbers count as instants only in these ranges, so that 2024 and 20240131 stay numbers.
constexpr double kFirstSecond = 1e8, kEndSecond = 2e10;  // 1973 to 2603
constexpr double kFirstMilli = 1e11, kEndMilli = 2e13;
constexpr double kFirstJulian = 1'721'060, kEndJulian = 5'373'485;  // years 0 to 9999

// MySQL's text for no date, which stays in exports.
constexpr std::string_view kNoDate = "0000-00-00";

// Whether the proven storage alone guarantees the kind.
bool guaranteed(Kind kind, Kind proven) {
  return proven != Kind::any &&
         (kind == proven || (kind == Kind::number && proven == Kind::integer));
}

}  // namespace

// In a column of instants a zero often means "never", so zeros do not count as other numbers.
void ColumnSample::add_number(double value) {
  if (value == 0) return void(++zeros_);
  const bool first = integers_ + reals_ == zeros_;
  lowest_ = first ? value : std::min(lowest_, value);
  highest_ = first ? value : std::max(highest_, value);
}

void ColumnSample::add_text(std::string_view text) {
  ++texts_;
  may_be_json_ = may_be_json_ || begins_as_json(text);
  if (parse_iso_date(text)) {
    ++dates_;
    const std::string shape = iso_shape(text);
    moments_ += shape.size() > kNoDate.size();
    const std::string_view zone = iso_zone(text);
    if (dates_ == 1) shape_ = shape, zone_ = zone;
    one_shape_ = one_shape_ && shape == shape_;
    one_zone_ = one_zone_ && zone == zone_;
    return;
  }
  const auto first = text.find_first_not_of(" \t\r\n");
  blanks_ += first == std::string_view::npos || text.starts_with(kNoDate);
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return;
  const JsonShape json = json_shape(text);
  objects_ += json == JsonShape::object;
  arrays_ += json == JsonShape::array;
}

void ColumnSample::add(const StoredValue& value) {
  switch (value.type) {
    case StoredValue::Type::integer:
      add_number(value.number());
      ++integers_;
      bits_ += value.integer == 0 || value.integer == 1;
      break;
    case StoredValue::Type::real:
      add_number(value.real);
      ++reals_;
      break;
    case StoredValue::Type::text:
      add_text(value.bytes);
      break;
    case StoredValue::Type::blob:
      ++blobs_;
      may_be_json_ = may_be_json_ || begins_as_json(value.bytes);
      break;
    case StoredValue::Type::null:
      break;
  }
}

Kind ColumnSample::plain_kind(Kind declared) const {
  const std::int64_t all = values();
  if (all == 0) return declared;
  if (integers_ == all && declared != Kind::number) return Kind::integer;
  if (integers_ + reals_ == all) return Kind::number;
  if (texts_ == all) return Kind::string;
  if (blobs_ == all) return Kind::bytes;
  return Kind::any;
}

bool ColumnSample::refine_boolean(Field& field) const {
  if (bits_ != values()) return false;
  field.kind = Kind::boolean;
  return true;
}

DateForm ColumnSample::number_form(bool declared_date) const {
  if (integers_ + reals_ == zeros_) return DateForm::none;
  const bool whole = reals_ == 0;
  if (declared_date && !whole && lowest_ >= kFirstJulian && highest_ < kEndJulian) {
    return DateForm::julian;
  }
  if (lowest_ >= kFirstSecond && highest_ < kEndSecond) return DateForm::epoch_seconds;
  if (lowest_ >= kFirstMilli && highest_ < kEndMilli) return DateForm::epoch_millis;
  return DateForm::none;
}

// Some texts in a column of dates are none; they are shown as they are. Without a declared type all
// must be dates, and a name or a time of day tells them from other texts.
bool ColumnSample::holds_date_texts(const Field& field, bool declared_date) const {
  const std::int64_t told = texts_ - blanks_;
  if (texts_ != values() || dates_ == 0) return false;
  if (declared_date) return dates_ * 10 >= told * 9;
  return dates_ == told && (sounds_like_date(field.name) || moments_ == dates_);
}

bool ColumnSample::refine_date(Field& field, Kind declared) const {
  if (field.declared == kStrictDate) {
    field.date_form = DateForm::epoch_millis;
    field.kind = Kind::date;
    return true;
  }
  const bool said = declared == Kind::date || field.stated_date;
  if (values() == 0) {
    if (said) field.kind = Kind::date, field.date_form = DateForm::iso_text;
    return said;
  }
  if (holds_date_texts(field, said)) {
    field.kind = Kind::date;
    field.date_form = DateForm::iso_text;
    if (one_shape_) field.iso_shape = shape_;
    if (one_zone_) field.iso_zone = zone_;
    return true;
  }
  const bool numbers = integers_ + reals_ == values();
  if (!numbers || !(said || (reals_ == 0 && sounds_like_instant(field.name)))) return false;
  const DateForm form = number_form(said);
  if (form == DateForm::none) return false;
  field.kind = Kind::date;
  field.date_form = form;
  return true;
}

bool ColumnSample::refine_json(Field& field, Kind declared) const {
  if (field.declared == kStrictAnyJson) return field.kind = Kind::any, field.json = true;
  const bool said = declared == Kind::object;
  if (said && values() == 0) return field.kind = Kind::object, field.json = true;
  const std::int64_t documents = objects_ + arrays_;
  if (documents == 0 && field.declared == kStrictJson)
    return field.kind = Kind::any, field.json = true;
  if (documents == 0 || (!said && documents != values())) return false;
  field.json = true;
  field.kind = objects_ == values() ? Kind::object : arrays_ == values() ? Kind::array : Kind::any;
  return true;
}

void ColumnSample::refine(Field& field) const {
  const Kind declared = declared_kind(field.declared);
  const Kind plain = declared == Kind::boolean || declared == Kind::date || declared == Kind::object
                         ? Kind::any
                         : declared;
  field.date_form = DateForm::none;
  field.iso_shape.clear();
  field.iso_zone.clear();
  if (field.kind == Kind::pointer) {
    refine_date(field, Kind::date);
    const bool is_mixed = field.date_form == DateForm::iso_text && field.iso_shape.empty();
    if (is_mixed && values() > 0) field.date_form = DateForm::none;
    field.kind = Kind::pointer;
    field.native = plain_kind(plain);
    field.proven = guaranteed(field.native, field.storage);
    return;
  }
  field.may_be_json = may_be_json_;
  field.json = false;
  const bool found = (declared == Kind::boolean && refine_boolean(field)) ||
                     refine_date(field, declared) || refine_json(field, declared);
  if (!found) field.kind = plain_kind(plain);
  field.native = field.kind;
  field.proven = guaranteed(field.kind, field.storage);
}

}  // namespace gantry::data
