#include "host/loader/grants.hpp"

#include <algorithm>
#include <string>
#include <system_error>

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

bool holds(const fs::path& outer, const fs::path& inner) {
  const auto [rest, at] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return rest == outer.end() || (std::next(rest) == outer.end() && rest->empty());
}

const fs::path* held_by(const fs::path& path, const std::vector<fs::path>& closed) {
  for (const fs::path& each : closed) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(each, error);
    if (!error && holds(path, real)) return &each;
  }
  return nullptr;
}

Status check(const fs::path& path, const std::string& key, const std::vector<fs::path>& closed) {
  const std::string what = key + " names " + path.string();
  if (!path.is_absolute()) {
    return Status::invalid(what + ", which is no absolute path; write the whole path");
  }
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) {
    return Status::invalid(what + ", which cannot be used (" + error.message() +
                           "); make it first, or leave it out");
  }
  const fs::path* const held = held_by(real, closed);
  if (held == nullptr) return Status::ok();
  return Status::denied(what + ", which holds " + held->string() +
                        " of this server; grant only what the plugin needs");
}

}  // namespace

bool is_open(const fs::path& path, const std::vector<fs::path>& closed) {
  return held_by(path, closed) == nullptr;
}

Status check_grants(const Origin& origin, const std::vector<fs::path>& closed) {
  const FileGrants& files = origin.settings.worker.files;
  const std::string key = "plugins." + origin.manifest.name + ".allow.files.";
  for (const auto& [paths, name] : {std::pair(&files.read, "read"), {&files.write, "write"}}) {
    for (const fs::path& path : *paths) {
      if (Status status = check(path, key + name, closed); !status) return status;
    }
  }
  return Status::ok();
}

}  // namespace gantry::host
