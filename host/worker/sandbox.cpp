#include "host/worker/sandbox.hpp"

#include <fcntl.h>
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
#include "host/worker/cell.hpp"
#include "host/worker/filter.hpp"

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
  // The files of a grant are not counted, so their size is the operator's business.
  if (status && limits.walls && limits.files.write.empty() && limits.disk_bytes != 0) {
    ::signal(SIGXFSZ, SIG_IGN);  // the write fails instead
    status = limit(RLIMIT_FSIZE, limits.disk_bytes);
  }
  if (!status || limits.memory_bytes == 0 || kSanitized) return status;
  // Every arena reserves 64 MiB or twice that, used or not.
  ::mallopt(M_ARENA_MAX, 2);
  return limit(RLIMIT_AS, limits.memory_bytes);
}

// A host that runs as root may grant files of other users; a worker keeps no other capability. A
// program that it starts has no more: apply_filter() sets PR_SET_NO_NEW_PRIVS.
Status drop_capabilities(bool keeps_files) {
  const std::uint32_t kept = keeps_files ? std::uint32_t{1} << CAP_DAC_OVERRIDE : 0;
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) != 0) return system_error("capabilities are unreadable");
  data[0].effective &= kept;
  data[0].permitted &= kept;
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

// A rule for /proc/self holds as long as the kernel remembers that directory: an open descriptor
// sees to it. Without it the rule would be lost when memory is short.
void keep_own_directory() { static_cast<void>(::open("/proc/self", O_PATH | O_CLOEXEC)); }

bool needs_files_of_others(const WorkerLimits& limits) {
  return !limits.walls || !limits.files.read.empty() || !limits.files.write.empty();
}

}  // namespace

Status confine(std::string_view text) {
  const Result<Confinement> said = read_confinement(text);
  if (!said) return said.status();
  const WorkerLimits& limits = said->limits;
  Status status = tie_to(said->parent);
  if (status) status = limit_all(limits);
  if (!status) return status;
  if (limits.walls) keep_own_directory();
  const Result<Walls> walls = raise_walls(domain_of(*said));
  if (!walls) return walls.status();
  // After the paths of the domain were opened, which may be of others.
  status = drop_capabilities(needs_files_of_others(limits));
  if (!status) return status;
  return apply_filter({.network = limits.network,
                       .processes = limits.processes,
                       .signals = limits.processes && walls->signals,
                       .all_files = !limits.walls});
}

}  // namespace gantry::host
