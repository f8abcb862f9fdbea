// host/calls/kinds.hpp: the differences between the kinds of items that clients enter.
//
// Pure functions and constants; any thread.
#pragma once

#include <string>
#include <string_view>

#include "host/calls/output.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host {

struct Kind {
  std::string_view name;    // as plugins are entered with it
  std::string_view noun;    // for sentences
  Output::For output;       // of a client's call
  std::string_view member;  // the array its result must hold; empty for a tool's
  bool may_ask;             // gantry.input/1
};

// The kind a client's call is entered as: `asked`, or the item's own when that is empty. Of a name
// that is no kind: a tool.
const Kind& kind_of(std::string_view asked, const Item* item = nullptr);

// "tool 'x'", "resource 'x://y'": for sentences.
std::string named(std::string_view kind, std::string_view key);

// A sentence for the log if `json` is no valid result of this kind; else empty.
std::string wrong_form(const Kind& kind, std::string_view json);

}  // namespace gantry::host
