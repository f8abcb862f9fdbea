// host/plugin/elf_inspection.hpp: reads a plugin's file without running any of its code.
//
// The inspection is shallow: the file is a complete shared library for this machine, holds a
// manifest and exports the plugin's table. The trial in a child process (host/worker/probe.hpp)
// finds damage beyond that, with one exception: segments that do not agree with the sections
// are checked here, because a trial cannot see what they do later (elf_segments.hpp). The bytes
// inspected are the bytes loaded afterwards. Bytes after the last segment are legal and ignored.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host {

struct ElfInspection {
  std::string manifest;                // the note's JSON, trailing NULs and spaces dropped
  std::vector<std::string> needed;     // libraries it is linked with
  std::vector<std::string> undefined;  // symbols it expects from them or from the host
  std::vector<std::string> exported;   // symbols besides gantry_plugin_v1
  std::size_t unique_symbols = 0;      // GNU_UNIQUE ones keep the library mapped for ever
  bool never_unloads = false;          // linked with -z nodelete

  // Legal properties that cause trouble later, one sentence each.
  std::vector<std::string> warnings() const;
};

// Every error is one sentence that says what to do. GANTRY_INVALID_ARGUMENT; GANTRY_UNSUPPORTED
// for a plugin of another ABI.
Result<ElfInspection> inspect_elf(std::string_view bytes);

}  // namespace gantry::host
