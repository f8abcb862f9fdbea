// gantry dev DIR: builds a project after each change and loads the result into a host.
#include "tools/gantry/dev/dev.hpp"

#include <cstdio>
#include <ctime>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "host/control/paths.hpp"
#include "tools/gantry/dev/build.hpp"
#include "tools/gantry/dev/own_host.hpp"
#include "tools/gantry/dev/served.hpp"
#include "tools/gantry/dev/watch.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct DevOptions {
  HostChoice host;
  std::string directory = ".", listen = "127.0.0.1:0";
  std::vector<std::string> flags;
};

void say(const std::string& sentence) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::printf("%02d:%02d:%02d  %s\n", local.tm_hour, local.tm_min, local.tm_sec,
              printable(sentence).c_str());
  std::fflush(stdout);
}

enum class Made { built, failed, stopped };

Made make(const Build& build, const Stop& stop) {
  for (const auto& command : build.commands()) {
    auto child = Child::start(command);
    if (!child) {
      say(child.message());
      return Made::failed;
    }
    const int code = (*child)->wait(stop);
    if (code < 0) return Made::stopped;
    if (code > 0) return Made::failed;
  }
  return Made::built;
}

// One build and, when it succeeds, the swap. False: the user stopped it.
bool turn(const Build& build, Served& served, const Stop& stop) {
  say("building " + build.root.string() + " with " + build.tool);
  const Made made = make(build, stop);
  if (made == Made::stopped) return false;
  if (made == Made::failed) {
    say("the build failed, see above; " + served.standing());
    return true;
  }
  const auto library = build.product();
  if (!library) {
    say(library.message());
    return true;
  }
  const auto swapped = served.swap(*library);
  say(swapped ? *swapped : "refused: " + swapped.message());
  return true;
}

int loop(const Build& build, Watch& watch, Served& served, const Stop& stop, const OwnHost* own) {
  while (turn(build, served, stop)) {
    for (;;) {
      // Waits for a change, the end of the own host, or Ctrl-C.
      const Woken woken = wait_for(watch.fd(), stop, std::chrono::milliseconds(own ? 500 : -1));
      if (woken == Woken::stopped) return kDone;
      if (own && wait_for(own->process().fd(), stop, std::chrono::milliseconds(0)) == Woken::ready)
        return complain("gantryd has ended", kFailed);
      if (woken == Woken::ready && watch.settled(stop)) break;
    }
  }
  return kDone;
}

bool names_host(const HostChoice& choice) { return !choice.control.empty() || !choice.url.empty(); }

int develop(DevOptions options) {
  const auto build = detect_build(options.directory);
  if (!build) return complain(build.status(), kUnusable);
  const Stop stop;
  Watch watch(build->root);
  std::unique_ptr<OwnHost> own;
  const bool runs = !host::control::living_sockets(host::control::runtime_directory()).empty();
  if (!names_host(options.host) && !runs) {
    auto started = OwnHost::start(options.listen, options.flags, stop);
    if (!started) return stop.told() ? kDone : complain(started.status(), kUnusable);
    own = std::move(*started);
    options.host.control = own->control();
    say("gantryd serves at " + own->url());
  } else if (const auto host = find_host(options.host); !host) {
    return complain(host.status(), exit_code(host.status()));
  } else if (const auto info = (*host)->ask("host.info", "{}"); info) {
    say("using the host at " + text_at(parsed(*info), "endpoint"));
  }
  Served served(options.host, build->made / "gantry-dev");
  return loop(*build, watch, served, stop, own.get());
}

}  // namespace

void declare_dev(CLI::App& app, Run& run) {
  auto options = std::make_shared<DevOptions>();
  CLI::App* command = app.add_subcommand(
      "dev", "Build a plugin whenever it changes and let a host serve it at once");
  command->add_option("DIR", options->directory,
                      "The project: CMakeLists.txt, Cargo.toml or a Makefile [.]");
  command
      ->add_option("--listen", options->listen,
                   "Where to serve when no host of this user runs yet [127.0.0.1:0]")
      ->type_name("HOST:PORT");
  declare_host(*command, options->host);
  command->add_option("FLAGS", options->flags,
                      "After --: more flags for the gantryd that is started, such as --db FILE");
  command->positionals_at_end(false);
  command->footer("Ctrl-C ends it, with the host it started; of another host it takes the plugin.");
  command->callback([options, &run] { run = [options] { return develop(*options); }; });
}

}  // namespace gantry::cli
