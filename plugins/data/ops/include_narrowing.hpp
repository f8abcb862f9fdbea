// ops/include_narrowing.hpp: the fields of an object that a bare pointer includes.
//
// A pointer that `keys` names bare, that `include` names alone and below which no path is asked for
// shows its object without what the class's model leaves out of joins: agent_join_fields if they
// are declared, else agent_fields less large_fields, else all fields less large_fields. A path
// below the pointer brings back each field that it names. This saves bytes; it hides nothing. Any
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/read.hpp"

namespace gantry::data {

class IncludeNarrowing {
 public:
  // Of the class that is included; nothing: its objects are shown whole.
  static std::optional<IncludeNarrowing> of(const ClassView& cls);

  // Ids and dates of objects are always kept.
  bool keeps(std::string_view field) const;
  // The fields that are left out, of those that the agent could ask for.
  std::vector<std::string> dropped() const;

 private:
  explicit IncludeNarrowing(const ClassView& cls) : cls_(&cls) {}

  const ClassView* cls_;
};

// Whether the read includes `pointer` in that way.
bool is_bare_include(const Shape& shape, std::string_view pointer);

// The member truncated_include_fields with a comma before it: the dropped fields by pointer; empty:
// none are.
struct NarrowedPointer {
  std::string name;
  std::vector<std::string> dropped;
};
std::string truncated_member(const std::vector<NarrowedPointer>& pointers);

}  // namespace gantry::data
