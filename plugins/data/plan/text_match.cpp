#include "plan/text_match.hpp"

#include <algorithm>
#include <utility>

#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

// Whether a filter has a $text at a place where Taker finds it.
bool has_text(const Value& filter) {
  return std::any_of(filter.members().begin(), filter.members().end(), [](const Member& one) {
    if (one.name == "$text") return true;
    if (one.value.is_object()) return !one.value.find("$text").is_missing();
    if (one.name != "$and" || !one.value.is_array()) return false;
    const Array& list = one.value.elements();
    return std::any_of(list.begin(), list.end(),
                       [](const Value& each) { return each.is_object() && has_text(each); });
  });
}

// Separates conditions with $text from those without.
class Taker {
 public:
  Value filter(const Value& spec) {
    ObjectBuilder rest;
    for (const Member& one : spec.members()) {
      if (one.name == "$text") {
        take(one.name, one.value);
      } else if (one.name == "$and" && one.value.is_array()) {
        rest.add(one.name, list(one.value));
      } else if (one.value.is_object() && !one.value.find("$text").is_missing()) {
        field(one, rest);
      } else {
        rest.add(one.name, one.value);
      }
    }
    return rest.build();
  }

  Array& taken() { return taken_; }

 private:
  void take(const std::string& name, const Value& value) {
    taken_.push_back(ObjectBuilder().add(name, value).build());
  }

  void field(const Member& one, ObjectBuilder& rest) {
    ObjectBuilder others;
    for (const Member& member : one.value.members()) {
      if (member.name != "$text") others.add(member.name, member.value);
    }
    take(one.name, ObjectBuilder().add("$text", one.value.find("$text")).build());
    if (!others.empty()) rest.add(one.name, others.build());
  }

  Value list(const Value& filters) {
    Array rest;
    for (const Value& one : filters.elements()) {
      rest.push_back(one.is_object() ? filter(one) : one);
    }
    return Value::array(std::move(rest));
  }

  Array taken_;
};

}  // namespace

TextMatch take_text(const ClassView* cls, const Value& stages) {
  TextMatch text;
  text.stages = stages;
  if (cls == nullptr || cls->is_open() || stages.elements().empty()) return text;
  const Value& match = stages.elements().front().find("$match");
  if (!match.is_object() || !has_text(match)) return text;
  Taker taker;
  Value rest = taker.filter(match);
  Array others = stages.elements();
  others.front() = ObjectBuilder().add("$match", std::move(rest)).build();
  text.stages = Value::array(std::move(others));
  const Value conditions = Value::array(std::move(taker.taken()));
  const bool is_one = conditions.elements().size() == 1;
  text.filter =
      is_one ? conditions.elements().front() : ObjectBuilder().add("$and", conditions).build();
  return text;
}

Array with_text(const Value& filter, Array pushed) {
  if (filter.is_missing()) return pushed;
  const Value first = pushed.empty() ? Value() : pushed.front().find("$match");
  if (!first.is_object()) {
    pushed.insert(pushed.begin(), ObjectBuilder().add("$match", filter).build());
    return pushed;
  }
  const bool is_bare = first.members().empty();
  Value both =
      is_bare ? filter : ObjectBuilder().add("$and", Value::array({filter, first})).build();
  pushed.front() = ObjectBuilder().add("$match", std::move(both)).build();
  return pushed;
}

}  // namespace gantry::data
