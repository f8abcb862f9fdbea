#include "tools/gantry/run.hpp"

#include <cstdio>

#include <gantry/abi/version.h>

#include "tools/gantry/command.hpp"
#include "tools/gantry/dev/dev.hpp"
#include "tools/gantry/import/import.hpp"
#include "tools/gantry/plugin/plugin.hpp"

namespace gantry::cli {
namespace {

constexpr const char* kFooter =
    R"(Exit codes: 0 done, 1 refused or found wrong, 2 wrong usage or no host to ask.

Commands that ask a host find the one this user runs; --control PATH or --url URL name another.

Try:  gantry plugin list
      gantry plugin new word-count && gantry dev word-count
      gantry import people.csv --class people --db demo.db)";

}  // namespace

int complain(const std::string& sentence, int code) {
  std::fflush(stdout);
  std::fprintf(stderr, "gantry: %s\n", sentence.c_str());
  return code;
}

int run(int argc, const char* const* argv) {
  CLI::App app("gantry runs and makes plugins of the MCP host gantryd, and fills its databases.",
               "gantry");
  Run chosen;
  app.set_version_flag("--version", std::string("gantry ") + GANTRY_SDK_VERSION);
  app.footer(kFooter);
  app.require_subcommand(1);
  declare_plugin(app, chosen);
  declare_dev(app, chosen);
  declare_import(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + "\nRun gantry --help for all commands.", kUnusable);
  }
  return chosen();
}

}  // namespace gantry::cli
