#include "host/worker/confinement.hpp"

#include <unistd.h>

#include <charconv>

#include "host/base/text.hpp"
#include "host/worker/sandbox.hpp"

namespace gantry::host {
namespace {

bool read_number(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// A path is one entry whatever is in its name.
std::string escaped(const std::filesystem::path& path) {
  return percent_encoded(path.native(), "-._~/");
}

bool set_number(Confinement& out, std::string_view key, std::uint64_t value) {
  if (key == "memory") {
    out.limits.memory_bytes = value;
  } else if (key == "descriptors") {
    out.limits.descriptors = static_cast<int>(value);
  } else if (key == "disk") {
    out.limits.disk_bytes = value;
  } else if (key == "network") {
    out.limits.network = value != 0;
  } else if (key == "processes") {
    out.limits.processes = value != 0;
  } else if (key == "walls") {
    out.limits.walls = value != 0;
  } else if (key == "parent") {
    out.parent = static_cast<pid_t>(value);
  } else {
    return false;
  }
  return true;
}

bool set(Confinement& out, std::string_view key, std::string_view text) {
  const auto path = percent_decoded(text);
  if (!path || path->empty()) return false;
  if (key == "temporary") {
    out.temporary = *path;
  } else if (key == "read") {
    out.limits.files.read.emplace_back(*path);
  } else if (key == "write") {
    out.limits.files.write.emplace_back(*path);
  } else {
    std::uint64_t value = 0;
    return read_number(text, value) && set_number(out, key, value);
  }
  return true;
}

}  // namespace

std::string confinement(const WorkerLimits& limits, const std::filesystem::path& temporary) {
  std::string out = "memory=" + std::to_string(limits.memory_bytes) +
                    ",descriptors=" + std::to_string(limits.descriptors) +
                    ",disk=" + std::to_string(limits.disk_bytes) +
                    ",network=" + std::to_string(int{limits.network}) +
                    ",processes=" + std::to_string(int{limits.processes}) +
                    ",walls=" + std::to_string(int{limits.walls});
  for (const auto& path : limits.files.read) out += ",read=" + escaped(path);
  for (const auto& path : limits.files.write) out += ",write=" + escaped(path);
  if (!temporary.empty()) out += ",temporary=" + escaped(temporary);
  return out + ",parent=" + std::to_string(::getpid());
}

Result<Confinement> read_confinement(std::string_view text) {
  Confinement out;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const auto equals = entry.find('=');
    if (equals == entry.npos || !set(out, entry.substr(0, equals), entry.substr(equals + 1))) {
      return Status::invalid("a worker does not know the limit \"" + std::string(entry) +
                             "\"; gantryd and gantry-worker must be of one version");
    }
  }
  if (out.parent == 0) {
    return Status::invalid("a worker is started by gantryd, not by hand");
  }
  return out;
}

}  // namespace gantry::host
