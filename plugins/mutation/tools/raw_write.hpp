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
  // For tools that write objects: the members of one object; several come in `objects`.
  bool takes_id = false, takes_data = false;
  // Writes the members of the answer after a commit, behind class_name.
  void (*answer)(const gantry::Json& arguments, const gantry::DataReply& reply,
                 gantry::JsonWriter& out) = nullptr;
};

// Answers a call of a tool that writes objects. Its arguments are one object or `objects`.
void write_objects(const Services& services, gantry::Call& call, const RawWrite& write);
// Answers a call of a tool that creates or deletes a class.
void write_class(const Services& services, gantry::Call& call, const RawWrite& write);

}  // namespace mutation
