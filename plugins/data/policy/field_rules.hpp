// policy/field_rules.hpp: the fields of a class that an agent may see, by name.
//
// Immutable; any thread.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gantry::data {

struct ClassRules;
class Rules;

// The permitted names of a class's root fields. objectId, _id, createdAt and updatedAt always are.
class FieldRules {
 public:
  FieldRules(const ClassRules& cls, const Rules& rules);
  // Whether the class has any rule about fields for this agent.
  bool any() const { return only_.has_value() || !protected_.empty(); }
  bool permits(std::string_view name) const;
  // The listed names, sorted; nothing: all that are not protected.
  const std::optional<std::set<std::string, std::less<>>>& only() const { return only_; }

 private:
  std::optional<std::set<std::string, std::less<>>> only_;
  std::set<std::string, std::less<>> protected_;
};
using FieldRulesPtr = std::shared_ptr<const FieldRules>;  // null: no rules about fields

}  // namespace gantry::data
