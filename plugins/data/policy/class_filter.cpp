#include "policy/class_filter.hpp"

#include <algorithm>
#include <utility>

#include "catalog/column_type.hpp"
#include "catalog/floor.hpp"

namespace gantry::data {
namespace {

// Sorted; each name with its length in front, so that no two lists have one text.
std::string text_of_names(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += std::to_string(name.size()) + ':' + name;
  return text;
}

}  // namespace

ClassFilter::ClassFilter(std::optional<std::vector<std::string>> only,
                         std::vector<std::string> except)
    : only_(std::move(only)), except_(std::move(except)) {
  text_ = only_ ? "only " + text_of_names(*only_) : "all";
  text_ += " except " + text_of_names(except_);
}

bool ClassFilter::allows(std::string_view name) const {
  const auto is_same = [name](const std::string& other) { return same_name(name, other); };
  if (std::any_of(except_.begin(), except_.end(), is_same)) return false;
  return !only_ || std::find(only_->begin(), only_->end(), name) != only_->end();
}

bool is_visible_class(std::string_view name, const ClassFilter* classes) {
  return !is_hidden_class(name) && (classes == nullptr || classes->allows(name));
}

}  // namespace gantry::data
