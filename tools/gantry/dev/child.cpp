#include "tools/gantry/dev/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "host/base/pidfd.hpp"

namespace gantry::cli {
namespace {

constexpr int kGrace = 12'000;  // milliseconds; a server drains up to 10 s

// Attributes and file actions for posix_spawn.
struct Spawn {
  Spawn() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigemptyset(&all);
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGTERM);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

}  // namespace

Result<std::unique_ptr<Child>> Child::start(const std::vector<std::string>& command, bool pipe) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2] = {-1, -1};
  if (pipe && ::pipe2(ends, O_CLOEXEC) != 0) return Status::failed("no descriptor is left");
  Spawn spawn;
  if (pipe) posix_spawn_file_actions_adddup2(&spawn.files, ends[1], 1);
  pid_t pid = 0;
  const int problem = ::posix_spawnp(&pid, arguments[0], &spawn.files, &spawn.attributes,
                                     arguments.data(), environ);
  if (pipe) ::close(ends[1]);
  if (problem == 0) {
    return std::unique_ptr<Child>(new Child(pid, host::open_pidfd(pid), ends[0]));
  }
  if (pipe) ::close(ends[0]);
  return Status::failed("cannot run " + command[0] + ": " + std::strerror(problem));
}

int Child::reap() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int Child::wait(const Stop& stop) {
  if (wait_for(pidfd_, stop, std::chrono::milliseconds(-1)) == Woken::stopped) return -1;
  return reap();
}

Child::~Child() {
  if (!ended_) {
    ::kill(-pid_, SIGTERM);
    pollfd ready{pidfd_, POLLIN, 0};
    if (::poll(&ready, 1, kGrace) <= 0) ::kill(-pid_, SIGKILL);
    reap();
  }
  ::close(pidfd_);
  if (output_ >= 0) ::close(output_);
}

}  // namespace gantry::cli
