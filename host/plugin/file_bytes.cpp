#include "host/plugin/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "host/base/unique_fd.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMaxFile = 256U << 20U, kPiece = 64U << 10U;

Status failed(const std::string& what, int error) {
  return Status::failed(what + ": " + std::generic_category().message(error));
}

}  // namespace

Status read_file_pieces(const std::filesystem::path& file,
                        const std::function<Status(std::string_view)>& take) {
  // Non-blocking, so that a pipe with this name does not hold the host up.
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.is_open()) return failed("the file cannot be opened", errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return failed("the file cannot be read", errno);
  if (!S_ISREG(info.st_mode)) return Status::invalid("it is no regular file");
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size > kMaxFile) {
    return Status::invalid("the file has " + std::to_string(size) +
                           " bytes, at most 256 MiB are loaded; strip its debug data");
  }
  std::array<char, kPiece> piece;
  for (std::size_t left = size; left > 0;) {
    const ssize_t got = ::read(fd.get(), piece.data(), std::min(left, piece.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("the file cannot be read", errno);
    if (got == 0) break;  // the file shrank; inspect_elf() reports it
    left -= static_cast<std::size_t>(got);
    const Status taken = take({piece.data(), static_cast<std::size_t>(got)});
    if (!taken) return taken;
  }
  return Status::ok();
}

Result<std::string> read_file_bytes(const std::filesystem::path& file) {
  std::string bytes;
  const Status read = read_file_pieces(file, [&bytes](std::string_view piece) {
    bytes += piece;
    return Status::ok();
  });
  if (!read) return read;
  return bytes;
}

}  // namespace gantry::host
