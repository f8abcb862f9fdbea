#include "host/trust/permissions.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

namespace gantry::host::trust {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;
using Scratch = std::array<char, 16384>;

std::optional<std::string> user_name(uid_t user, gid_t* group) {
  Scratch scratch;
  struct passwd entry {};
  struct passwd* found = nullptr;
  if (getpwuid_r(user, &entry, scratch.data(), scratch.size(), &found) != 0 || found == nullptr) {
    return std::nullopt;
  }
  *group = found->pw_gid;
  return std::string(found->pw_name);
}

// The group that many systems make for each user, with that user as its only member.
bool is_private_group(gid_t group, uid_t owner) {
  gid_t primary = 0;
  const auto name = user_name(owner, &primary);
  if (!name || primary != group) return false;
  Scratch scratch;
  struct group entry {};
  struct group* found = nullptr;
  if (getgrgid_r(group, &entry, scratch.data(), scratch.size(), &found) != 0 || found == nullptr ||
      *name != found->gr_name) {
    return false;
  }
  for (char** member = found->gr_mem; *member != nullptr; ++member) {
    if (*name != *member) return false;
  }
  return true;
}

std::string owner_text(uid_t owner) {
  gid_t ignored = 0;
  const auto name = user_name(owner, &ignored);
  return name ? *name + " (uid " + std::to_string(owner) + ")" : "uid " + std::to_string(owner);
}

bool others_can_write(const struct stat& info) {
  if ((info.st_mode & S_IWOTH) != 0) return true;
  return (info.st_mode & S_IWGRP) != 0 && !is_private_group(info.st_gid, info.st_uid);
}

Status check_one(const fs::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    return Status::failed(path.string() + " cannot be looked at: " + std::strerror(errno));
  }
  const bool directory = S_ISDIR(info.st_mode);
  const std::string what = (directory ? "the directory " : "the file ") + path.string();
  if (info.st_uid != 0 && info.st_uid != ::geteuid()) {
    return Status::denied(what + " belongs to " + owner_text(info.st_uid) +
                          ", and that user could replace the code; run: chown " +
                          std::to_string(::geteuid()) + " " + path.string());
  }
  const bool sticky = directory && (info.st_mode & S_ISVTX) != 0;
  if (sticky || !others_can_write(info)) return {};
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%04o", static_cast<unsigned>(info.st_mode & 07777U));
  return Status::denied("others can write to " + what + " (mode " + mode.data() +
                        ") and so replace the code; run: chmod go-w " + path.string());
}

// Checks a path without links and every directory above it.
Status check_chain(const fs::path& path) {
  fs::path upto;
  for (const fs::path& part : path) {
    upto /= part;
    if (Status status = check_one(upto); !status) return status;
  }
  return {};
}

Result<fs::path> without_links(const fs::path& path) {
  std::error_code error;
  fs::path out = fs::canonical(path.empty() ? fs::path(".") : path, error);
  if (error) return Status::failed(path.string() + " cannot be looked at: " + error.message());
  return out;
}

}  // namespace

Status check_directory(const fs::path& directory) {
  const Result<fs::path> real = without_links(directory);
  return real ? check_chain(*real) : real.status();
}

Status check_file(const fs::path& file) {
  fs::path at = file;
  for (int links = 0; links < kMaxLinks; ++links) {
    if (Status status = check_directory(at.parent_path()); !status) return status;
    std::error_code error;
    if (!fs::is_symlink(at, error)) {
      const Result<fs::path> real = without_links(at);
      return real ? check_one(*real) : real.status();
    }
    const fs::path target = fs::read_symlink(at, error);
    if (error) return Status::failed(at.string() + " cannot be looked at: " + error.message());
    at = at.parent_path() / target;  // an absolute target replaces all of it
  }
  return Status::invalid(file.string() + " is a link to itself");
}

}  // namespace gantry::host::trust
