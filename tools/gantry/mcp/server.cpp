#include "tools/gantry/mcp/server.hpp"

#include <csignal>
#include <cstdlib>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "host/base/ids.hpp"
#include "host/control/paths.hpp"
#include "tools/gantry/command.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

constexpr const char* kDefaultUrl = "http://127.0.0.1:8765/mcp";
constexpr const char* kKey = "GANTRY_API_KEY";

std::string key_from_environment() {
  const char* key = std::getenv(kKey);
  return key == nullptr ? "" : key;
}

void add_flag(std::vector<std::string>& flags, const char* flag, const std::string& value) {
  if (!value.empty()) flags.insert(flags.end(), {flag, value});
}

// A new key, so that no other user of this machine can use the server meanwhile.
Result<ReachedServer> start_own(const std::vector<std::string>& flags, const Stop& stop) {
  if (key_from_environment().empty()) ::setenv(kKey, host::random_hex(16).c_str(), 1);
  std::signal(SIGPIPE, SIG_IGN);  // a reader of our output that leaves must not orphan the server
  auto own = OwnHost::start("127.0.0.1:0", flags, stop, "error");
  if (!own) return stop.told() ? Status(GANTRY_CANCELLED, "cancelled") : own.status();
  auto client = Client::create((*own)->url(), key_from_environment(), stop);
  if (!client) return client.status();
  return ReachedServer{std::move(*own), std::move(*client)};
}

// The endpoints of this user's hosts that serve HTTP.
std::vector<std::string> endpoints() {
  std::vector<std::string> out;
  for (const auto& socket : host::control::living_sockets(host::control::runtime_directory())) {
    auto host = socket_host(socket);
    if (!host) continue;
    const auto info = (*host)->ask("host.info", "{}");
    std::string url = info ? text_at(parsed(*info), "endpoint") : std::string();
    if (url.starts_with("http")) out.push_back(std::move(url));
  }
  return out;
}

Result<std::string> url_to_ask(const ServerChoice& choice) {
  if (!choice.url.empty()) return choice.url;
  const auto found = endpoints();
  if (found.empty()) return std::string(kDefaultUrl);
  if (found.size() == 1) return found.front();
  std::string all = "several servers run; name one:";
  for (const auto& url : found) all += "\n  --url " + printable(url);
  return Status(GANTRY_NOT_FOUND, all);
}

}  // namespace

std::vector<std::string> gantryd_flags(const ServerChoice& choice) {
  std::vector<std::string> out;
  add_flag(out, "--config", choice.config);
  add_flag(out, "--db", choice.database);
  add_flag(out, "--model", choice.model);
  add_flag(out, "--agents", choice.agents);
  add_flag(out, "--agent", choice.agent);
  add_flag(out, "--builtin-plugins", choice.builtin_plugins);
  for (const auto& directory : choice.plugin_directories) add_flag(out, "--plugins", directory);
  for (const auto& file : choice.plugin_files) add_flag(out, "--plugin", file);
  return out;
}

std::vector<std::string> server_words(const ServerChoice& choice) {
  if (!choice.url.empty()) return {"--url", choice.url};
  return gantryd_flags(choice);
}

void declare_gantryd_flags(CLI::App& command, ServerChoice& choice, CLI::Option* other) {
  const auto own = [&](const char* flag, auto& value, const char* help, const char* type) {
    CLI::Option* option = command.add_option(flag, value, help)->type_name(type);
    option->group("A server of its own, with these flags of gantryd");
    if (other != nullptr) option->excludes(other);
  };
  own("--db", choice.database, "SQLite database to serve", "FILE");
  own("--config", choice.config, "Configuration file", "FILE");
  own("--model", choice.model, "Directory of the model", "DIR");
  own("--agents", choice.agents, "Agents file: profiles of callers", "FILE");
  own("--plugins", choice.plugin_directories, "Also load the *.so files of DIR", "DIR");
  own("--plugin", choice.plugin_files, "Also load this plugin", "FILE");
  own("--builtin-plugins", choice.builtin_plugins, "Directory of the built-in plugins, or none",
      "DIR");
  for (const char* flag : {"--plugins", "--plugin"}) {
    command.get_option(flag)->expected(1)->take_all();
  }
}

void declare_server(CLI::App& command, ServerChoice& choice) {
  auto* url = command.add_option("--url", choice.url,
                                 "Ask this server [this user's, else http://127.0.0.1:8765/mcp]");
  url->type_name("URL");
  command.add_option("--key", choice.key, "The key for --url [$GANTRY_API_KEY]")
      ->type_name("KEY")
      ->needs(url);
  declare_gantryd_flags(command, choice, url);
}

void declare_agent_choice(CLI::App& command, ServerChoice& choice) {
  command.add_option("--agent", choice.agent, "The profile of the agents file to act as")
      ->type_name("NAME")
      ->needs("--agents")
      ->group("A server of its own, with these flags of gantryd");
}

Result<ReachedServer> reach_server(const ServerChoice& choice, const Stop& stop) {
  if (const auto flags = gantryd_flags(choice); !flags.empty()) return start_own(flags, stop);
  const auto url = url_to_ask(choice);
  if (!url) return url.status();
  auto client =
      Client::create(*url, choice.key.empty() ? key_from_environment() : choice.key, stop);
  if (!client) return client.status();
  return ReachedServer{nullptr, std::move(*client)};
}

std::string explained(const Status& status, const ServerChoice& choice) {
  if (!status.message().starts_with("no server can be asked at ") ||
      !gantryd_flags(choice).empty()) {
    return status.message();
  }
  if (!choice.url.empty()) return status.message() + "; is gantryd running there?";
  return status.message() +
         "; start one with gantryd --db FILE, name one with --url URL, or give this command the "
         "database: --db FILE";
}

int server_exit_code(const Status& status) {
  return status.code() == GANTRY_NOT_FOUND ? kUnusable : kFailed;
}

}  // namespace gantry::cli
