// A frame is one schema applied to one value: the value, its place and the marks of its members.
#pragma once

#include <cstdint>
#include <string_view>

#include "run/evaluated.hpp"
#include "text.hpp"

namespace gantry::schema::detail {

// The place of a frame in the instance; a linked list on the stack.
struct Path {
  const Path* up = nullptr;
  std::string_view name;       // of a member, when `is_name`
  std::uint32_t position = 0;  // of an element otherwise
  bool is_name = false;
  bool is_key = false;  // the member's name itself is checked
};

// The resources entered so far, innermost first; $dynamicRef searches them.
struct Scope {
  const Scope* up = nullptr;
  std::uint32_t resource = 0;
};

struct Frame {
  const Json& value;
  const Path* path = nullptr;
  const Scope* scope = nullptr;
  bool secret = false;        // the value, or one that contains it, must not be quoted
  Evaluated* seen = nullptr;  // evaluated members are marked here; null: not needed
  std::uint32_t node = 0;
};

}  // namespace gantry::schema::detail
