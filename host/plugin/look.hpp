// host/plugin/look.hpp: what a plugin's file says, read from its bytes without running any of it.
//
// The same bytes are what is loaded afterwards, so what was checked is what runs. Bytes behind
// the last segment are legal and ignored. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host {

struct Look {
  std::string manifest;                // the note's JSON, trailing NULs and spaces dropped
  std::vector<std::string> needed;     // libraries it is linked with
  std::vector<std::string> undefined;  // names it expects from them or from the host
  std::vector<std::string> exported;   // names besides the entry
  std::size_t unique_symbols = 0;      // GNU_UNIQUE ones: they pin the library for ever
  bool never_unloads = false;          // linked with -z nodelete

  // What is legal but will hurt, one sentence each.
  std::vector<std::string> warnings() const;
};

// Every error is one sentence that says what to do. GANTRY_INVALID_ARGUMENT; GANTRY_UNSUPPORTED
// for a plugin of another ABI.
Result<Look> look(std::string_view bytes);

}  // namespace gantry::host
