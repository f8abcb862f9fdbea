// tools/gantry/run.hpp: the program from its command line to its exit code. Main thread.
#pragma once

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace gantry::cli {

int run(int argc, const char* const* argv);

// The parser of the program, for what is made from it: manual pages and completions.
void with_commands(const std::function<void(const CLI::App&)>& use);

}  // namespace gantry::cli
