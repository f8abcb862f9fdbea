#include "pipeline/walk.hpp"

#include <algorithm>
#include <charconv>

namespace gantry::data::pipeline {
namespace {

Value& member_of(Value& object, const std::string& name) {
  Members& members = object.own_members();
  const auto it = std::find_if(members.begin(), members.end(),
                               [&](const Member& member) { return member.name == name; });
  if (it != members.end()) return it->value;
  return members.emplace_back(Member{name, Value()}).value;
}

void erase_member(Value& object, const std::string& name) {
  if (object.find(name).is_missing()) return;
  std::erase_if(object.own_members(), [&](const Member& member) { return member.name == name; });
}

// -1 when `part` is not an array index.
std::int64_t place_of(const std::string& part) {
  std::int64_t place = -1;
  const char* const end = part.data() + part.size();
  const auto read = std::from_chars(part.data(), end, place);
  return read.ec == std::errc() && read.ptr == end && place >= 0 ? place : -1;
}

class Visitor {
 public:
  Visitor(const Path& path, const std::function<void(const Value&)>& visit)
      : path_(path), visit_(visit) {}

  void in_object(const Value& object, std::size_t part) const {
    const Value& value = object.find(path_[part]);
    at_value(value, part + 1);
  }

 private:
  void at_value(const Value& value, std::size_t part) const {
    if (part == path_.size()) return at_end(value);
    if (value.is_object()) return in_object(value, part);
    if (value.is_array()) in_array(value.elements(), part);
  }

  void at_end(const Value& value) const {
    if (!value.is_array()) {
      if (!value.is_missing()) visit_(value);
      return;
    }
    for (const Value& element : value.elements()) {
      Spending::step_current();
      visit_(element);
    }
  }

  void in_array(const Array& elements, std::size_t part) const {
    const auto place = static_cast<std::uint64_t>(place_of(path_[part]));
    if (place < elements.size()) at_value(elements[place], part + 1);
    for (const Value& element : elements) {
      Spending::step_current();
      if (element.is_object()) in_object(element, part);
    }
  }

  const Path& path_;
  const std::function<void(const Value&)>& visit_;
};

}  // namespace

const Value& value_at(const Value& document, const Path& path) {
  const Value* at = &document;
  for (const std::string& part : path) at = &at->find(part);
  return *at;
}

void set_at(Value& document, const Path& path, Value value) {
  Value* at = &document;
  for (const std::string& part : path) {
    if (!at->is_object()) *at = ObjectBuilder().build();
    at = &member_of(*at, part);
  }
  *at = std::move(value);
}

void remove_at(Value& document, const Path& path) {
  if (value_at(document, path).is_missing()) return;
  Value* at = &document;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) at = &member_of(*at, path[i]);
  erase_member(*at, path.back());
}

void visit_values(const Value& document, const Path& path,
                  const std::function<void(const Value&)>& visit) {
  Visitor(path, visit).in_object(document, 0);
}

}  // namespace gantry::data::pipeline
