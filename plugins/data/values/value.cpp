#include "values/value.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "errors/query_error.hpp"

namespace gantry::data {

namespace {

// Code that walks values is recursive, and visits a shared part once for each reference: more
// levels could overflow the stack, more values could take unbounded time.
constexpr std::uint32_t kDeepest = 250;
constexpr std::uint64_t kMost = 1u << 24;
constexpr std::uint64_t kValuesBetweenSteps = 1024;

constexpr std::size_t kHeapOverhead = 16;  // heap overhead of an allocation
// Upper limit of a growing text's spare capacity.
constexpr std::size_t kLargestStep = std::size_t{2} << 20;

// The heap bytes of a string.
std::size_t heap_of(const std::string& text) {
  constexpr std::size_t kInside = 15;
  return text.capacity() <= kInside ? 0 : text.capacity() + kHeapOverhead;
}

std::size_t names_of(const Members& members) {
  std::size_t bytes = 0;
  for (const Member& member : members) bytes += heap_of(member.name);
  return bytes;
}

[[noreturn]] void refuse_extent(bool too_deep) {
  throw QueryError(too_deep ? "A value would nest more than 250 levels of arrays and objects."
                            : "An array or object would hold more than 16,777,216 values in all.");
}

}  // namespace

// `charge` is the memory that the contained containers do not charge themselves.
struct Value::Shared {
  struct Container;
  explicit Shared(std::size_t bytes) : charge(bytes + kHeapOverhead) {}
  std::size_t owners = 1;
  Charge charge;
};
struct Value::SharedText : Shared {
  explicit SharedText(std::string value)
      : Shared(sizeof(SharedText) + heap_of(value)), text(std::move(value)) {}

  void append(std::string_view more) {
    const std::size_t size = text.size() + more.size();
    if (size > text.capacity()) {
      const std::size_t room = std::max(size, std::min(2 * size, kLargestStep + size));
      Charge grown(sizeof(SharedText) + room + 2 * kHeapOverhead);
      text.reserve(room);
      charge = std::move(grown);
    }
    text.append(more);
  }
  std::string text;
};

// An array or object caches its depth and number of values. 0 levels: it was changed in place, and
// is counted again when it is put into another value.
struct Value::Shared::Container : Shared {
  using Shared::Shared;
  std::uint32_t levels = 0;
  std::uint64_t values = 0;

  void hold(const Value& part) {
    if (++values % kValuesBetweenSteps == 0) Spending::step_current();
    if (!part.is_array() && !part.is_object()) return;
    auto& below = *static_cast<Container*>(part.content_.shared);
    if (below.levels == 0) below.count(part);
    levels = std::max(levels, below.levels);
    values += below.values;
  }
  void finish() {
    if (++levels > kDeepest || values > kMost) refuse_extent(levels > kDeepest);
  }
  void forget() { levels = 0, values = 0; }

 private:
  // `self` is the value that owns this content.
  void count(const Value& self);
};
struct Value::SharedArray : Shared::Container {
  explicit SharedArray(Array value) : Container(sizeof(SharedArray)), elements(std::move(value)) {
    for (const Value& element : elements) hold(element);
    finish();
  }
  Array elements;
};
struct Value::SharedObject : Shared::Container {
  explicit SharedObject(Members value)
      : Container(sizeof(SharedObject) + names_of(value)), members(std::move(value)) {
    for (const Member& member : members) hold(member.value);
    finish();
  }
  Members members;
};

void Value::Shared::Container::count(const Value& self) {
  if (self.is_array()) {
    for (const Value& element : self.elements()) hold(element);
  } else {
    for (const Member& member : self.members()) hold(member.value);
  }
  finish();
}

Value Value::integer(std::int64_t value) {
  using Limits = std::numeric_limits<std::int32_t>;
  const bool fits = value >= Limits::min() && value <= Limits::max();
  return Value(fits ? Type::int32 : Type::int64, value);
}

Value Value::real(double value) {
  Value result(Type::real, std::int64_t{0});
  result.content_.real = value;
  return result;
}

Value Value::string(std::string text) {
  return Value(Type::string, new SharedText(std::move(text)));
}
Value Value::bytes(std::string data) { return Value(Type::bytes, new SharedText(std::move(data))); }
Value Value::array(Array elements) {
  return Value(Type::array, new SharedArray(std::move(elements)));
}

Value::Value(const Value& other) noexcept : type_(other.type_), content_(other.content_) {
  if (is_shared()) ++content_.shared->owners;
}

Value::~Value() {
  if (!is_shared() || --content_.shared->owners > 0) return;
  if (type_ == Type::array) {
    delete static_cast<SharedArray*>(content_.shared);
  } else if (type_ == Type::object) {
    delete static_cast<SharedObject*>(content_.shared);
  } else {
    delete static_cast<SharedText*>(content_.shared);
  }
}

double Value::number() const {
  return is_real() ? content_.real : static_cast<double>(content_.integer);
}

std::string_view Value::text() const { return static_cast<SharedText*>(content_.shared)->text; }
const Array& Value::elements() const {
  return static_cast<SharedArray*>(content_.shared)->elements;
}
const Members& Value::members() const {
  return static_cast<SharedObject*>(content_.shared)->members;
}

const Value& Value::find(std::string_view name) const {
  static const Value missing;
  if (!is_object()) return missing;
  for (const Member& member : members()) {
    if (member.name == name) return member.value;
  }
  return missing;
}

bool Value::is_true() const {
  if (is_real()) return content_.real != 0;
  const bool as_number = is_integral() || is_boolean();
  return as_number ? content_.integer != 0 : !is_nullish();
}

std::string_view Value::type_name() const {
  static constexpr std::string_view kNames[] = {"missing", "null",   "int",    "long",
                                                "double",  "string", "object", "array",
                                                "binData", "bool",   "date"};
  return kNames[static_cast<std::size_t>(type_)];
}

Array& Value::own_elements() {
  if (content_.shared->owners > 1) *this = array(elements());
  auto& own = *static_cast<SharedArray*>(content_.shared);
  own.forget();
  return own.elements;
}

void Value::append_text(std::string_view more) {
  if (content_.shared->owners > 1) *this = Value(type_, new SharedText(std::string(text())));
  static_cast<SharedText*>(content_.shared)->append(more);
}

Members& Value::own_members() {
  if (content_.shared->owners > 1) *this = Value(Type::object, new SharedObject(members()));
  auto& own = *static_cast<SharedObject*>(content_.shared);
  own.forget();
  return own.members;
}

namespace {

auto find_in(Members& members, std::string_view name) {
  return std::find_if(members.begin(), members.end(),
                      [&](const Member& member) { return member.name == name; });
}

}  // namespace

ObjectBuilder& ObjectBuilder::set(std::string_view name, Value value) {
  if (value.is_missing()) return *this;
  const auto it = find_in(members_, name);
  if (it == members_.end()) return add(std::string(name), std::move(value));
  it->value = std::move(value);
  return *this;
}

ObjectBuilder& ObjectBuilder::add(std::string name, Value value) {
  if (!value.is_missing()) members_.push_back({std::move(name), std::move(value)});
  return *this;
}

ObjectBuilder& ObjectBuilder::remove(std::string_view name) {
  if (const auto it = find_in(members_, name); it != members_.end()) members_.erase(it);
  return *this;
}

Value ObjectBuilder::build() {
  return Value(Value::Type::object, new Value::SharedObject(std::exchange(members_, {})));
}

std::size_t weight_of(const Value& value) {
  std::size_t weight = sizeof(Value);
  if (value.is_string() || value.is_bytes()) return weight + 48 + value.text().size();
  if (value.is_array() || value.is_object()) Spending::step_current();
  if (value.is_array()) {
    for (const Value& element : value.elements()) weight += weight_of(element);
    return weight + 48;
  }
  if (value.is_object()) {
    for (const Member& member : value.members()) {
      weight += sizeof(std::string) + member.name.size() + weight_of(member.value);
    }
    return weight + 48;
  }
  return weight;
}

}  // namespace gantry::data
