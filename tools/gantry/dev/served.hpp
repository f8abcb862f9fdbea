// tools/gantry/dev/served.hpp: one plugin in a running host, swapped when its file changes.
//
// Main thread.
#pragma once

#include <filesystem>
#include <string>

#include <gantry/result.hpp>

#include "tools/gantry/host/host.hpp"

namespace gantry::cli {

class Served {
 public:
  // The host gets complete copies of the files in `directory`.
  Served(HostChoice host, std::filesystem::path directory);
  // Unloads the plugin unless the host had it before.
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  // Gives the host this file. Returns the sentence for the author: which plugin serves now, or why
  // the file was refused and which generation still serves.
  Result<std::string> swap(const std::filesystem::path& library);

  // The generation that serves now, for messages about failed builds.
  std::string standing();

 private:
  Status copy(const std::filesystem::path& library, bool& changed);
  Result<std::string> give();

  const HostChoice host_;
  const std::filesystem::path directory_;
  std::filesystem::path file_;
  std::string bytes_, name_;  // of the file that was given last; of the plugin, once it is known
};

}  // namespace gantry::cli
