#include "tools/gantry/project/sdk.hpp"

#include <filesystem>
#include <system_error>

namespace gantry::cli {
namespace fs = std::filesystem;

std::string program_directory() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

std::string sdk_prefix() {
  std::error_code error;
  const fs::path prefix = fs::path(program_directory()).parent_path();
  if (prefix == "/usr" || prefix == "/usr/local") return {};
  return fs::exists(prefix / "lib/cmake/GantrySDK", error) ? prefix.string() : std::string();
}

}  // namespace gantry::cli
