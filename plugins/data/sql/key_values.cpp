#include "sql/key_values.hpp"

#include <bit>
#include <utility>

namespace gantry::data {
namespace {

void add_plain(const Value& value, std::vector<Bind>& binds) {
  if (value.is_integral()) binds.emplace_back(value.integer());
  if (value.is_real()) binds.emplace_back(value.real());
  if (value.is_string()) binds.emplace_back(std::string(value.text()));
  if (value.is_bytes()) {
    binds.emplace_back(std::string(value.text()));  // matches text that is not UTF-8 too
    binds.emplace_back(Bytes{std::string(value.text())});
  }
}

}  // namespace

std::vector<Bind> padded(std::vector<Bind> values) {
  if (!values.empty()) values.resize(std::bit_ceil(values.size()), Bind(values.back()));
  return values;
}

Fragment in_list(std::string_view column, const std::vector<Bind>& values) {
  Fragment list;
  list.add(column).add(" IN (");
  for (const Bind& value : values) list.bind(value).add(",");
  list.text.back() = ')';
  return list;
}

StoredKeys stored_keys(const Array& values) {
  StoredKeys keys;
  for (const Value& value : values) {
    if (value.is_nullish()) keys.or_null = true;
    add_plain(value, keys.binds);
  }
  keys.binds = padded(std::move(keys.binds));
  return keys;
}

Fragment is_one_of(std::string_view column, const StoredKeys& keys) {
  Fragment condition;
  condition.add("(");
  if (keys.or_null) condition.add(column).add(" IS NULL");
  if (!keys.binds.empty()) {
    if (keys.or_null) condition.add(" OR ");
    condition.add(in_list(column, keys.binds));
  }
  if (!keys.or_null && keys.binds.empty()) condition.add("0");
  condition.add(")");
  return condition;
}

std::optional<Fragment> stored_as_one_of(const Field& field, const FieldForm& form,
                                         const Array& values) {
  if (!form.is(FieldForm::Type::plain)) return std::nullopt;
  return is_one_of(field.column, stored_keys(values));
}

}  // namespace gantry::data
