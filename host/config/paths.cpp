#include "host/config/paths.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace gantry::host {
namespace fs = std::filesystem;

Result<fs::path> user_state_directory() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return fs::path(state) / "gantry";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".local" / "state" / "gantry";
  return Status::invalid(
      "neither XDG_STATE_HOME nor HOME is set; say where to keep state with --state DIR");
}

Status make_private_directory(const fs::path& directory) {
  std::error_code error;
  if (const auto parent = directory.parent_path(); !parent.empty())
    fs::create_directories(parent, error);
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return Status::invalid("cannot make the state directory " + directory.string() + ": " +
                           std::strerror(errno));
  }
  struct stat found {};
  if (::stat(directory.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) {
    return Status::invalid("the state directory " + directory.string() + " is not a directory");
  }
  // A directory that the operator made by hand has the usual mode, 0755: it becomes private. One
  // with write permission for all users is refused, since its content may come from any of them.
  const bool is_open = (found.st_mode & S_IWOTH) != 0;
  const bool is_private = (found.st_mode & 077) == 0;
  if (is_open || (!is_private && ::chmod(directory.c_str(), 0700) != 0)) {
    return Status::invalid("the state directory " + directory.string() +
                           " must be private (mode 0700)");
  }
  return {};
}

}  // namespace gantry::host
