#include "host/worker/census.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

std::string directory_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

// The third field of /proc/PID/stat, the state, and those after it; the second may hold anything.
std::vector<std::string> facts_of(pid_t pid) {
  std::ifstream in(directory_of(pid) + "/stat");
  std::string line;
  std::getline(in, line);
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream rest(line.substr(name_end + 1));
  std::vector<std::string> out;
  for (std::string field; rest >> field;) out.push_back(field);
  return out;
}

long number(const std::vector<std::string>& facts, std::size_t index) {
  long out = 0;
  if (index >= facts.size()) return 0;
  std::from_chars(facts[index].data(), facts[index].data() + facts[index].size(), out);
  return out;
}

constexpr std::size_t kState = 0, kGroup = 2, kThreads = 17, kStarted = 19;

class Nameless {
 public:
  Nameless(const TemporaryDirectory& directory, std::uint64_t unknown, ino_t host_socket)
      : unknown_(unknown), host_socket_(host_socket) {
    struct stat info {};
    if (::stat(directory.path().c_str(), &info) == 0) device_ = info.st_dev;
    std::error_code error;
    prefix_ = fs::canonical(directory.path(), error).string() + "/";
  }

  void look_at(pid_t pid) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory_of(pid) + "/fd", error)) {
      struct stat info {};
      if (::stat(entry.path().c_str(), &info) != 0) continue;
      if (S_ISSOCK(info.st_mode) && info.st_ino != host_socket_)
        look_into(pid, entry.path().filename().string());
      take(info);
    }
    look_at_mappings(pid);
  }
  const DiskUse& found() const { return found_; }

 private:
  void take(const struct stat& info) {
    const bool counts = info.st_dev == device_ && info.st_nlink == 0 && S_ISREG(info.st_mode);
    if (counts && seen_.insert(info.st_ino).second)
      add(static_cast<std::uint64_t>(info.st_blocks) * kStatBlock);
  }
  void add(std::uint64_t bytes) {
    found_.bytes += bytes;
    ++found_.files;
  }
  // Descriptors that wait in a socket to be received; what waits may be a socket again, and so on.
  void look_into(pid_t pid, const std::string& descriptor) {
    std::ifstream in(directory_of(pid) + "/fdinfo/" + descriptor);
    constexpr std::string_view kInFlight = "scm_fds:";
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with(kInFlight)) continue;
      for (long left = std::atol(line.c_str() + kInFlight.size()); left > 0; --left)
        add(unknown_ + 1);
    }
  }
  // "7f..-7f.. rw-s 00000000 08:01 1234   /path (deleted)". Some file systems show another device
  // here than stat() does.
  void look_at_mappings(pid_t pid) {
    std::ifstream in(directory_of(pid) + "/maps");
    for (std::string line; std::getline(in, line);) {
      if (!line.ends_with(" (deleted)")) continue;
      std::istringstream fields(line);
      std::string range, rights, offset, device;
      ino_t inode = 0;
      fields >> range >> rights >> offset >> device >> inode;
      const bool is_here = device == device_text() || line.find(' ' + prefix_) != line.npos;
      if (!is_here || seen_.contains(inode)) continue;
      struct stat info {};
      if (::stat((directory_of(pid) + "/map_files/" + range).c_str(), &info) == 0) {
        take(info);
      } else if (seen_.insert(inode).second) {
        add(unknown_);
      }
    }
  }
  std::string device_text() const {
    char text[32];
    std::snprintf(text, sizeof text, "%02x:%02x", major(device_), minor(device_));
    return text;
  }

  const std::uint64_t unknown_;
  const ino_t host_socket_;
  dev_t device_ = 0;
  std::string prefix_;  // of the paths in the directory
  std::set<ino_t> seen_;
  DiskUse found_;
};

}  // namespace

std::vector<pid_t> members_of(pid_t worker, bool group) {
  std::vector<pid_t> out{worker};
  if (!group) return out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (bad != std::errc{} || end != name.data() + name.size() || pid == worker) continue;
    if (number(facts_of(pid), kGroup) == worker) out.push_back(pid);
  }
  return out;
}

Threads threads_of(const std::vector<pid_t>& members) {
  Threads out;
  for (const pid_t pid : members) {
    const auto facts = facts_of(pid);
    const long threads = number(facts, kThreads);
    out.count += static_cast<int>(threads);
    if (threads > 1 && facts[kState] == "Z") out.headless = true;
  }
  return out;
}

std::uint64_t started_at(pid_t pid) {
  return static_cast<std::uint64_t>(number(facts_of(pid), kStarted));
}

DiskUse nameless_files(const std::vector<pid_t>& members, const TemporaryDirectory& directory,
                       std::uint64_t unknown, ino_t host_socket) {
  Nameless files(directory, unknown, host_socket);
  for (const pid_t pid : members) files.look_at(pid);
  return files.found();
}

}  // namespace gantry::host
