#include "host/worker/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "host/base/pidfd.hpp"
#include "host/base/sanitized.hpp"
#include "host/worker/process.hpp"

namespace gantry::host {
namespace {

Status system_error(const std::string& what, int error) {
  return Status::failed(what + ": " + std::strerror(error));
}

// A descriptor that closes itself unless it is released.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

  // Away from the numbers that are given out in the worker, should the host have closed its own.
  bool raise() {
    if (fd_ > kWorkerSocket) return true;
    *this = Descriptor(::fcntl(fd_, F_DUPFD_CLOEXEC, kWorkerSocket + 1));
    return fd_ >= 0;
  }

 private:
  int fd_ = -1;
};

using Pair = std::array<Descriptor, 2>;  // the host's, the worker's

Status make_socket(Pair& pair) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    return system_error("cannot make a socket for a worker process", errno);
  pair = {Descriptor(fds[0]), Descriptor(fds[1])};
  if (!pair[0].raise() || !pair[1].raise())
    return system_error("cannot make a socket for a worker process", errno);
  return {};
}

Status make_pipe(Pair& pair) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0)
    return system_error("cannot make a pipe for a worker process", errno);
  pair = {Descriptor(fds[0]), Descriptor(fds[1])};
  if (!pair[1].raise() || ::fcntl(fds[0], F_SETFL, O_NONBLOCK) != 0)
    return system_error("cannot make a pipe for a worker process", errno);
  return {};
}

struct Actions {
  Actions() { posix_spawn_file_actions_init(&value); }
  ~Actions() { posix_spawn_file_actions_destroy(&value); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  posix_spawn_file_actions_t value;
};

struct Attributes {
  Attributes() { posix_spawnattr_init(&value); }
  ~Attributes() { posix_spawnattr_destroy(&value); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  posix_spawnattr_t value;
};

void say_descriptors(Actions& actions, int output, int errors, int socket) {
  posix_spawn_file_actions_addopen(&actions.value, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions.value, output, 1);
  posix_spawn_file_actions_adddup2(&actions.value, errors, 2);
  posix_spawn_file_actions_adddup2(&actions.value, socket, kWorkerSocket);
  posix_spawn_file_actions_addclosefrom_np(&actions.value, kWorkerSocket + 1);
}

void say_attributes(Attributes& attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes.value, &none);
  posix_spawnattr_setsigdefault(&attributes.value, &all);
  posix_spawnattr_setflags(&attributes.value,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

bool may_keep(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  if (name == "LANG" || name == "TZ" || name.starts_with("LC_")) return true;
  return kSanitized && name == "UBSAN_OPTIONS";
}

}  // namespace

std::vector<std::string> worker_environment(const std::filesystem::path& temporary) {
  std::vector<std::string> out{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + temporary.native(),
                               "TMPDIR=" + temporary.native()};
  if (kSanitized) {
    // Looking for leaks at the end takes system calls that are refused to workers, and a crash is
    // to end a worker as it would without sanitizers.
    const std::string crashes =
        "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0";
    out.push_back("ASAN_OPTIONS=detect_leaks=0:" + crashes);
    out.push_back("TSAN_OPTIONS=" + crashes);
  }
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (may_keep(*variable)) out.emplace_back(*variable);
  }
  return out;
}

// Its own children are killed with it: it leads its process group.
void discard(const Spawned& process) noexcept {
  ::kill(-process.pid, SIGKILL);
  while (::waitpid(process.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  for (const int fd : {process.socket, process.output, process.errors, process.pidfd})
    if (fd >= 0) ::close(fd);
}

Result<Spawned> spawn_worker(const std::filesystem::path& program,
                             const std::vector<std::string>& arguments,
                             const std::filesystem::path& temporary) {
  Pair socket, output, errors;
  for (const Status& status : {make_socket(socket), make_pipe(output), make_pipe(errors)}) {
    if (!status) return status;
  }
  Actions actions;
  say_descriptors(actions, output[1].get(), errors[1].get(), socket[1].get());
  Attributes attributes;
  say_attributes(attributes);
  std::vector<std::string> words = arguments, environment = worker_environment(temporary);
  Spawned spawned;
  struct stat end {};
  if (::fstat(socket[1].get(), &end) == 0) spawned.worker_socket = end.st_ino;
  rusage own{};
  ::getrusage(RUSAGE_SELF, &own);
  spawned.peak_before = own.ru_maxrss;
  const int error = ::posix_spawn(&spawned.pid, program.c_str(), &actions.value, &attributes.value,
                                  pointers(words).data(), pointers(environment).data());
  if (error != 0) return system_error("cannot start " + program.string(), error);
  // Only this thread reaps the child, so the number is still its own.
  spawned.pidfd = open_pidfd(spawned.pid);
  if (spawned.pidfd < 0) {
    const int why = errno;
    discard(spawned);
    return system_error("cannot watch a worker process", why);
  }
  spawned.socket = socket[0].release();
  spawned.output = output[0].release();
  spawned.errors = errors[0].release();
  return spawned;
}

}  // namespace gantry::host
