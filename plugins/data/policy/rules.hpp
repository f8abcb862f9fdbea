// policy/rules.hpp: what one agent may see, compiled once from its profile.
//
// Today this is the agent's list of classes; rules about fields and rows belong here too. Every
// cache that holds what an agent saw is keyed by fingerprint(). Immutable; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "policy/class_filter.hpp"

namespace gantry::data {

class Rules {
 public:
  // `classes` null: all.
  explicit Rules(ClassFilterPtr classes = {})
      : classes_(std::move(classes)), fingerprint_(classes_ ? classes_->text() : std::string()) {}

  bool shows_class(std::string_view name) const { return is_visible_class(name, classes_.get()); }
  // The agent's list; null: all classes.
  const ClassFilterPtr& classes() const { return classes_; }
  // Equal for two agents that see the same; empty: an agent without rules.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  ClassFilterPtr classes_;
  std::string fingerprint_;
};

using RulesPtr = std::shared_ptr<const Rules>;

}  // namespace gantry::data
