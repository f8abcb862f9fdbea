// gantry: what people do with plugins and hosts. See README.md.
#include "tools/gantry/run.hpp"

int main(int argc, char** argv) { return gantry::cli::run(argc, argv); }
