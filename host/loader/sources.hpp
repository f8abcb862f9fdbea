// host/loader/sources.hpp: which files are plugins' files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/trust/trust.hpp"

namespace gantry::host {

// A directory (every *.so in it; names that begin with a dot are left out) or one file.
struct PluginSource {
  std::filesystem::path path;
  bool builtin = false;
  bool operator==(const PluginSource&) const = default;
};

struct FoundFile {
  std::filesystem::path file;
  bool builtin = false;
  std::string problem;  // why there is nothing to read; a sentence, or empty
  // The directory exists but cannot be listed, or is not trusted now: its known files stay.
  bool unknown_directory = false;
};

// The files of all sources in their order, within a directory by name. A file that several sources
// lead to is listed once. Without `trust` every directory may be used. Control thread.
std::vector<FoundFile> find_files(const std::vector<PluginSource>& sources, const Trust* trust);

}  // namespace gantry::host
