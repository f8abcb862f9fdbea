#include "tools/gantry/text/pager.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace gantry::cli {
namespace {

bool is_longer_than_terminal(const std::string& text) {
  winsize size{};
  if (::isatty(1) != 1 || ::ioctl(1, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return false;
  return std::count(text.begin(), text.end(), '\n') >= size.ws_row;
}

std::string pager() {
  const char* given = std::getenv("PAGER");
  return given == nullptr ? "less -FRX" : given;
}

// Starts the pager with the reading end of `ends` as its input; -1: it cannot be run. A shell runs
// it, because $PAGER is a command line.
pid_t start_pager(const std::string& command, const int* ends) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, ends[0], 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const std::string run = "exec " + command;
  const char* const words[] = {"sh", "-c", run.c_str(), nullptr};
  pid_t pid = -1;
  if (::posix_spawn(&pid, "/bin/sh", &files, &attributes, const_cast<char* const*>(words),
                    environ) != 0) {
    pid = -1;
  }
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return pid;
}

// A reader that leaves early closes the pipe; SIGPIPE must not end this program then.
void write_all(int fd, std::string_view text) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  while (!text.empty()) {
    const ssize_t wrote = ::write(fd, text.data(), text.size());
    if (wrote < 0 && errno != EINTR) break;
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  std::signal(SIGPIPE, before);
}

// False: the pager could not be run, and showed nothing.
bool through_pager(const std::string& command, const std::string& text) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  const pid_t pid = start_pager(command, ends);
  ::close(ends[0]);
  if (pid > 0) write_all(ends[1], text);
  ::close(ends[1]);
  if (pid < 0) return false;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return !WIFEXITED(status) || (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
}

}  // namespace

void show_paged(const std::string& text) {
  std::fflush(stdout);
  const std::string command = pager();
  const bool paged = !command.empty() && command != "cat" && is_longer_than_terminal(text);
  if (!paged || !through_pager(command, text)) std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace gantry::cli
