#include "host/app/files.hpp"

#include "host/control/paths.hpp"

namespace gantry::host {

namespace fs = std::filesystem;

std::vector<fs::path> closed_paths(const Settings& settings, const fs::path& state) {
  std::vector<fs::path> out{state};
  if (settings.control == "none") return out;
  out.push_back(settings.control.empty() ? control::runtime_directory()
                                         : fs::absolute(settings.control).parent_path());
  return out;
}

}  // namespace gantry::host
