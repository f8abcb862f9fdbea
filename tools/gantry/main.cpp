// gantry: the command line for operators and plugin authors. See README.md.
#include "tools/gantry/run.hpp"

int main(int argc, char** argv) { return gantry::cli::run(argc, argv); }
