#include "plan/typing/joined_objects.hpp"

namespace gantry::data::typing {
namespace {

bool is_whole(std::string_view variable) { return variable == "$$ROOT" || variable == "$$CURRENT"; }

// Replaces the whole document by one without the joined objects.
void take_from_whole(Value& expression, const Array& names) {
  if (expression.is_string() && is_whole(expression.text())) {
    for (const Value& name : names) {
      expression = object_of("$unsetField", ObjectBuilder()
                                                .add("field", object_of("$literal", name))
                                                .add("input", std::move(expression))
                                                .build());
    }
  } else if (expression.is_array()) {
    for (Value& one : expression.own_elements()) take_from_whole(one, names);
  } else if (expression.is_object()) {
    for (Member& one : expression.own_members()) take_from_whole(one.value, names);
  }
}

}  // namespace

void JoinedObjects::add(const Joins& joins, Array& stages) {
  for (const Join& join : joins.list()) {
    std::set<std::string>& known = fields_[join.as];
    const std::size_t before = known.size();
    known.insert(join.fields.begin(), join.fields.end());
    if (known.size() == before) continue;
    ObjectBuilder fields;
    for (const std::string& field : known) fields.set(field, Value::int32(1));
    const Value only = Value::array({object_of("$project", fields.build())});
    stages.push_back(object_of("$lookup", ObjectBuilder()
                                              .add("from", text_value(join.cls->name))
                                              .add("localField", text_value(join.local))
                                              .add("foreignField", text_value(join.foreign))
                                              .add("pipeline", only)
                                              .add("as", text_value(join.as))
                                              .build()));
    stages.push_back(
        object_of("$set", object_of(join.as, object_of("$first", text_value("$" + join.as)))));
  }
}

void JoinedObjects::drop(Array& stages) {
  if (fields_.empty()) return;
  stages.push_back(object_of("$unset", Value::array(names())));
  fields_.clear();
}

void JoinedObjects::hide(Value& expression) const {
  if (!fields_.empty()) take_from_whole(expression, names());
}

Array JoinedObjects::names() const {
  Array names;
  for (const auto& [as, fields] : fields_) names.push_back(text_value(as));
  return names;
}

}  // namespace gantry::data::typing
