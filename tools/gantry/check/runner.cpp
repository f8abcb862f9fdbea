#include "tools/gantry/check/runner.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "host/base/pidfd.hpp"
#include "host/base/sanitized.hpp"
#include "host/base/unique_fd.hpp"

namespace gantry::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutput = 1U << 20U, kShownOutput = 2000;

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
      read = ends[0];
      write = ends[1];
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(read);
    close(write);
  }
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// In sanitizer builds a crash ends the process of a check by its signal, as in other builds, and
// leaks of a plugin are not reported.
void prepare_environment() {
  if (!host::kSanitized) return;
  const std::string crashes = "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0";
  ::setenv("ASAN_OPTIONS", ("detect_leaks=0:" + crashes).c_str(), 1);
  ::setenv("TSAN_OPTIONS", crashes.c_str(), 1);
}

// Uses only functions that are safe between fork and exec.
[[noreturn]] void become(char* const* arguments, int report, int output) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::signal(SIGPIPE, SIG_IGN);
  const int empty = ::open("/dev/null", O_RDONLY);
  ::dup2(empty, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::dup2(report, kReportDescriptor);
  if (report == kReportDescriptor) ::fcntl(report, F_SETFD, 0);
  for (int extra = kReportDescriptor + 1; extra < 64; ++extra) ::close(extra);
  ::execv("/proc/self/exe", arguments);
  ::_exit(127);
}

pid_t start(std::vector<std::string> arguments, Pipe& report, Pipe& output) {
  arguments.insert(arguments.begin(), "gantry");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  prepare_environment();
  const pid_t child = ::fork();
  if (child == 0) become(pointers.data(), report.write, output.write);
  Pipe::close(report.write);
  Pipe::close(output.write);
  return child;
}

// False at the end of the pipe.
bool take(int descriptor, std::string& into) {
  std::array<char, 4096> bytes;
  const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
  if (got < 0) return errno == EINTR;
  if (into.size() < kMaxOutput) into.append(bytes.data(), static_cast<std::size_t>(got));
  return got > 0;
}

int milliseconds_until(Clock::time_point when) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

// Reads both until the process has closed its report; false when the time is over first.
bool listen(Pipe& report, Pipe& output, std::string& said, std::string& printed,
            Clock::time_point until) {
  while (report.read >= 0) {
    const int left = milliseconds_until(until);
    if (left == 0) return false;
    std::array<pollfd, 2> ends{{{report.read, POLLIN, 0}, {output.read, POLLIN, 0}}};
    if (::poll(ends.data(), ends.size(), left) < 0 && errno != EINTR) return false;
    if (ends[1].revents != 0 && !take(output.read, printed)) Pipe::close(output.read);
    if (ends[0].revents != 0 && !take(report.read, said)) Pipe::close(report.read);
  }
  return true;
}

// False when the time is over before the process ends.
bool wait_for_end(pid_t child, Clock::time_point until) {
  const host::UniqueFd end(host::open_pidfd(child));
  pollfd ended{end.get(), POLLIN, 0};
  int found = 0;
  do found = ::poll(&ended, 1, milliseconds_until(until));
  while (found < 0 && errno == EINTR);
  return found > 0;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "the plugin crashed: signal " + std::to_string(signal) + " (" + ::strsignal(signal) +
           ")";
  }
  return "the process ended with code " + std::to_string(WEXITSTATUS(status)) +
         " in the middle; a plugin never calls exit(), and lets no exception out";
}

void say_end(int status, bool in_time, int seconds, std::string printed, Outcome& outcome) {
  std::string text = in_time ? how_it_ended(status)
                             : "it did not end within " + std::to_string(seconds) +
                                   " s and was killed; create() and start() have 10 s, calls end "
                                   "when they are cancelled, stop() joins what runs";
  if (!outcome.called.empty()) text += "; the last call was of the tool '" + outcome.called + "'";
  if (!printed.empty()) {
    if (printed.size() > kShownOutput) printed = printed.substr(printed.size() - kShownOutput);
    text += "; it printed: " + printed;
  }
  outcome.findings.push_back({Level::fault, std::move(text)});
}

}  // namespace

Outcome run_check(const Check& check, const std::vector<std::string>& arguments, int seconds) {
  Outcome outcome{check.name, check.about, {}, {}, {}, 0, false};
  const auto begin = Clock::now();
  Pipe report, output;
  const pid_t child = start(arguments, report, output);
  if (child < 0) {
    outcome.findings.push_back({Level::fault, "no process could be started for the check"});
    return outcome;
  }
  std::string said, printed;
  const auto until = begin + std::chrono::seconds(seconds);
  // The report ends when the process ends or a plugin closes it; then its last line is missing.
  const bool in_time = listen(report, output, said, printed, until) && wait_for_end(child, until);
  ::kill(-child, SIGKILL);  // the whole process group
  int status = 0;
  ::waitpid(child, &status, 0);
  const bool complete = read_report(said, outcome);
  if (!complete)
    say_end(status, in_time, seconds, printed, outcome);
  else if (!in_time)
    say_end(status, false, seconds, {}, outcome);
  else if (WIFSIGNALED(status)) {
    outcome.findings.push_back(
        {Level::fault, "at the end of the process, " + how_it_ended(status)});
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

}  // namespace gantry::cli
