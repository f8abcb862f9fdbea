#include "host/loader/private_copy.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

#include "host/loader/unique_fd.hpp"

namespace gantry::host {
namespace {

// Names must differ within the process, whichever loader makes them.
std::atomic<std::uint64_t> next_copy{1};

Status failed(const std::filesystem::path& path, const char* what, int error) {
  return Status::failed(path.string() + " " + what + ": " + std::generic_category().message(error) +
                        "; give another state directory, or room and rights for this one");
}

// The process that made g<counter>-<pid>.so, or nothing when the name is another's.
std::optional<pid_t> maker_of(std::string_view name) {
  const std::size_t dash = name.find('-');
  if (!name.starts_with('g') || !name.ends_with(".so") || dash == name.npos) return std::nullopt;
  const std::string_view digits = name.substr(dash + 1, name.size() - dash - 4);
  pid_t pid = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, pid);
  if (error != std::errc{} || stop != end || pid <= 0) return std::nullopt;
  return pid;
}

Status write_all(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failed(path, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return Status::ok();
}

}  // namespace

Result<PrivateDirectory> PrivateDirectory::open(std::filesystem::path path) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return failed(path, "cannot be made", errno);
  }
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return failed(path, "cannot be used", errno);
  if (!S_ISDIR(info.st_mode)) return failed(path, "cannot be used", ENOTDIR);
  if (info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return Status::denied(path.string() +
                          " must belong to the host's user and be writable by nobody else, since "
                          "code is loaded from it; chmod 700 it or give another state directory");
  }
  PrivateDirectory directory(std::move(path));
  directory.sweep();
  return directory;
}

// A file that is still mapped somewhere loses only its name.
void PrivateDirectory::sweep() const {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error)) {
    const auto pid = maker_of(entry.path().filename().string());
    if (!pid || *pid == ::getpid()) continue;
    if (::kill(*pid, 0) != 0 && errno == ESRCH) ::unlink(entry.path().c_str());
  }
}

Result<std::filesystem::path> PrivateDirectory::add(std::string_view bytes) const {
  for (;;) {
    const std::string name =
        "g" + std::to_string(next_copy++) + "-" + std::to_string(::getpid()) + ".so";
    std::filesystem::path file = path_ / name;
    const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700));
    if (!fd.is_open()) {
      if (errno == EEXIST) continue;  // of an earlier process with our number
      return failed(file, "cannot be made", errno);
    }
    if (Status status = write_all(fd.get(), bytes, file); !status) {
      ::unlink(file.c_str());
      return status;
    }
    return file;
  }
}

}  // namespace gantry::host
