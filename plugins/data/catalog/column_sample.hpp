// catalog/column_sample.hpp: derives a column's kind from its declared type and sampled values.
//
// Feed values with add(), then call refine(). One thread; values are not kept.
#pragma once

#include <cstdint>
#include <string>

#include "catalog/catalog.hpp"
#include "values/matcher.hpp"

namespace gantry::data {

// It has more than twelve members: a count for each form of a value.
class ColumnSample {
 public:
  void add(const StoredValue& value);

  // Sets kind, date_form, iso_shape, json, may_be_json, proven (and native of a pointer) of a field
  // whose name, declared type and storage are set.
  void refine(Field& field) const;

 private:
  std::int64_t values() const { return integers_ + reals_ + texts_ + blobs_; }
  Kind plain_kind(Kind declared) const;
  bool refine_boolean(Field& field) const;
  bool refine_date(Field& field, Kind declared) const;
  bool holds_date_texts(const Field& field, bool declared_date) const;
  bool refine_json(Field& field, Kind declared) const;
  DateForm number_form(bool declared_date) const;
  void add_text(std::string_view text);
  void add_number(double value);

  std::int64_t integers_ = 0, reals_ = 0, texts_ = 0, blobs_ = 0;
  std::int64_t bits_ = 0;   // integers that are 0 or 1
  std::int64_t zeros_ = 0;  // numbers that are 0
  std::int64_t dates_ = 0, objects_ = 0, arrays_ = 0;
  std::int64_t blanks_ = 0;          // texts that stand for no date
  std::int64_t moments_ = 0;         // dates with a time of day
  double lowest_ = 0, highest_ = 0;  // of the numbers that are not 0
  std::string shape_, zone_;
  bool one_shape_ = true, one_zone_ = true;
  bool may_be_json_ = false;
};

}  // namespace gantry::data
