#include "host/loader/worker/filter.hpp"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

namespace gantry::host {
namespace {

// No plugin has business with these, whatever is granted. Names this system does not know are left
// out: it has no such call.
constexpr const char* kNever[] = {
    // other processes' memory and descriptors
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "kcmp", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "migrate_pages", "move_pages",
    // the tree of files, namespaces
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "unshare", "setns", "open_by_handle_at",
    "name_to_handle_at", "fanotify_init", "quotactl", "quotactl_fd", "swapon", "swapoff", "acct",
    // the kernel and the machine
    "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "bpf",
    "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register",
    "reboot", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname",
    "setdomainname", "syslog", "iopl", "ioperm", "modify_ldt", "vhangup", "personality",
    "lookup_dcookie", "nfsservctl", "add_key", "request_key", "keyctl",
    // away from the group that is killed with the worker, and from its limits
    "setsid", "setpgid", "setrlimit",
    // a program without a path
    "execveat"};

constexpr const char* kProcesses[] = {"fork", "vfork", "execve"};

constexpr std::uint64_t kNamespaces[] = {CLONE_NEWNS,  CLONE_NEWCGROUP, CLONE_NEWUTS,
                                         CLONE_NEWIPC, CLONE_NEWUSER,   CLONE_NEWPID,
                                         CLONE_NEWNET, CLONE_PARENT,    CLONE_PTRACE};

// Collects rules; the first one that fails is kept.
class Rules {
 public:
  Rules() : context_(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release) {
    if (context_ == nullptr) error_ = -ENOMEM;
    set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    set(SCMP_FLTATR_CTL_TSYNC, 1);
    set(SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a tree: most calls pass after a few steps
  }

  void refuse(const char* name, int error = EPERM) { add(name, error, 0, nullptr); }
  void refuse_if(const char* name, scmp_arg_cmp argument) { add(name, EPERM, 1, &argument); }
  int load() { return error_ != 0 ? error_ : seccomp_load(context_.get()); }

 private:
  void set(scmp_filter_attr attribute, std::uint32_t value) {
    if (error_ == 0) error_ = seccomp_attr_set(context_.get(), attribute, value);
  }
  void add(const char* name, int answer, unsigned count, const scmp_arg_cmp* arguments) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call < 0 || error_ != 0) return;
    error_ = seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(answer)),
                                    call, count, arguments);
  }

  std::unique_ptr<void, decltype(&seccomp_release)> context_;
  int error_ = 0;
};

scmp_arg_cmp is(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp is_not(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_NE, value, 0};
}
scmp_arg_cmp has(unsigned argument, std::uint64_t bits) {
  return {argument, SCMP_CMP_MASKED_EQ, bits, bits};
}
scmp_arg_cmp lacks(unsigned argument, std::uint64_t bits) {
  return {argument, SCMP_CMP_MASKED_EQ, bits, 0};
}

// Families are numbers up to 45 so far; those beyond are refused as one. Local sockets are not
// "network" and reach what the user may reach on this machine: never.
void refuse_sockets(Rules& rules, bool network) {
  constexpr std::uint64_t kLast = 63;
  rules.refuse_if("socketpair", is_not(0, AF_UNIX));
  if (!network) return rules.refuse("socket");
  for (std::uint64_t family = 0; family <= kLast; ++family) {
    const bool granted = family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
    if (!granted) rules.refuse_if("socket", is(0, family));
  }
  rules.refuse_if("socket", {0, SCMP_CMP_GT, kLast, 0});
}

void refuse_processes(Rules& rules, bool processes) {
  rules.refuse("clone3", ENOSYS);  // its flags are in memory, which no filter can read
  for (const std::uint64_t flag : kNamespaces) rules.refuse_if("clone", has(0, flag));
  if (processes) return;
  rules.refuse_if("clone", lacks(0, CLONE_THREAD));
  for (const char* name : kProcesses) rules.refuse(name);
}

void refuse_signals(Rules& rules, bool signals) {
  if (signals) return;
  const auto self = static_cast<std::uint64_t>(::getpid());
  for (const char* name : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
    rules.refuse_if(name, is_not(0, self));
  rules.refuse("tkill");
  // Owners of descriptors get signals from the kernel, of any number.
  for (const int command : {F_SETOWN, F_SETOWN_EX})
    rules.refuse_if("fcntl", is(1, static_cast<std::uint64_t>(command)));
  for (const std::uint64_t command : {std::uint64_t{0x8901}, std::uint64_t{0x8902}})
    rules.refuse_if("ioctl", is(1, command));  // FIOSETOWN, SIOCSPGRP
}

// Limits, priorities and terminals: its own it may read, those of others it may not touch.
void refuse_meddling(Rules& rules) {
  rules.refuse_if("prlimit64", is_not(0, 0));
  rules.refuse_if("prlimit64", is_not(2, 0));
  for (const char* name : {"setpriority", "ioprio_set"}) rules.refuse_if(name, is_not(1, 0));
  rules.refuse_if("setpriority", is_not(0, PRIO_PROCESS));
  for (const char* name : {"sched_setscheduler", "sched_setparam", "sched_setattr"})
    rules.refuse_if(name, is_not(0, 0));
  rules.refuse_if("prctl", is(0, PR_SET_PDEATHSIG));
  rules.refuse_if("prctl", is(0, PR_SET_CHILD_SUBREAPER));
  rules.refuse_if("ioctl", is(1, TIOCSTI));
  rules.refuse_if("ioctl", is(1, TIOCSCTTY));
}

}  // namespace

Status apply_filter(const Grants& grants) {
  Rules rules;
  for (const char* name : kNever) rules.refuse(name);
  refuse_sockets(rules, grants.network);
  refuse_processes(rules, grants.processes);
  refuse_signals(rules, grants.signals);
  refuse_meddling(rules);
  const int error = rules.load();
  if (error == 0) return {};
  return Status::failed(std::string("system calls cannot be filtered here: ") +
                        std::strerror(-error) + "; the kernel needs CONFIG_SECCOMP_FILTER");
}

}  // namespace gantry::host
