#include "host/trust/small_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host/base/unique_fd.hpp"

namespace gantry::host::trust {
namespace {

Result<std::string> failed(const std::filesystem::path& file) {
  return Status(errno == ENOENT ? GANTRY_NOT_FOUND : GANTRY_FAILED,
                file.string() + " cannot be read: " + std::strerror(errno));
}

}  // namespace

Result<std::string> read_small_file(const std::filesystem::path& file, std::size_t most) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!fd.is_open() || ::fstat(fd.get(), &info) != 0) return failed(file);
  if (!S_ISREG(info.st_mode)) return Status::invalid(file.string() + " is no regular file");
  std::string text(most + 1, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = ::read(fd.get(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(file);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  if (have > most) {
    return Status(GANTRY_TOO_BIG,
                  file.string() + " has more than " + std::to_string(most) + " bytes");
  }
  text.resize(have);
  return text;
}

}  // namespace gantry::host::trust
