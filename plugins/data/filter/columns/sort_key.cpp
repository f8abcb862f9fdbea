#include "filter/columns/sort_key.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "filter/path.hpp"

namespace gantry::data::columns {
namespace {

constexpr int kDeepest = 200;
constexpr char kEmptyArray = 1;  // below every type byte

char type_byte(const Value& value) {
  return static_cast<char>(value.is_nullish() ? 2 : type_rank(value.type()) + 2);
}

void put_big_endian(std::uint64_t value, int bytes, std::string& out) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
    out += static_cast<char>(value >> static_cast<unsigned>(shift) & 0xFFU);
  }
}

// Doubles sort as their bits after negative ones are inverted.
void put_double(double value, std::string& out) {
  if (value == 0) value = 0;                                // -0 is 0
  if (std::isnan(value)) return put_big_endian(0, 8, out);  // below all others
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t top = UINT64_C(1) << 63U;
  put_big_endian((bits & top) != 0 ? ~bits : bits | top, 8, out);
}

// The greatest double that is not above the number, then their difference: exact for integers that
// are not representable as double.
void put_number(const Value& value, std::string& out) {
  if (value.is_real()) {
    put_double(value.real(), out);
    return put_big_endian(0, 2, out);
  }
  auto floor = static_cast<double>(value.integer());
  const bool above =
      floor >= 9223372036854775808.0 || static_cast<std::int64_t>(floor) > value.integer();
  if (above) floor = std::nextafter(floor, -std::numeric_limits<double>::infinity());
  put_double(floor, out);
  put_big_endian(static_cast<std::uint64_t>(value.integer() - static_cast<std::int64_t>(floor)), 2,
                 out);
}

// The terminator sorts below every continuation: zero bytes inside are followed by 0xFF.
void put_text(std::string_view text, std::string& out) {
  for (const char c : text) {
    out += c;
    if (c == '\0') out += '\xFF';
  }
  out.append(2, '\0');
}

void put_value(const Value& value, int depth, std::string& out) {
  out += type_byte(value);
  if (depth > kDeepest || value.is_nullish()) return;
  if (value.is_number()) return put_number(value, out);
  if (value.is_bytes()) put_big_endian(value.text().size(), 8, out);
  if (value.is_bytes() || value.is_string()) return put_text(value.text(), out);
  if (value.is_object()) {
    for (const Member& member : value.members()) {
      out += type_byte(member.value);
      put_text(member.name, out);
      put_value(member.value, depth + 1, out);
    }
    out += '\0';
  } else if (value.is_array()) {
    for (const Value& element : value.elements()) put_value(element, depth + 1, out);
    out += '\0';
  } else {  // a boolean or a date
    put_big_endian(static_cast<std::uint64_t>(value.integer()) ^ UINT64_C(1) << 63U, 8, out);
  }
}

// The least key of the values at a path, or the greatest.
class Keys {
 public:
  explicit Keys(bool descending) : descending_(descending) {}

  // An array counts by its elements; an empty one as itself.
  void add(const Value& value) {
    if (!value.is_array() || value.elements().empty()) return keep(value);
    for (const Value& element : value.elements()) keep(element);
  }
  std::string best() {
    if (best_.empty()) keep(Value());
    return std::move(best_);
  }

 private:
  void keep(const Value& value) {
    std::string key;
    if (value.is_array() && value.elements().empty()) {
      key += kEmptyArray;
    } else {
      put_value(value, 0, key);
    }
    const bool is_better = descending_ ? key > best_ : key < best_;
    if (best_.empty() || is_better) best_ = std::move(key);
  }

  bool descending_;
  std::string best_;
};

class SortKey final : public Matcher {
 public:
  SortKey(const Column& column, std::string_view path, bool descending)
      : form_(path.empty() ? column.whole : column.whole.at_path(path)),
        path_(filter::Path::of_value(path.empty() ? std::nullopt : std::optional(path))),
        descending_(descending) {}

  bool match(const StoredValue&) const override { return false; }

  std::string key(const StoredValue& stored) const override {
    Keys keys(descending_);
    path_.any(form_.value(stored), filter::Leaf::whole,
              [&](const Value& found) { return keys.add(found), false; });
    return keys.best();
  }

 private:
  FieldForm form_;
  filter::Path path_;
  bool descending_;
};

}  // namespace

std::shared_ptr<const Matcher> make_sort_key(const Column& column, std::string_view path,
                                             bool descending) {
  return std::make_shared<SortKey>(column, path, descending);
}

}  // namespace gantry::data::columns
