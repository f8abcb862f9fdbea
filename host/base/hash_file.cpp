#include "host/base/hash_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "host/base/sha256.hpp"
#include "host/base/unique_fd.hpp"

namespace gantry::host {
HashFile::HashFile(std::filesystem::path file, std::size_t most)
    : file_(std::move(file)), most_(most) {
  std::ifstream in(file_, std::ios::binary);
  for (std::string line; std::getline(in, line) && hashes_.size() <= most_;) {
    hashes_.push_back(line);
  }
  if (hashes_.size() > most_ || !std::all_of(hashes_.begin(), hashes_.end(), is_sha256_hex)) {
    hashes_.clear();
  }
  std::error_code error;
  is_in_file_ =
      std::filesystem::file_size(file_, error) == hashes_.size() * (2 * sizeof(Sha256) + 1);
}

bool HashFile::has(const std::string& hash) const {
  return std::find(hashes_.begin(), hashes_.end(), hash) != hashes_.end();
}

void HashFile::add(const std::string& hash) {
  if (has(hash)) return;
  hashes_.push_back(hash);
  if (hashes_.size() > most_) {
    hashes_.erase(hashes_.begin(), hashes_.begin() + static_cast<std::ptrdiff_t>(most_ / 8));
    is_in_file_ = false;
  }
  is_in_file_ = (is_in_file_ && append(hash)) || write();
}

// One write: a reader sees the line or does not.
bool HashFile::append(const std::string& hash) const {
  const UniqueFd fd(::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  const std::string line = hash + '\n';
  return fd.is_open() &&
         ::write(fd.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

// A reader sees the old file or the new one.
bool HashFile::write() const {
  const std::filesystem::path aside = file_.native() + "." + std::to_string(::getpid());
  std::error_code error;
  {
    std::ofstream out(aside, std::ios::binary | std::ios::trunc);
    for (const std::string& hash : hashes_) out << hash << '\n';
    if (!out.flush()) {
      std::filesystem::remove(aside, error);
      return false;
    }
  }
  std::filesystem::rename(aside, file_, error);
  return !error;
}

}  // namespace gantry::host
