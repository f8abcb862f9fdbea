// $mergeObjects, $objectToArray and $arrayToObject; the forms for single fields are in
// field_forms.cpp.
#include "expr/forms.hpp"
#include "expr/merged.hpp"
#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

// A single array argument is replaced by its elements.
Value call_merge_objects(Arguments arguments, Context& context) {
  const bool is_list = arguments.size() == 1 && arguments[0].is_array();
  Merged merged;
  for (const Value& part : is_list ? Arguments(arguments[0].elements()) : arguments) {
    context.step();
    if (part.is_nullish()) continue;
    if (!part.is_object()) refuse_type("$mergeObjects", "objects", part);
    merged.set_all(part.members());
  }
  return merged.build();
}

Value call_object_to_array(Arguments arguments, Context& context) {
  if (arguments[0].is_nullish()) return Value::null();
  if (!arguments[0].is_object()) refuse_type("$objectToArray", "an object", arguments[0]);
  Array pairs;
  for (const Member& member : arguments[0].members()) {
    context.step();
    ObjectBuilder pair;
    pair.add("k", Value::string(member.name)).add("v", member.value);
    pairs.push_back(pair.build());
  }
  return Value::array(std::move(pairs));
}

[[noreturn]] void refuse_pair(std::string_view why) {
  throw QueryError("$arrayToObject " + std::string(why) +
                   "; write either [\"name\", value] pairs or {k: \"name\", v: value} objects.");
}

struct Pair {
  const Value &key, &value;
};

Pair pair_of_array(const Value& element) {
  if (!element.is_array()) refuse_pair("found something else among pairs");
  if (element.elements().size() != 2) refuse_pair("found an array that is no pair");
  return {element.elements()[0], element.elements()[1]};
}

Pair pair_of_object(const Value& element) {
  if (!element.is_object()) refuse_pair("found something else among {k, v} objects");
  const Value& key = element.find("k");
  const Value& value = element.find("v");
  if (element.members().size() != 2 || key.is_missing() || value.is_missing()) {
    refuse_pair("found an object that has not just k and v");
  }
  return {key, value};
}

Value call_array_to_object(Arguments arguments, Context& context) {
  if (arguments[0].is_nullish()) return Value::null();
  if (!arguments[0].is_array()) refuse_type("$arrayToObject", "an array", arguments[0]);
  const Array& elements = arguments[0].elements();
  if (elements.empty()) return ObjectBuilder().build();
  if (!elements[0].is_array() && !elements[0].is_object()) refuse_pair("found no pairs");
  Merged object;
  for (const Value& element : elements) {
    context.step();
    const Pair pair = elements[0].is_array() ? pair_of_array(element) : pair_of_object(element);
    if (!pair.key.is_string()) refuse_type("$arrayToObject", "strings as names", pair.key);
    if (pair.key.text().find('\0') != std::string_view::npos) refuse_pair("found a NUL in a name");
    object.set(pair.key.text(), pair.value);
  }
  return object.build();
}

constexpr Function kObjectFunctions[] = {
    {"$mergeObjects", 0, kAny, call_merge_objects},
    {"$objectToArray", 1, 1, call_object_to_array},
    {"$arrayToObject", 1, 1, call_array_to_object},
};
constexpr Form kObjectForms[] = {
    {"$getField", parse_get_field},
    {"$setField", parse_set_field},
    {"$unsetField", parse_set_field},
};

}  // namespace

Family object_family() { return {kObjectFunctions, {}, kObjectForms}; }

}  // namespace gantry::data::expr
