// plan/typing/type.hpp: what is known of a value in a pipeline before it runs.
//
// A type says only what holds for every document: a field of a class with columns has the type of
// its column until a stage replaces it. Types are immutable and shared; one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "values/value.hpp"
#include "view/scope.hpp"

namespace gantry::data::typing {

struct Type;
using TypePtr = std::shared_ptr<const Type>;
// By name; null: the field does not exist, whatever the class says.
using TypesByName = std::map<std::string, TypePtr, std::less<>>;

struct Type {
  // `key`: the id of an object, of the class itself or in a pointer. `any`: nothing is known.
  enum class Kind : std::uint8_t { any, number, text, boolean, date, bytes, key, object, array };

  Kind kind = Kind::any;
  // Objects: rows of this class, except for `members`. Null: of no class.
  const ClassView* cls = nullptr;
  TypesByName members = {};
  bool is_open = false;  // objects: may have fields that are not known
  bool is_cut = false;   // objects: of the class's fields only those among `members` are left
  bool has_implicit_id = false;  // its key was not asked for, but stays as MongoDB's _id does
  TypePtr element = {};          // arrays
  // Keys: the class and its field that they equal, and how they are stored.
  std::string target = {};
  std::string target_field = {};
  Kind stored = Kind::any;  // number, text, date, bytes or any
  // The column that the value comes from unchanged, with its class; null: computed.
  const FieldView* column = nullptr;
  const ClassView* owner = nullptr;

  bool is(Kind wanted) const { return kind == wanted; }
  // How values of this type compare: that of keys is how they are stored.
  Kind compared() const { return kind == Kind::key ? stored : kind; }
};

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
inline bool is_order_operator(std::string_view op) {
  return is_one_of(op, {"$gt", "$gte", "$lt", "$lte"});
}
// The first name of a dotted path.
inline std::string_view first_of(std::string_view path) { return path.substr(0, path.find('.')); }
inline Value text_value(std::string_view text) { return Value::string(std::string(text)); }

TypePtr any_type();
TypePtr scalar(Type::Kind kind);
TypePtr array_of(TypePtr element);
TypePtr object_with(TypesByName members);
// A literal of a caller.
TypePtr type_of(const Value& literal);
// The documents of a class; null: of no class, so anything.
TypePtr document_of(const ClassView* cls);
// What a condition compares: an array matches by its elements.
const Type& compared(const Type& type);
// What both are; any if they differ.
TypePtr common(const TypePtr& a, const TypePtr& b);

// Whether the objects are rows of a class with columns, except for `members`.
bool is_row(const Type& type);
// The type of a document's field, by its name in the document; null: there is no such field.
TypePtr member(const Type& object, std::string_view name);
// Documents that are either of these: the fields of both.
TypePtr united(const Type& a, const Type& b);
// The document with only these fields; of a class it stays one of that class.
TypePtr cut_to(const TypePtr& object, TypesByName members, bool has_implicit_id);
// The document with a field made, replaced, or (null) removed.
TypePtr with_member(const TypePtr& object, const std::string& name, TypePtr type);

// The name that a document of a class has for objectId, _id, createdAt and updatedAt while no stage
// made a field of that name; other names unchanged.
std::string_view real_name(const Type& object, std::string_view name);

// "a number", "text", "a date", "a pointer to customers": for warnings.
std::string described(const Type& type);

}  // namespace gantry::data::typing
