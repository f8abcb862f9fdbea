// gantryd: reads the command line and the configuration, then serves. See README.md.
#include <malloc.h>

#include <cstdio>

#include <gantry/abi/version.h>

#include "host/app/run.hpp"

int main(int argc, char** argv) {
  using gantry::host::CommandLine;
  // Few arenas: an idle server should be small, and hot paths hardly allocate.
  mallopt(M_ARENA_MAX, 2);
  // Answers of some hundred KiB come from the heap, and stay its memory: with the defaults each of
  // them is mapped, filled page by page and unmapped, which takes longer than to make it.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
  const auto plugins = gantry::host::builtin_plugin_keys();
  const auto read = [argc, argv, &plugins] {
    return gantry::host::read_command_line(argc, argv, GANTRY_SDK_VERSION, plugins);
  };
  const CommandLine line = read();
  std::fputs(line.output.c_str(), stdout);
  std::fputs(line.errors.c_str(), stderr);
  if (line.action == CommandLine::Action::leave) return line.exit_code;
  // Before any thread starts, because threads inherit the blocked signals.
  const gantry::host::Signals signals;
  return gantry::host::run(line, plugins, signals, read);
}
