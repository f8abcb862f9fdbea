#include "filter/path.hpp"

#include <charconv>

namespace gantry::data::filter {
namespace {

// "12" is array index 12; "012", "-1" and other texts are names only.
std::int64_t place_of(std::string_view name) {
  if (name.empty() || (name.size() > 1 && name[0] == '0') || name[0] == '-') return -1;
  std::int64_t place = -1;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, place);
  return error == std::errc() && stop == end ? place : -1;
}

// Counts steps of the query in long arrays.
void step_at_place(std::size_t place) {
  constexpr std::size_t kPlacesBetweenSteps = 64;
  if (place % kPlacesBetweenSteps == kPlacesBetweenSteps - 1) Spending::step_current();
}

}  // namespace

Path::Path(std::string_view dotted) : text_(dotted) {
  std::size_t begin = 0;
  while (true) {
    const std::size_t dot = dotted.find('.', begin);
    const std::string_view name = dotted.substr(begin, dot - begin);
    const std::int64_t place = parts_.empty() ? -1 : place_of(name);
    if (read_path_.empty() && place >= 0) read_path_ = dotted.substr(0, begin - 1);
    parts_.push_back({std::string(name), place});
    if (dot == std::string_view::npos) break;
    begin = dot + 1;
  }
  if (read_path_.empty()) read_path_ = text_;
}

Path Path::of_value(std::optional<std::string_view> dotted) {
  Path path = dotted ? Path(*dotted) : Path();
  if (dotted) path.parts_.front().place = place_of(path.parts_.front().name);
  path.is_of_value_ = true;
  return path;
}

bool Path::in_object(const Value& object, std::size_t part, Leaf leaf, const Visitor& visit) const {
  const Value* at = &object;
  for (; part < parts_.size(); ++part) {
    at = &at->find(parts_[part].name);
    if (at->is_array()) return in_array(*at, part + 1, leaf, visit);
    if (!at->is_object() && part + 1 < parts_.size()) return visit(Value());
  }
  return visit(*at);
}

bool Path::in_leaf(const Array& elements, const Value& whole, Leaf leaf,
                   const Visitor& visit) const {
  if (leaf == Leaf::elements_too) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      step_at_place(i);
      if (visit(elements[i])) return true;
    }
  }
  return visit(whole);
}

bool Path::in_array(const Value& array, std::size_t part, Leaf leaf, const Visitor& visit) const {
  const Array& elements = array.elements();
  if (part == parts_.size()) return in_leaf(elements, array, leaf, visit);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    step_at_place(i);
    const bool here = parts_[part].place == static_cast<std::int64_t>(i);
    if (in_element(elements[i], here, part, leaf, visit)) return true;
  }
  return false;
}

// `here`: the next part is the index of this element. An object is searched for the part as a name
// first; nested arrays are entered by index only.
bool Path::in_element(const Value& element, bool here, std::size_t part, Leaf leaf,
                      const Visitor& visit) const {
  if (element.is_object() && in_object(element, part, leaf, visit)) return true;
  if (!here) return false;
  if (part + 1 == parts_.size()) return visit(element);
  if (element.is_object()) return in_object(element, part + 1, leaf, visit);
  return element.is_array() && in_array(element, part + 1, leaf, visit);
}

}  // namespace gantry::data::filter
