// tools/gantry/chat/names.hpp: names of tools as providers allow them.
//
// One thread at a time.
#pragma once

#include <map>
#include <string>

namespace gantry::cli::chat {

// Both ways between a tool's own name and one of [a-zA-Z0-9_-]{1,64} that no other tool has.
class Names {
 public:
  // Returns the provider's name for `own`.
  std::string add(const std::string& own);
  // The tool's own name; empty: no tool has this one.
  std::string own(const std::string& given) const;

 private:
  std::map<std::string, std::string> own_;  // by the provider's name
};

}  // namespace gantry::cli::chat
