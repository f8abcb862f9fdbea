// tools/gantry/run.hpp: the program from its command line to its exit code. Main thread.
#pragma once

namespace gantry::cli {

int run(int argc, const char* const* argv);

}  // namespace gantry::cli
