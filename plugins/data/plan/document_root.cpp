#include "plan/document_root.hpp"

#include <algorithm>
#include <string>

namespace gantry::data {
namespace {

// {$cond: [{$eq: [{$type: "$$ROOT._id"}, "missing"]}, "$$ROOT", {$unsetField: …}]}
Value stored_root() {
  const Value root = Value::string("$$ROOT");
  Value is_missing = object_of("$eq", Value::array({object_of("$type", Value::string("$$ROOT._id")),
                                                    Value::string("missing")}));
  Value without_id =
      object_of("$unsetField",
                ObjectBuilder().add("field", Value::string("objectId")).add("input", root).build());
  return object_of("$cond", Value::array({std::move(is_missing), root, std::move(without_id)}));
}

bool is_variable(const Value& value, std::string_view name) {
  return value.is_string() && value.text() == name;
}

// Whether a $let or a stage's `let` defines CURRENT.
bool rebinds_current(const Value& expression) {
  if (expression.is_array()) {
    const Array& elements = expression.elements();
    return std::any_of(elements.begin(), elements.end(), rebinds_current);
  }
  if (!expression.is_object()) return false;
  const auto& members = expression.members();
  return std::any_of(members.begin(), members.end(), [](const Member& member) {
    return member.name == "CURRENT" || rebinds_current(member.value);
  });
}

class Rewriting {
 public:
  explicit Rewriting(bool with_current) : with_current_(with_current) {}

  Value operator()(const Value& expression) const {
    if (is_variable(expression, "$$ROOT")) return root_;
    if (with_current_ && is_variable(expression, "$$CURRENT")) return root_;
    if (expression.is_array()) {
      Array changed;
      for (const Value& element : expression.elements()) changed.push_back((*this)(element));
      return Value::array(std::move(changed));
    }
    if (!expression.is_object()) return expression;
    ObjectBuilder changed;
    for (const auto& [name, value] : expression.members()) {
      changed.add(name, name == "$literal" ? value : (*this)(value));
    }
    return changed.build();
  }

 private:
  Value root_ = stored_root();
  bool with_current_;
};

}  // namespace

Value with_stored_root(const Value& expression) {
  return Rewriting(!rebinds_current(expression))(expression);
}

}  // namespace gantry::data
