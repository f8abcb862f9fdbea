#include "host/loader/worker/sandbox.hpp"

#include <linux/capability.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host/base/sanitized.hpp"
#include "host/loader/worker/confinement.hpp"
#include "host/loader/worker/filter.hpp"
#include "host/loader/worker/landlock.hpp"

namespace gantry::host {
namespace {

Status system_error(const char* what) {
  return Status::failed(std::string(what) + ": " + std::strerror(errno));
}

Status limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &both) == 0) return {};
  return system_error("a limit of this worker cannot be set");
}

Status limit_all(const WorkerLimits& limits) {
  Status status = limit(RLIMIT_CORE, 0);
  if (status) status = limit(RLIMIT_NOFILE, static_cast<rlim_t>(limits.descriptors));
  if (!status || limits.memory_bytes == 0 || kSanitized) return status;
  // Every arena reserves 64 MiB or twice that, used or not.
  ::mallopt(M_ARENA_MAX, 2);
  return limit(RLIMIT_AS, limits.memory_bytes);
}

// A host that runs as root has files of others to serve, and nothing else to give away.
Status drop_capabilities() {
  constexpr int kMost = 63;
  constexpr std::uint32_t kKept = std::uint32_t{1} << CAP_DAC_OVERRIDE;
  for (int capability = 0; capability <= kMost; ++capability)
    if (capability != CAP_DAC_OVERRIDE) ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) != 0) return system_error("capabilities are unreadable");
  data[0].effective &= kKept;
  data[0].permitted &= kKept;
  data[0].inheritable = 0;
  data[1] = {};
  if (::syscall(SYS_capset, &header, data) == 0) return {};
  return system_error("capabilities cannot be dropped");
}

Status tie_to(pid_t parent) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
    return system_error("this worker cannot be tied to its host");
  if (::getppid() == parent) return {};
  return Status::failed("the host of this worker is gone");
}

}  // namespace

Status confine(std::string_view text) {
  const Result<Confinement> said = read_confinement(text);
  if (!said) return said.status();
  Status status = tie_to(said->parent);
  if (said->open) return status ? limit(RLIMIT_CORE, 0) : status;
  if (status) status = limit_all(said->limits);
  if (status) status = drop_capabilities();
  if (!status) return status;
  const Walls walls = raise_walls();
  return apply_filter({.network = said->limits.network,
                       .processes = said->limits.processes,
                       .signals = said->limits.processes && walls.signals});
}

}  // namespace gantry::host
