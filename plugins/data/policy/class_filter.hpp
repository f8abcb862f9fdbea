// policy/class_filter.hpp: the list of classes that narrows what an agent sees.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

// Immutable; any thread.
class ClassFilter {
 public:
  // `only`: nothing: all. `except` wins over it. Names are spelled as in the catalog.
  ClassFilter(std::optional<std::vector<std::string>> only, std::vector<std::string> except);

  // `except` ignores ASCII case, as SQLite does.
  bool allows(std::string_view name) const;
  // Equal for two filters that allow the same; part of the keys of caches.
  const std::string& text() const { return text_; }

 private:
  std::optional<std::vector<std::string>> only_;
  std::vector<std::string> except_;
  std::string text_;
};

using ClassFilterPtr = std::shared_ptr<const ClassFilter>;  // null: all classes

// Whether an agent with this list (null: all) sees the class: no class of catalog/floor.hpp, and
// allowed by the list.
bool is_visible_class(std::string_view name, const ClassFilter* classes);

}  // namespace gantry::data
