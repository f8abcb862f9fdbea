#include "tables/columns.hpp"

#include <algorithm>

#include "values/pointer.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kMostLeftOut = 20;

std::vector<std::string> names_below_root(std::string_view path) {
  std::vector<std::string> names;
  while (path.find('.') != std::string_view::npos) {
    path.remove_prefix(path.find('.') + 1);
    names.emplace_back(root_of(path));
  }
  return names;
}

// The JSON of the pointer that the included `object` replaced; empty if it replaced none.
std::string pointer_to(const Json& object) {
  const auto type = object.find("__type"), name = object.find("className");
  const auto id = object.find("objectId");
  if (!type || type->text() != "\"Object\"" || !name || !id) return {};
  return pointer_prefix(name->text()).append(id->text()) += '}';
}

}  // namespace

bool is_mark(std::string_view name) {
  return name == "__type" || name == "className" || name == "ACL";
}

std::string_view root_of(std::string_view path) { return path.substr(0, path.find('.')); }

Columns::Columns(std::vector<Column> list) {
  cells_.resize(list.size());
  shows_pointers_.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto names = names_below_root(list[i].path);
    if (!names.empty()) {
      places_[std::string(root_of(list[i].path))].push_back({i, std::move(names), false});
    }
    places_[std::move(list[i].path)].push_back({i, {}, true});
    headers_.push_back(std::move(list[i].header));
  }
}

Columns Columns::of_row(const Json& row) {
  std::vector<Column> list;
  for (const auto& [name, value] : row.members()) {
    const auto same = [&, &it = name](const Column& column) { return column.path == it; };
    if (is_mark(name) || std::any_of(list.begin(), list.end(), same)) continue;
    list.push_back({name, name});
  }
  return Columns(std::move(list));
}

const Cells& Columns::pick(const Json& row) {
  std::fill(cells_.begin(), cells_.end(), std::nullopt);
  gathered_.clear();
  for (const auto& [name, value] : row.members()) {
    const auto found = places_.find(name);
    if (found == places_.end()) {
      leave_out(name);
      continue;
    }
    for (const Place& place : found->second) set(place, value);
  }
  put_pointers_back();
  return cells_;
}

void Columns::put_pointers_back() {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (!shows_pointers_[i] || !cells_[i]) continue;
    const std::string& pointer = gathered_.emplace_back(pointer_to(*cells_[i]));
    if (!pointer.empty()) cells_[i] = *Json::parse(pointer);
  }
}

// A member whose name equals the whole path, dots included, takes precedence over a nested member.
void Columns::set(const Place& place, const Json& member) {
  std::optional<Json>& cell = cells_[place.column];
  if (place.is_whole) {
    cell = member;
  } else if (!cell) {
    cell = below(member, place.below, 0);
  }
}

std::optional<Json> Columns::below(const Json& value, const std::vector<std::string>& names,
                                   std::size_t from) {
  std::optional<Json> at = value;
  for (; from < names.size() && at; ++from) {
    if (at->is_array()) {
      std::string list = "[";
      for (const Json element : at->elements()) {
        const auto found = element.is_object() ? below(element, names, from) : std::nullopt;
        if (found) list.append(list.size() > 1 ? "," : "").append(found->text());
      }
      const auto parsed = Json::parse(gathered_.emplace_back(list + "]"));
      return parsed ? std::optional<Json>(*parsed) : std::nullopt;
    }
    at = at->find(names[from]);
  }
  return at;
}

void Columns::leave_out(const std::string& name) {
  if (left_out_.size() == kMostLeftOut || is_mark(name)) return;
  if (std::find(left_out_.begin(), left_out_.end(), name) == left_out_.end()) {
    left_out_.push_back(name);
  }
}

}  // namespace gantry::data
