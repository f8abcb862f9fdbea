#include "pipeline/provenance.hpp"

namespace gantry::data::pipeline {
namespace {

bool is_below(std::string_view path, std::string_view above) {
  return path.size() > above.size() + 1 && path.starts_with(above) && path[above.size()] == '.';
}

}  // namespace

Origin Shape::origin_of(std::string_view path) const {
  for (std::string_view at = path;;) {
    if (const auto it = paths_.find(at); it != paths_.end()) return it->second;
    const std::size_t dot = at.rfind('.');
    if (dot == std::string_view::npos) break;
    at = at.substr(0, dot);
  }
  if (has_class_fields_) return Origin::of_class;
  Origin found = has_unknown_fields_ ? Origin::made : Origin::none;
  for (const auto& [other, origin] : paths_) {
    if (!is_below(other, path) || origin == Origin::none) continue;
    if (origin == Origin::of_class) return origin;
    found = origin;
  }
  return found;
}

void Shape::erase_below(const std::string& path) {
  std::erase_if(paths_, [&](const auto& entry) { return is_below(entry.first, path); });
}

void Shape::set(const std::string& path, Origin origin) {
  erase_below(path);
  paths_[path] = origin;
}

void Shape::make(const std::string& path) { set(path, Origin::made); }
void Shape::drop(const std::string& path) { set(path, Origin::none); }

void Shape::keep_only(const std::vector<std::string>& kept) {
  Shape next = made(false);
  for (const std::string& path : kept) {
    const Origin origin = origin_of(path);
    if (origin == Origin::none) continue;
    next.paths_[path] = origin;
    for (const auto& [other, below] : paths_) {
      if (is_below(other, path)) next.paths_[other] = below;
    }
  }
  *this = std::move(next);
}

}  // namespace gantry::data::pipeline
