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
  // Files are given to the host as copies in `directory`, complete at once.
  Served(HostChoice host, std::filesystem::path directory);
  // Takes away what was not there before.
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  // Gives the host this file. The sentence for the author: what serves now, or why the file does
  // not, and what serves still.
  Result<std::string> swap(const std::filesystem::path& library);

  // What serves now, for sentences about builds that failed.
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
