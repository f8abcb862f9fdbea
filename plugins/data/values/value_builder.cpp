#include "values/value_builder.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "values/base64.hpp"
#include "values/iso_date.hpp"
#include "values/json_document.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kOffPath = std::numeric_limits<std::size_t>::max();

template <class T>
std::optional<T> whole_number(const Value& value) {
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.text();
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_all = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return is_all ? std::optional<T>(number) : std::nullopt;
}

// These return missing if the operand is of another form.
Value read_int(const Value& operand) {
  const auto value = whole_number<std::int32_t>(operand);
  return value ? Value::int32(*value) : Value();
}

Value read_long(const Value& operand) {
  const auto value = whole_number<std::int64_t>(operand);
  return value ? Value::int64(*value) : Value();
}

Value read_double(const Value& operand) {
  if (!operand.is_string()) return {};
  const std::string_view text = operand.text();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return Value::real(std::numeric_limits<double>::quiet_NaN());
  if (text == "Infinity") return Value::real(kInfinity);
  if (text == "-Infinity") return Value::real(-kInfinity);
  const auto value = whole_number<double>(operand);
  return value && std::isfinite(*value) ? Value::real(*value) : Value();
}

// A number may have been {"$numberLong": …}.
Value read_date(const Value& operand) {
  if (operand.is_integral()) return Value::date(operand.integer());
  const auto when = operand.is_string() ? parse_iso_date(operand.text()) : std::nullopt;
  return when ? Value::date(*when) : Value();
}

Value bytes_of(const Value& base64) {
  auto bytes = base64.is_string() ? decode_base64(base64.text()) : std::nullopt;
  return bytes ? Value::bytes(*std::move(bytes)) : Value();
}

// Sub-type 0 only: a Value cannot represent the others.
Value read_binary(const Value& operand) {
  const Value& kind = operand.find("subType");
  if (!kind.is_string() || operand.members().size() != 2) return {};
  const bool is_plain = kind.text() == "00" || kind.text() == "0";
  return is_plain ? bytes_of(operand.find("base64")) : Value();
}

struct Wrapper {
  std::string_view name;
  Value (*read)(const Value& operand);
};
constexpr std::array kWrappers = {
    Wrapper{"$date", read_date},       Wrapper{"$numberInt", read_int},
    Wrapper{"$numberLong", read_long}, Wrapper{"$numberDouble", read_double},
    Wrapper{"$binary", read_binary},   Wrapper{"$base64", bytes_of},
};

Value read_wrapped(const Member& member) {
  if (!member.name.starts_with('$')) return {};
  for (const Wrapper& wrapper : kWrappers) {
    if (wrapper.name == member.name) return wrapper.read(member.value);
  }
  return {};
}

// {"__type":"Date","iso":…} and {"__type":"Bytes","base64":…}, in either order.
Value read_typed(const Member& first, const Member& second) {
  const bool is_first = first.name == "__type";
  const Value& type = is_first ? first.value : second.value;
  const Member& other = is_first ? second : first;
  if ((!is_first && second.name != "__type") || !type.is_string()) return {};
  if (other.name == "iso" && type.text() == "Date" && other.value.is_string()) {
    return read_date(other.value);
  }
  return other.name == "base64" && type.text() == "Bytes" ? bytes_of(other.value) : Value();
}

void drop_twins(Members& members) {
  constexpr std::size_t kFew = 32;
  const bool is_few = members.size() <= kFew;
  std::set<std::string_view> seen;  // filled for objects with many members
  std::size_t kept = 0;
  const auto is_known = [&](const std::string& name) {
    if (!is_few) return seen.count(name) > 0;
    const auto has_name = [&](const Member& member) { return member.name == name; };
    const auto end = members.begin() + static_cast<std::ptrdiff_t>(kept);
    return std::any_of(members.begin(), end, has_name);
  };
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (is_known(members[at].name)) continue;
    if (kept != at) members[kept] = std::move(members[at]);
    if (!is_few) seen.insert(members[kept].name);
    ++kept;
  }
  members.resize(kept);
}

// Members that tell what an object is.
bool names_type(std::string_view name) {
  return name.starts_with('$') || name == "__type" || name == "className" || name == "objectId";
}

}  // namespace

void ValueBuilder::step() {
  constexpr unsigned kPartsBetweenSteps = 1024;
  if (++parts_ % kPartsBetweenSteps == 0) Spending::step_current();
}

// Whether the value that begins now is, or lies in, one that is left out.
bool ValueBuilder::is_left_out() {
  step();
  if (left_out_ > 0) return true;
  return std::exchange(next_is_left_out_, false);
}

bool ValueBuilder::add(Value value) {
  if (is_left_out()) return true;
  if (open_.empty()) return result_ = std::move(value), true;
  pending_.push_back({std::move(key_), std::move(value)});
  return true;
}

bool ValueBuilder::RawNumber(const char* text, Size size, bool /*copy*/) {
  const auto number = read_json_number({text, size});
  if (!number) return fail(Failure::number);
  if (const auto* real = std::get_if<double>(&*number)) return Double(*real);
  if (const auto* large = std::get_if<std::uint64_t>(&*number)) return Uint64(*large);
  return Int64(std::get<std::int64_t>(*number));
}

bool ValueBuilder::String(const char* text, Size size, bool /*copy*/) {
  const bool is_made = left_out_ == 0 && !next_is_left_out_;
  return add(is_made ? Value::string(std::string(text, size)) : Value());
}

bool ValueBuilder::Key(const char* text, Size size, bool /*copy*/) {
  if (left_out_ > 0) return true;
  const std::string_view name(text, size);
  const std::size_t level = open_.back().level;
  level_ = kOffPath;
  if (level < options_.path.size()) {
    const bool leads_on = name == options_.path[level];
    next_is_left_out_ = !leads_on && !names_type(name);
    if (leads_on) level_ = level + 1;
  }
  if (!next_is_left_out_) key_ = name;
  return true;
}

bool ValueBuilder::open() {
  if (open_.size() + left_out_ == deepest_) return fail(Failure::depth);
  if (is_left_out()) return ++left_out_, true;
  if (!open_.empty()) pending_.push_back({std::move(key_), Value()});
  open_.push_back({pending_.size(), level_});
  return true;
}

bool ValueBuilder::close(Value value) {
  pending_.resize(open_.back().begin);
  open_.pop_back();
  if (open_.empty()) return result_ = std::move(value), true;
  pending_.back().value = std::move(value);
  level_ = open_.back().level;  // of the next element, if an array goes on
  return true;
}

bool ValueBuilder::EndObject(Size count) {
  if (left_out_ > 0) return --left_out_, true;
  const auto begin = pending_.begin() + static_cast<std::ptrdiff_t>(open_.back().begin);
  const auto kept = static_cast<std::size_t>(pending_.end() - begin);
  if (count == 1 && kept == 1) {
    if (Value value = read_wrapped(*begin); !value.is_missing()) return close(std::move(value));
  }
  if (count == 2 && kept == 2 && options_.parse_types) {
    if (Value value = read_typed(begin[0], begin[1]); !value.is_missing()) {
      return close(std::move(value));
    }
  }
  Members members(std::make_move_iterator(begin), std::make_move_iterator(pending_.end()));
  if (options_.keep_first_duplicate) drop_twins(members);
  return close(ObjectBuilder(std::move(members)).build());
}

bool ValueBuilder::EndArray(Size /*count*/) {
  if (left_out_ > 0) return --left_out_, true;
  Array elements;
  elements.reserve(pending_.size() - open_.back().begin);
  for (std::size_t at = open_.back().begin; at < pending_.size(); ++at) {
    elements.push_back(std::move(pending_[at].value));
  }
  return close(Value::array(std::move(elements)));
}

}  // namespace gantry::data
