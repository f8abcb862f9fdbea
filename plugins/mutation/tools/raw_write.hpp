// tools/raw_write.hpp: what the tools for objects and classes have in common: preview, plan token,
// commit.
//
// Threads as in gantry::Plugin.
#pragma once

#include "tools/tools.hpp"

#include <string_view>

namespace mutation {

// A tool over one operation of gantry.data/1.
struct RawWrite {
  std::string_view tool, op;
  // Of objects: the members of one object; several come in `objects`.
  bool takes_id = false, takes_data = false;
  // Writes the members of the answer after a commit, behind class_name.
  void (*answer)(const gantry::Json& arguments, const gantry::DataReply& reply,
                 gantry::JsonWriter& out) = nullptr;
};

// Of objects: their arguments are one object or `objects`. Answers the call.
void write_objects(const Services& services, gantry::Call& call, const RawWrite& write);
// Of classes.
void write_class(const Services& services, gantry::Call& call, const RawWrite& write);

}  // namespace mutation
