// Writes the filter of system calls for each combination of grants, as C++ that filter.cpp
// includes. Runs while Gantry is built: libseccomp takes 0.6 ms for one filter, which is a fifth of
// the start of a worker, and a worker that needs no libseccomp starts sooner still.
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "host/worker/filter.hpp"

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
    "execveat",
    // memory that no limit counts, and that outlives the worker
    "memfd_create", "memfd_secret", "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd",
    "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semctl", "mq_open", "mq_unlink",
    "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr"};

// The same; libraries go on without these when the kernel does not have them. A rule of Landlock
// keeps a removed file's bytes on the disk and shows it nowhere. Of io_setup() the whole machine
// has a fixed number.
constexpr const char* kAbsent[] = {"landlock_create_ruleset", "landlock_add_rule",
                                   "landlock_restrict_self", "io_setup"};

// What Landlock does not look at, or not in all its versions.
constexpr const char* kFiles[] = {
    // sizes, rights, owners, times and attributes
    "truncate", "truncate64", "chmod", "fchmod", "fchmodat", "chown", "lchown", "fchown",
    "fchownat", "chown32", "lchown32", "fchown32", "utime", "utimes", "futimesat", "utimensat",
    "utimensat_time64", "setxattr", "lsetxattr", "fsetxattr", "getxattr", "lgetxattr", "fgetxattr",
    "listxattr", "llistxattr", "flistxattr", "removexattr", "lremovexattr", "fremovexattr",
    // events of directories
    "inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_mark"};

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
    set(SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a tree: most calls pass after a few steps
  }

  void refuse(const char* name, int error = EPERM) {
    add(seccomp_syscall_resolve_name(name), error, 0, nullptr);
  }
  void refuse_if(const char* name, scmp_arg_cmp argument) {
    add(seccomp_syscall_resolve_name(name), EPERM, 1, &argument);
  }
  void refuse_if(const char* name, const scmp_arg_cmp& one, const scmp_arg_cmp& other) {
    const scmp_arg_cmp both[] = {one, other};
    add(seccomp_syscall_resolve_name(name), EPERM, 2, both);
  }
  // The program, or why there is none as a negative error number.
  int export_to(int file) {
    return error_ != 0 ? error_ : seccomp_export_bpf(context_.get(), file);
  }

 private:
  void set(scmp_filter_attr attribute, std::uint32_t value) {
    if (error_ == 0) error_ = seccomp_attr_set(context_.get(), attribute, value);
  }
  void add(int call, int answer, unsigned count, const scmp_arg_cmp* arguments) {
    if (call < 0 || error_ != 0) return;
    error_ = seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(answer)),
                                    call, count, arguments);
  }

  std::unique_ptr<void, decltype(&seccomp_release)> context_;
  int error_ = 0;
};

// Of arguments that are int in the kernel, which ignores the upper half of the register.
constexpr std::uint64_t kInt = 0xffff'ffff;

scmp_arg_cmp is(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, kInt, value};
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
// "network" and reach all services of this machine that the user reaches: never.
void refuse_families(Rules& rules) {
  constexpr std::uint64_t kLast = 63;
  for (std::uint64_t family = 0; family <= kLast; ++family) {
    const bool granted = family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
    if (!granted) rules.refuse_if("socket", is(0, family));
  }
  rules.refuse_if("socket", {0, SCMP_CMP_GT, kLast, 0});
  // Of netlink only what getaddrinfo() asks for addresses and routes.
  rules.refuse_if("socket", is(0, AF_NETLINK), is_not(2, NETLINK_ROUTE));
}

// Ends of a pair of datagram sockets can be connected to any local socket; those of streams cannot.
void refuse_sockets(Rules& rules, bool network) {
  rules.refuse_if("socketpair", is_not(0, AF_UNIX));
  static_assert(SOCK_STREAM == 1);  // of four bits
  rules.refuse_if("socketpair", lacks(1, 1));
  for (const std::uint64_t bit : {2U, 4U, 8U}) rules.refuse_if("socketpair", has(1, bit));
  if (network) return refuse_families(rules);
  // sendmsg(): a descriptor that is in flight between two sockets is counted nowhere.
  for (const char* name :
       {"socket", "bind", "connect", "listen", "accept", "accept4", "sendmsg", "sendmmsg"})
    rules.refuse(name);
}

// Opening with O_TRUNC is writing whatever the rest of the flags says; 3 is neither reading nor
// writing to Landlock. openat2() has its flags in memory.
void refuse_files(Rules& rules) {
  constexpr std::uint64_t kFlags = O_TRUNC | O_ACCMODE;
  for (const auto& [name, flags] : {std::pair{"open", 1U}, std::pair{"openat", 2U}}) {
    rules.refuse_if(name, {flags, SCMP_CMP_MASKED_EQ, kFlags, O_TRUNC | O_RDONLY});
    rules.refuse_if(name, {flags, SCMP_CMP_MASKED_EQ, O_ACCMODE, O_ACCMODE});
  }
  rules.refuse("openat2", ENOSYS);
  // Takes blocks beyond a file's end, which no limit on the sizes of files bounds.
  rules.refuse("fallocate", EOPNOTSUPP);
  for (const char* name : kFiles) rules.refuse(name);
  for (const std::uint64_t command : {F_SETLEASE, F_NOTIFY})
    rules.refuse_if("fcntl", is(1, command));
  for (const std::uint64_t command : {FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FS_IOC_SETVERSION})
    rules.refuse_if("ioctl", is(1, command));
}

void refuse_processes(Rules& rules, bool processes) {
  rules.refuse("clone3", ENOSYS);  // its flags are in memory, which no filter can read
  for (const std::uint64_t flag : kNamespaces) rules.refuse_if("clone", has(0, flag));
  // Descriptors are limited and counted for each table of them: a process has one.
  rules.refuse_if("clone",
                  {0, SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_FILES, std::uint64_t{CLONE_THREAD}});
  rules.refuse_if("close_range", has(2, CLOSE_RANGE_UNSHARE));
  if (processes) return;
  rules.refuse_if("clone", lacks(0, CLONE_THREAD));
  for (const char* name : kProcesses) rules.refuse(name);
}

void refuse_signals(Rules& rules, bool signals) {
  if (signals) return;
  rules.refuse("tkill");
  // Owners of descriptors get signals from the kernel, of any number.
  for (const int command : {F_SETOWN, F_SETOWN_EX})
    rules.refuse_if("fcntl", is(1, static_cast<std::uint64_t>(command)));
  for (const std::uint64_t command : {std::uint64_t{0x8901}, std::uint64_t{0x8902}})
    rules.refuse_if("ioctl", is(1, command));  // FIOSETOWN, SIOCSPGRP
}

// A process may read its own limits and set its own priority. It sets no limit, reaches no other
// process by its number, takes no terminal, and puts no input into one.
void refuse_meddling(Rules& rules) {
  rules.refuse_if("prlimit64", is_not(0, 0));
  rules.refuse_if("prlimit64", is_not(2, 0));
  for (const char* name : {"setpriority", "ioprio_set"}) rules.refuse_if(name, is_not(1, 0));
  rules.refuse_if("setpriority", is_not(0, PRIO_PROCESS));
  for (const char* name :
       {"sched_setscheduler", "sched_setparam", "sched_setattr", "sched_setaffinity"})
    rules.refuse_if(name, is_not(0, 0));
  rules.refuse_if("prctl", is(0, PR_SET_PDEATHSIG));
  rules.refuse_if("prctl", is(0, PR_SET_CHILD_SUBREAPER));
  rules.refuse_if("prctl", is(0, PR_SET_DUMPABLE));  // its host counts what it has open
  rules.refuse_if("prctl", is(0, PR_SET_PTRACER));
  rules.refuse_if("prctl", is(0, PR_SET_MM));
  rules.refuse_if("ioctl", is(1, TIOCSTI));
  rules.refuse_if("ioctl", is(1, TIOCLINUX));
  rules.refuse_if("ioctl", is(1, TIOCSCTTY));
}

// Nothing when it fails, which says why.
std::vector<sock_filter> program_for(const Grants& grants) {
  Rules rules;
  for (const char* name : kNever) rules.refuse(name);
  for (const char* name : kAbsent) rules.refuse(name, ENOSYS);
  refuse_sockets(rules, grants.network);
  refuse_processes(rules, grants.processes);
  refuse_signals(rules, grants.signals);
  refuse_meddling(rules);
  if (!grants.all_files) refuse_files(rules);
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::tmpfile(), &std::fclose);
  if (!file) {
    std::perror("filter_maker: no temporary file");
    return {};
  }
  if (const int error = rules.export_to(::fileno(file.get())); error != 0) {
    std::fprintf(stderr, "filter_maker: libseccomp: %s\n", std::strerror(-error));
    return {};
  }
  std::vector<sock_filter> out(BPF_MAXINSNS + 1);
  std::rewind(file.get());
  out.resize(std::fread(out.data(), sizeof(sock_filter), out.size(), file.get()));
  return out;
}

}  // namespace
}  // namespace gantry::host

int main() {
  using namespace gantry::host;
  for (unsigned index = 0; index < kGrantCombinations; ++index) {
    const auto program = program_for(grants_at(index));
    if (program.empty()) return 1;
    std::printf("constexpr sock_filter kFilter%u[] = {\n", index);
    for (const sock_filter& step : program)
      std::printf("    {%u, %u, %u, %u},\n", step.code, step.jt, step.jf, step.k);
    std::puts("};");
  }
  std::puts("constexpr std::span<const sock_filter> kFilters[] = {");
  for (unsigned index = 0; index < kGrantCombinations; ++index)
    std::printf("    kFilter%u,\n", index);
  std::puts("};");
}
