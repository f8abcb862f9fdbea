#include "where/path.hpp"

#include <charconv>
#include <optional>

namespace gantry::data::where {
namespace {

// "0", "1", "12": an array index in MongoDB's form, without leading zeros.
std::optional<rapidjson::SizeType> position(const std::string& name) {
  rapidjson::SizeType value = 0;
  const char* end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data(), end, value);
  if (error != std::errc() || last != end || (name.size() > 1 && name.front() == '0')) {
    return std::nullopt;
  }
  return value;
}

const Json* member(const Json& object, const std::string& name) {
  const auto found = object.FindMember(
      Json(rapidjson::StringRef(name.data(), static_cast<rapidjson::SizeType>(name.size()))));
  return found == object.MemberEnd() ? nullptr : &found->value;
}

class Walker {
 public:
  Walker(bool whole_arrays, const Visit& visit) : whole_arrays_(whole_arrays), visit_(visit) {}

  bool value(const View& view, Path path) const {
    if (view.type == View::Type::array) return array(*view.json, path);
    if (path.empty()) return visit_(view);
    if (view.json == nullptr) return visit_(View());
    const Json* child = member(*view.json, path.front());
    return child == nullptr ? visit_(View()) : value(view_of(*child), path.subspan(1));
  }

  bool array(const Json& json, Path path) const {
    if (path.empty()) return leaf(json);
    const auto at = position(path.front());
    for (rapidjson::SizeType i = 0; i < json.Size(); ++i) {
      const View element = view_of(json[i]);
      if (element.type == View::Type::object && value(element, path)) return true;
      if (at == i && named(element, path.subspan(1))) return true;
    }
    return false;
  }

 private:
  bool leaf(const Json& json) const {
    if (!whole_arrays_) {
      for (const Json& element : json.GetArray()) {
        if (visit_(view_of(element))) return true;
      }
    }
    View whole;
    whole.type = View::Type::array;
    whole.json = &json;
    return visit_(whole);
  }

  // If the path ends at an element that it names by index, that element is not traversed.
  bool named(const View& element, Path rest) const {
    if (rest.empty()) return visit_(element);
    const bool deeper = element.type == View::Type::array || element.type == View::Type::object;
    return deeper && value(element, rest);
  }

  bool whole_arrays_;
  const Visit& visit_;
};

}  // namespace

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t dot = 0; dot != std::string_view::npos;) {
    dot = path.find('.');
    parts.emplace_back(path.substr(0, dot));
    if (dot != std::string_view::npos) path.remove_prefix(dot + 1);
  }
  return parts;
}

bool walk(const View& root, Path path, bool whole_arrays, const Visit& visit) {
  return Walker(whole_arrays, visit).value(root, path);
}

bool walk_positions(const Json& array, Path path, bool whole_arrays, const Visit& visit) {
  const auto at = path.empty() ? std::nullopt : position(path.front());
  if (!at || *at >= array.Size()) return visit(View());
  return Walker(whole_arrays, visit).value(view_of(array[*at]), path.subspan(1));
}

}  // namespace gantry::data::where
