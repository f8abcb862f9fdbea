#include "host/loader/worker/confinement.hpp"

#include <unistd.h>

#include <charconv>

#include "host/loader/worker/sandbox.hpp"

namespace gantry::host {
namespace {

bool read_number(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool set(Confinement& out, std::string_view key, std::uint64_t value) {
  if (key == "memory") {
    out.limits.memory_bytes = value;
  } else if (key == "descriptors") {
    out.limits.descriptors = static_cast<int>(value);
  } else if (key == "network") {
    out.limits.network = value != 0;
  } else if (key == "processes") {
    out.limits.processes = value != 0;
  } else if (key == "open") {
    out.open = value != 0;
  } else if (key == "parent") {
    out.parent = static_cast<pid_t>(value);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string confinement(const WorkerLimits& limits, bool confined) {
  const std::string parent = "parent=" + std::to_string(::getpid());
  if (!confined) return "open=1," + parent;
  return "memory=" + std::to_string(limits.memory_bytes) +
         ",descriptors=" + std::to_string(limits.descriptors) +
         ",network=" + std::to_string(int{limits.network}) +
         ",processes=" + std::to_string(int{limits.processes}) + "," + parent;
}

Result<Confinement> read_confinement(std::string_view text) {
  Confinement out;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const auto equals = entry.find('=');
    std::uint64_t value = 0;
    if (equals == entry.npos || !read_number(entry.substr(equals + 1), value) ||
        !set(out, entry.substr(0, equals), value)) {
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
