#include "host/worker/cell.hpp"

namespace gantry::host {
namespace {

// The libraries of the system, and the files that the C library reads.
constexpr const char* kSystem[] = {"/lib",
                                   "/lib64",
                                   "/usr/lib",
                                   "/usr/lib64",
                                   "/usr/local/lib",
                                   "/etc/ld.so.cache",
                                   "/etc/localtime",
                                   "/usr/share/zoneinfo",
                                   "/usr/share/locale",
                                   "/usr/share/i18n",
                                   "/dev/zero",
                                   "/dev/full",
                                   "/dev/random",
                                   "/dev/urandom",
                                   "/proc/self",
                                   "/proc/cpuinfo",
                                   "/proc/meminfo",
                                   "/proc/stat",
                                   "/proc/sys/vm/overcommit_memory",
                                   "/sys/devices/system/cpu"};

// Names and certificates of the internet; never private keys.
constexpr const char* kNetwork[] = {"/etc/resolv.conf",
                                    "/etc/hosts",
                                    "/etc/host.conf",
                                    "/etc/gai.conf",
                                    "/etc/nsswitch.conf",
                                    "/etc/services",
                                    "/etc/protocols",
                                    "/etc/ssl/certs",
                                    "/etc/ssl/openssl.cnf",
                                    "/etc/ca-certificates",
                                    "/usr/share/ca-certificates",
                                    "/usr/local/share/ca-certificates",
                                    "/etc/pki/tls/certs",
                                    "/etc/pki/ca-trust/extracted"};

constexpr const char* kPrograms[] = {"/bin",           "/sbin",        "/usr/bin",      "/usr/sbin",
                                     "/usr/local/bin", "/usr/libexec", "/lib",          "/lib64",
                                     "/usr/lib",       "/usr/lib64",   "/usr/local/lib"};

template <class Paths>
void add(Domain& domain, const Paths& paths, Access access, bool must_exist) {
  for (const auto& path : paths) domain.paths.push_back({path, access, must_exist});
}

}  // namespace

Domain domain_of(const Confinement& said) {
  Domain domain;
  const WorkerLimits& limits = said.limits;
  domain.network = limits.network;
  domain.all_files = !limits.walls;
  if (domain.all_files) return domain;
  add(domain, kSystem, Access::read, false);
  if (limits.network) add(domain, kNetwork, Access::read, false);
  if (limits.processes) add(domain, kPrograms, Access::run, false);
  domain.paths.push_back({"/dev/null", Access::change});
  if (!said.temporary.empty()) domain.paths.push_back({said.temporary, Access::change, true});
  add(domain, limits.files.read, Access::read, true);
  add(domain, limits.files.write, Access::change, true);
  return domain;
}

}  // namespace gantry::host
