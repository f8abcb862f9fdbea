// gantry open
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/dev/child.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/operate/operate.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct OpenOptions {
  HostChoice host;
  bool print = false;
};

bool is_given(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// A browser of this machine would reach the person: a terminal, a display, no SSH, not root.
bool has_browser() {
  return ::isatty(1) == 1 && (is_given("DISPLAY") || is_given("WAYLAND_DISPLAY")) &&
         !is_given("SSH_CONNECTION") && ::geteuid() != 0;
}

// The port of http://HOST:PORT/…; empty: none is named.
std::string port_of(const std::string& url) {
  const std::size_t colon = url.find(':', url.find("//") + 2);
  const std::size_t end = url.find('/', colon);
  return colon == url.npos ? "" : url.substr(colon + 1, end - colon - 1);
}

void tell_of_tunnel(const std::string& url) {
  const std::string port = port_of(url);
  if (!is_given("SSH_CONNECTION") || port.empty()) return;
  std::fprintf(stderr, "From your own machine:  ssh -L %s:127.0.0.1:%s THIS_MACHINE\n",
               port.c_str(), port.c_str());
}

void start_browser(const std::string& url) {
  const Stop stop;
  const auto browser = Child::start({"xdg-open", url});
  if (!browser || (*browser)->wait(stop) != 0) {
    complain("no browser could be started; open the link yourself", kDone);
  }
}

int open_console(const OpenOptions& options) {
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  const auto answer = (*host)->ask("console.link", "{}");
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto link = parsed(*answer);
  const std::string url = printable(text_at(link, "url"));
  if (url.empty()) return complain("the host gave no link", kFailed);
  std::printf("%s\n", url.c_str());
  std::fflush(stdout);
  std::fprintf(stderr, "It logs in once, within %u minutes.\n",
               static_cast<unsigned>(number_at(link, "expires_s") / 60));
  tell_of_tunnel(url);
  if (!options.print && has_browser()) start_browser(url);
  return kDone;
}

}  // namespace

void declare_open(CLI::App& app, Run& run) {
  auto options = std::make_shared<OpenOptions>();
  CLI::App* command =
      app.add_subcommand("open", "A link that logs in to the web console of a host, once");
  command->add_flag("--no-open", options->print, "Start no browser");
  declare_control(*command, options->host);
  command->footer(
      "The link is alone on standard output. A browser is started from a terminal with a display, "
      "not over SSH and not by root.");
  command->callback([options, &run] { run = [options] { return open_console(*options); }; });
}

}  // namespace gantry::cli
