#include "host/auth/state_key.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "host/auth/sealed_text.hpp"
#include "host/base/unique_fd.hpp"

namespace gantry::host {
namespace {

Status unusable(const std::filesystem::path& file, int error) {
  return Status::failed("the key " + file.string() +
                        " cannot be used: " + std::generic_category().message(error));
}

// A file that appears whole: another server may start on the same directory now.
Status make_key(const std::filesystem::path& file) {
  const std::filesystem::path aside = file.native() + "." + std::to_string(::getpid());
  const aead::Key key = random_key();
  {
    const UniqueFd fd(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd.is_open() ||
        ::write(fd.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size())) {
      const int error = errno;
      ::unlink(aside.c_str());
      return unusable(file, error);
    }
  }
  const bool made = ::link(aside.c_str(), file.c_str()) == 0 || errno == EEXIST;
  const int error = errno;
  ::unlink(aside.c_str());
  return made ? Status::ok() : unusable(file, error);
}

}  // namespace

Result<aead::Key> read_or_make_key(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    if (Status status = make_key(file); !status) return status;
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return unusable(file, errno);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  aead::Key key;
  if (bytes.size() != key.size()) {
    return Status::failed("the key " + file.string() + " has " + std::to_string(bytes.size()) +
                          " bytes instead of " + std::to_string(key.size()) +
                          "; remove it, then the server makes a new one, and cannot read what was "
                          "sealed with this one: clients of open sessions must initialize again, "
                          "and writes that were recorded cannot be undone");
  }
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

}  // namespace gantry::host
