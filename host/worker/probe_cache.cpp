#include "host/worker/probe_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include <gantry/abi/version.h>

#include "host/base/unique_fd.hpp"
#include "host/plugin/file_bytes.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kHexSize = 64;

bool is_hash(const std::string& line) {
  return line.size() == kHexSize && line.find_first_not_of("0123456789abcdef") == line.npos;
}

void add_part(std::string& to, std::string_view part) {
  to += std::to_string(part.size()) + ":";
  to += part;
}

}  // namespace

ProbeCache::ProbeCache(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_, std::ios::binary);
  for (std::string line; std::getline(in, line) && keys_.size() <= kMost;) {
    keys_.push_back(line);
  }
  if (keys_.size() > kMost || !std::all_of(keys_.begin(), keys_.end(), is_hash)) keys_.clear();
  std::error_code error;
  is_in_file_ = std::filesystem::file_size(file_, error) == keys_.size() * (kHexSize + 1);
}

std::string ProbeCache::key_of(const Origin& origin) {
  std::string all;
  for (const std::string_view part :
       {std::string_view(GANTRY_SDK_VERSION), std::string_view(origin.sha256),
        std::string_view(origin.settings.config)}) {
    add_part(all, part);
  }
  for (const auto& [name, secret] : origin.settings.secrets) {
    add_part(all, name);
    add_part(all, secret.environment);
    add_part(all, secret.file.native());
  }
  return sha256_hex(all);
}

bool ProbeCache::has(const std::string& key) const {
  return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
}

void ProbeCache::add(const std::string& key) {
  if (has(key)) return;
  keys_.push_back(key);
  if (keys_.size() > kMost) {
    keys_.erase(keys_.begin(), keys_.begin() + kForgotten);
    is_in_file_ = false;
  }
  is_in_file_ = (is_in_file_ && append(key)) || write();
}

// One write: a reader sees the line or does not.
bool ProbeCache::append(const std::string& key) const {
  const UniqueFd fd(::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  const std::string line = key + '\n';
  return fd.is_open() &&
         ::write(fd.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

// A reader sees the old file or the new one.
bool ProbeCache::write() const {
  const std::filesystem::path aside = file_.native() + "." + std::to_string(::getpid());
  std::error_code error;
  {
    std::ofstream out(aside, std::ios::binary | std::ios::trunc);
    for (const std::string& key : keys_) out << key << '\n';
    if (!out.flush()) {
      std::filesystem::remove(aside, error);
      return false;
    }
  }
  std::filesystem::rename(aside, file_, error);
  return !error;
}

}  // namespace gantry::host
