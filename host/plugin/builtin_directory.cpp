#include "host/plugin/builtin_directory.hpp"

#include <system_error>

namespace gantry::host {
namespace fs = std::filesystem;

fs::path builtin_plugins_directory() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path root = program.parent_path().parent_path();
  const fs::path installed = root / "lib" / "gantry" / "plugins";
  return fs::is_directory(installed, error) ? installed : root / "plugins";
}

}  // namespace gantry::host
