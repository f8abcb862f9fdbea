// Runs bin/gantry of this build.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace gantry::cli {

struct Ran {
  int code = -1;
  std::string output;  // both streams
};

inline Ran run_gantry(const std::string& arguments) {
  Ran ran;
  const std::string command = GANTRY_BINARY_DIR "/bin/gantry " + arguments + " 2>&1 </dev/null";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> bytes;
  for (std::size_t got; (got = std::fread(bytes.data(), 1, bytes.size(), pipe)) > 0;) {
    ran.output.append(bytes.data(), got);
  }
  const int status = ::pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

}  // namespace gantry::cli
