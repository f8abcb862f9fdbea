#include "host/worker/cause.hpp"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

namespace gantry::host {
namespace {

// The limit is on address space; how much of it was touched says that the end was near.
bool was_full(const End& end) {
  return end.memory_limit != 0 && end.peak_bytes >= end.memory_limit / 10 * 7;
}

bool says_memory(std::string_view line) {
  return line.find("bad_alloc") != line.npos || line.find("out of memory") != line.npos ||
         line.find("memory allocation of") != line.npos;
}

std::string memory_words(const End& end) {
  std::string words = "ran out of memory";
  if (end.memory_limit != 0) {
    words +=
        " (worker.memory_bytes allows " + std::to_string(end.memory_limit / kMebibyte) + " MiB)";
  }
  return words;
}

}  // namespace

std::string signal_words(int signal) {
  const char* name = ::sigabbrev_np(signal);
  std::string words = "signal " + std::to_string(signal);
  return name == nullptr ? words : words + " (SIG" + name + ")";
}

std::string cause_of(const End& end) {
  if (WIFEXITED(end.wait_status))
    return "called exit(" + std::to_string(WEXITSTATUS(end.wait_status)) + ")";
  const int signal = WTERMSIG(end.wait_status);
  const std::string killed = "was killed by " + signal_words(signal);
  if (signal == SIGABRT && says_memory(end.last_line)) return memory_words(end);
  if (was_full(end)) return memory_words(end) + ": it " + killed;
  if (signal == SIGKILL)
    return killed +
           ", which came from outside: from another process, or the system was out of memory";
  return killed;
}

}  // namespace gantry::host
