#include "where/sort_key.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "where/path.hpp"
#include "where/stored_json.hpp"

namespace gantry::data::where {
namespace {

using Type = View::Type;

constexpr int kDeepest = 200;
constexpr char kEmptyArray = 1;  // below every type byte

char type_byte(const View& view) {
  return static_cast<char>(view.is_nothing() ? 2 : static_cast<int>(view.type) + 2);
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
void put_number(const View& view, std::string& out) {
  if (view.is_real) {
    put_double(view.real, out);
    return put_big_endian(0, 2, out);
  }
  auto floor = static_cast<double>(view.integer);
  const bool above =
      floor >= 9223372036854775808.0 || static_cast<std::int64_t>(floor) > view.integer;
  if (above) floor = std::nextafter(floor, -std::numeric_limits<double>::infinity());
  put_double(floor, out);
  put_big_endian(static_cast<std::uint64_t>(view.integer - static_cast<std::int64_t>(floor)), 2,
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

void put_value(const View& view, int depth, std::string& out);

void put_object(const Json& object, int depth, std::string& out) {
  for (const auto& member : object.GetObject()) {
    const View value = view_of(member.value);
    out += type_byte(value);
    put_text({member.name.GetString(), member.name.GetStringLength()}, out);
    put_value(value, depth + 1, out);
  }
  out += '\0';
}

void put_array(const Json& array, int depth, std::string& out) {
  for (const Json& element : array.GetArray()) put_value(view_of(element), depth + 1, out);
  out += '\0';
}

void put_value(const View& view, int depth, std::string& out) {
  out += type_byte(view);
  if (depth > kDeepest) return;
  switch (view.type) {
    case Type::missing:
    case Type::null:
      return;
    case Type::number:
      return put_number(view, out);
    case Type::bytes:
      put_big_endian(view.text.size(), 8, out);
      [[fallthrough]];
    case Type::string:
      return put_text(view.text, out);
    case Type::object:
      return put_object(*view.json, depth, out);
    case Type::array:
      return put_array(*view.json, depth, out);
    case Type::boolean:
    case Type::date:
      put_big_endian(static_cast<std::uint64_t>(view.integer) ^ UINT64_C(1) << 63U, 8, out);
  }
}

class SortKey final : public Matcher {
 public:
  SortKey(const Column& column, std::string_view path, bool descending)
      : reading_(reading_of(column)), descending_(descending) {
    if (!path.empty()) path_ = split_path(path);
  }

  bool match(const StoredValue&) const override { return false; }

  std::string key(const StoredValue& value) const override {
    return with_stored(value, reading_, [&](const View& root) { return key_of(root); });
  }

 private:
  std::string key_of(const View& root) const {
    std::string best;
    const Visit keep = [&](const View& view) {
      std::string candidate;
      const bool empty = view.type == Type::array && view.json->Empty();
      if (empty) candidate += kEmptyArray;
      if (!empty) put_value(view, 0, candidate);
      const bool better = descending_ ? candidate > best : candidate < best;
      if (best.empty() || better) best = std::move(candidate);
      return false;
    };
    // Whole arrays are requested, because their elements are handled below.
    walk(root, path_, true, [&](const View& view) {
      if (view.type != Type::array || view.json->Empty()) return keep(view);
      for (const Json& element : view.json->GetArray()) keep(view_of(element));
      return false;
    });
    if (best.empty()) keep(View());
    return best;
  }

  Reading reading_;
  std::vector<std::string> path_;
  bool descending_;
};

}  // namespace

std::shared_ptr<const Matcher> make_sort_key(const Column& column, std::string_view path,
                                             bool descending) {
  return std::make_shared<SortKey>(column, path, descending);
}

}  // namespace gantry::data::where
