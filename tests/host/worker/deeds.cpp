// A worker that does one thing, named by its last argument, and prints how it went: the errno's
// name ("EPERM") or "done". Tests of processes and of the sandbox run it.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "deeds.hpp"
#include "host/worker/assignment.hpp"
#include "host/worker/process.hpp"
#include "host/worker/sandbox.hpp"

std::string argument;

void say(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

void report(long result) { say(result >= 0 ? "done" : std::string(::strerrorname_np(errno))); }

void burn() {
  for (std::atomic<unsigned long> turn = 0;; ++turn) {
  }
}

namespace {

using gantry::host::kWorkerLibrary;
using gantry::host::kWorkerSocket;

void report_socket(int family) { report(::socket(family, SOCK_STREAM, 0)); }

[[noreturn]] void wait_for_ever() {
  for (;;) ::pause();
}

// The greatest number of descriptors that can be opened.
void fill_descriptors() {
  int count = 0;
  while (::dup(0) >= 0) ++count;
  say(std::to_string(count) + " " + ::strerrorname_np(errno));
}

void fill_memory() {
  std::vector<char*> kept;
  for (;;) {
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    kept.push_back(new char[kPiece]);
    std::memset(kept.back(), 1, kPiece);
  }
}

void flood() {
  for (int i = 0; i < 100'000; ++i) std::printf("line %d of many\n", i);
  say("the last line");
}

void leave_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() == 0) wait_for_ever();  // and one whose parent has exited
    wait_for_ever();
  }
  say(child > 0 ? std::to_string(child) : ::strerrorname_np(errno));
}

void run_program() {
  const int status = std::system("exit 7");
  say(status < 0 ? std::string(::strerrorname_np(errno)) : std::to_string(WEXITSTATUS(status)));
}

void show_environment() {
  for (char** variable = environ; *variable != nullptr; ++variable) say(*variable);
}

void show_descriptors() {
  std::string open;
  for (int fd = 0; fd < 256; ++fd)
    if (::fcntl(fd, F_GETFD) >= 0) open += std::to_string(fd) + " ";
  say(open);
}

void open_host_memory() {
  const std::string file = "/proc/" + std::to_string(::getppid()) + "/mem";
  report(::open(file.c_str(), O_RDWR));
}

void count_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  report(::syscall(SYS_capget, &header, data));
  say(std::to_string((data[0].permitted & ~(1U << CAP_DAC_OVERRIDE)) | data[1].permitted));
}

void raise_limit() {
  const rlimit both{1 << 20, 1 << 20};
  report(::setrlimit(RLIMIT_NOFILE, &both));
}

void start_thread() {
  std::thread([] { say("a thread"); }).join();
}

void pair_of(int type) {
  int fds[2];
  report(::socketpair(AF_UNIX, type, 0, fds));
}

void take_name() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) return report(-1);
  const sockaddr_un name{AF_UNIX, {0, 'g'}};
  report(::bind(fds[0], reinterpret_cast<const sockaddr*>(&name), sizeof(sa_family_t) + 2));
}

void send_descriptor() {
  msghdr nothing{};
  report(::sendmsg(kWorkerSocket, &nothing, MSG_DONTWAIT));
}

void start_threads() {
  for (int i = 0; i < std::stoi(argument); ++i) std::thread(wait_for_ever).detach();
  wait_for_ever();
}

// Its first thread, and nothing else.
void lose_head() {
  std::thread(wait_for_ever).detach();
  ::syscall(SYS_exit, 0);
}

void owner_of_signals() { report(::fcntl(kWorkerSocket, F_SETOWN, ::getppid())); }

const Deeds& other_deeds() {
  static const Deeds all{
      {"idle", [] {}},
      {"crash", [] { ::raise(SIGSEGV); }},
      {"exit", [] { std::exit(3); }},
      {"out-of-memory", fill_memory},
      {"burn", burn},
      {"descriptors", fill_descriptors},
      {"flood", flood},
      {"two-streams",
       [] {
         say("to output");
         std::fprintf(stderr, "to errors\n");
       }},
      {"last-words",
       [] {
         std::fprintf(stderr, "last words");
         ::raise(SIGILL);
       }},
      {"leave-child", leave_child},
      {"run-program", run_program},
      {"environment", show_environment},
      {"open-descriptors", show_descriptors},
      {"socket-inet", [] { report_socket(AF_INET); }},
      {"socket-inet6", [] { report_socket(AF_INET6); }},
      {"socket-unix", [] { report_socket(AF_UNIX); }},
      {"socket-packet", [] { report_socket(AF_PACKET); }},
      {"socket-vsock", [] { report_socket(AF_VSOCK); }},
      {"socket-wide", [] { report(::syscall(SYS_socket, 0x100000000UL + AF_UNIX, 1, 0)); }},
      {"socketpair", [] { pair_of(SOCK_STREAM | SOCK_CLOEXEC); }},
      {"socketpair-datagrams", [] { pair_of(SOCK_DGRAM); }},
      {"socketpair-packets", [] { pair_of(SOCK_SEQPACKET | SOCK_NONBLOCK); }},
      {"bind-abstract", take_name},
      {"send-descriptor", send_descriptor},
      {"fork", [] { report(::fork()); }},
      {"thread", start_thread},
      {"ptrace", [] { report(::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr)); }},
      {"kill-host", [] { report(::kill(::getppid(), 0)); }},
      {"kill-all", [] { report(::kill(-1, 0)); }},
      {"kill-self", [] { report(::kill(::getpid(), 0)); }},
      {"setsid", [] { report(::setsid()); }},
      {"setpgid", [] { report(::setpgid(0, 0)); }},
      {"unshare", [] { report(::unshare(CLONE_NEWUSER)); }},
      {"mount", [] { report(::mount("none", "/mnt", "tmpfs", 0, nullptr)); }},
      {"bpf", [] { report(::syscall(SYS_bpf, 0, nullptr, 0)); }},
      {"io-uring", [] { report(::syscall(SYS_io_uring_setup, 1, nullptr)); }},
      {"keyctl", [] { report(::syscall(SYS_keyctl, 0, 0, 0, 0, 0)); }},
      {"raise-limit", raise_limit},
      {"unset-death", [] { report(::prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)); }},
      {"owner", owner_of_signals},
      {"host-memory", open_host_memory},
      {"capabilities", count_capabilities},
      {"watch", [] { report(::inotify_init1(IN_CLOEXEC)); }},
      {"memory-file", [] { report(::memfd_create("m", 0)); }},
      {"secret-memory", [] { report(::syscall(447, 0)); }},
      {"shared-memory", [] { report(::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600)); }},
      {"queue", [] { report(::mq_open("/gantry-deeds", O_CREAT | O_RDWR, 0600, nullptr)); }},
      {"inject-input", [] { report(::syscall(SYS_ioctl, 0, (1UL << 32U) | TIOCSTI, "x")); }},
      {"paste-input", [] { report(::ioctl(0, TIOCLINUX, "x")); }},
      {"be-traced", [] { report(::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0)); }},
      {"hide", [] { report(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }},
      {"affinity",
       [] {
         cpu_set_t processors;
         CPU_ZERO(&processors);
         CPU_SET(0, &processors);
         report(::sched_setaffinity(::getppid(), sizeof processors, &processors));
       }},
      {"newer-call", [] { report(::syscall(463, 0, 0, 0, 0, 0, 0)); }},  // setxattrat
      {"many-threads", start_threads},
      {"lose-head", lose_head},
  };
  return all;
}

// The plugin's file as a host hands it over: memory without a name. Only for one deed, since others
// count descriptors.
bool has_library(const std::string& deed) {
  if (deed != "memory-library") return true;
  const int fd = ::memfd_create("library", MFD_CLOEXEC);
  return fd == kWorkerLibrary && ::write(fd, "code", 4) == 4;
}

// The deed of that name, or null.
const std::function<void()>* find(const std::string& name) {
  for (const Deeds* deeds : {&other_deeds(), &file_deeds()}) {
    if (const auto found = deeds->find(name); found != deeds->end()) return &found->second;
  }
  return nullptr;
}

}  // namespace

// The assignment is PLUGIN CONFINEMENT DEED[:ARGUMENT]; afterwards it waits for the host to close
// the socket.
int main() {
  const auto words = gantry::host::receive_assignment();
  if (!words || words->size() != 3) return 64;
  const std::string& said = words->back();
  if (!has_library(said)) return 67;
  if (const gantry::Status status = gantry::host::confine((*words)[1]); !status) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
    return 65;
  }
  const auto colon = std::min(said.find(':'), said.size());
  argument = said.substr(std::min(colon + 1, said.size()));
  const std::function<void()>* const deed = find(said.substr(0, colon));
  if (deed == nullptr) return 66;
  (*deed)();
  char byte = 0;
  while (::read(kWorkerSocket, &byte, 1) > 0 && ::write(kWorkerSocket, &byte, 1) > 0) {
  }
}
