// values/value.hpp: one value of MongoDB's data model, owned.
//
// Small and cheap to copy: texts, arrays and objects are shared and are never modified while
// shared. Reference counts are not atomic: a Value and its copies belong to one thread. A missing
// field is a Value of its own type, which is never stored in an array or object. Memory is charged
// to the current query (values/spending.hpp), so making a Value may throw MemorySpent; copies cost
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "values/spending.hpp"

namespace gantry::data {

class Value;
struct Member;
using Array = std::vector<Value, Metered<Value>>;
using Members = std::vector<Member, Metered<Member>>;

// It has more than twenty methods: a maker, a test and a reader for each type of value, which every
// operator uses.
class Value {
 public:
  // int32 and int64 are MongoDB's "int" and "long"; a date is milliseconds since 1970 in UTC.
  enum class Type : std::uint8_t {
    missing,
    null,
    int32,
    int64,
    real,
    string,
    object,
    array,
    bytes,
    boolean,
    date
  };

  Value() = default;  // missing
  static Value null() { return Value(Type::null, std::int64_t{0}); }
  static Value boolean(bool value) { return Value(Type::boolean, std::int64_t{value}); }
  static Value int32(std::int32_t value) { return Value(Type::int32, std::int64_t{value}); }
  static Value int64(std::int64_t value) { return Value(Type::int64, value); }
  // int32 where it fits, else int64.
  static Value integer(std::int64_t value);
  static Value real(double value);
  static Value date(std::int64_t milliseconds) { return Value(Type::date, milliseconds); }
  static Value string(std::string text);
  static Value bytes(std::string data);
  static Value array(Array elements);

  Value(const Value& other) noexcept;
  Value(Value&& other) noexcept : type_(std::exchange(other.type_, Type::missing)) {
    content_ = other.content_;
  }
  Value& operator=(Value other) noexcept {
    std::swap(type_, other.type_);
    std::swap(content_, other.content_);
    return *this;
  }
  ~Value();

  Type type() const { return type_; }
  bool is(Type type) const { return type_ == type; }
  bool is_missing() const { return type_ == Type::missing; }
  bool is_nullish() const { return type_ <= Type::null; }  // missing or null
  bool is_number() const { return type_ >= Type::int32 && type_ <= Type::real; }
  bool is_integral() const { return type_ == Type::int32 || type_ == Type::int64; }
  bool is_real() const { return type_ == Type::real; }
  bool is_string() const { return type_ == Type::string; }
  bool is_object() const { return type_ == Type::object; }
  bool is_array() const { return type_ == Type::array; }
  bool is_bytes() const { return type_ == Type::bytes; }
  bool is_boolean() const { return type_ == Type::boolean; }
  bool is_date() const { return type_ == Type::date; }

  // Accessors of the type in their name. Calling one on another type is a bug of the engine.
  bool truth() const { return content_.integer != 0; }       // boolean
  std::int64_t integer() const { return content_.integer; }  // int32, int64, date
  double real() const { return content_.real; }              // real
  double number() const;                                     // any number
  std::string_view text() const;                             // string, bytes
  const Array& elements() const;                             // array
  const Members& members() const;                            // object, in stored order

  // Of an object: the member, or missing. Others have none.
  const Value& find(std::string_view name) const;

  // Truthiness as in $and: false, 0, null and missing are false; everything else is true, "" and []
  // too.
  bool is_true() const;
  // The type's name in $type: "missing", "null", "int", "long", "double", "string", "object",
  // "array", "binData", "bool", "date".
  std::string_view type_name() const;

  // For in-place changes: the array's or object's content, copied first if it is shared.
  Array& own_elements();
  Members& own_members();
  // Appends to a string; linear in the length of `more` if no other Value shares the string.
  void append_text(std::string_view more);

 private:
  friend class ObjectBuilder;
  struct Shared;
  struct SharedText;
  struct SharedArray;
  struct SharedObject;
  union Content {
    std::int64_t integer;
    double real;
    Shared* shared;
  };

  Value(Type type, std::int64_t integer) : type_(type), content_{.integer = integer} {}
  Value(Type type, Shared* shared) : type_(type), content_{.shared = shared} {}
  bool is_shared() const { return type_ >= Type::string && type_ <= Type::bytes; }

  Type type_ = Type::missing;
  Content content_{.integer = 0};
};

struct Member {
  std::string name;
  Value value;
};

// Builds an object. Setting an existing name replaces its value and keeps its position; setting a
// missing value removes the name.
class ObjectBuilder {
 public:
  ObjectBuilder() = default;
  explicit ObjectBuilder(Members members) : members_(std::move(members)) {}
  ObjectBuilder& set(std::string_view name, Value value);
  ObjectBuilder& add(std::string name, Value value);  // `name` must be new
  ObjectBuilder& remove(std::string_view name);
  bool empty() const { return members_.empty(); }
  Value build();  // the builder is empty afterwards

 private:
  Members members_;
};

// {name: value}
inline Value object_of(std::string_view name, Value value) {
  return ObjectBuilder().set(name, std::move(value)).build();
}

// MongoDB's total order: negative, zero or positive. Types first (missing, null, numbers, strings,
// objects, arrays, bytes, booleans, dates); numbers by exact value whatever their type (NaN
// lowest), text by its bytes, binary data by length first, arrays element by element, objects
// member by member in order: type, name, value.
int compare(const Value& a, const Value& b);
inline bool operator==(const Value& a, const Value& b) { return compare(a, b) == 0; }
// For sorted containers.
struct ValueLess {
  bool operator()(const Value& a, const Value& b) const { return compare(a, b) < 0; }
};

// As compare(), but missing equals null: for sort keys and constraints.
int compare_sorted(const Value& a, const Value& b);

// The rank of a type in that order, from 0; all number types share one.
int type_rank(Value::Type type);

// Equal values have equal hashes: 1, NumberLong(1) and 1.0 share one.
std::size_t hash_of(const Value& value);
struct ValueHash {
  std::size_t operator()(const Value& value) const { return hash_of(value); }
};

// Hash tables with values as keys, charged to the query.
template <class T>
using ValueMap = std::unordered_map<Value, T, ValueHash, std::equal_to<Value>,
                                    Metered<std::pair<const Value, T>>>;
using ValueSet = std::unordered_set<Value, ValueHash, std::equal_to<Value>, Metered<Value>>;

// The approximate size of all contained values; shared parts count once for each reference, as in
// an answer made of it.
std::size_t weight_of(const Value& value);

}  // namespace gantry::data
