// tools/gantry/mcp/server.hpp: the MCP server that a command asks: a running one, or its own.
//
// Main thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "tools/gantry/dev/own_host.hpp"
#include "tools/gantry/mcp/client.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gantry::cli {

// The user's choice. Flags of gantryd start a server of the command's own; without any value the
// only host of this user is asked, else the default address.
struct ServerChoice {
  std::string url, key;
  std::string config, database, model, agents, agent, builtin_plugins;
  std::vector<std::string> plugin_directories, plugin_files;
};

// Adds --url and --key, and the flags of gantryd.
void declare_server(CLI::App& command, ServerChoice& choice);
// Adds only the flags of gantryd. If `other` is given, none of them may be combined with it.
void declare_gantryd_flags(CLI::App& command, ServerChoice& choice, CLI::Option* other = nullptr);

// The flags of gantryd that were given, as words for it.
std::vector<std::string> gantryd_flags(const ServerChoice& choice);
// The words that name the same server to another command; a key is not among them.
std::vector<std::string> server_words(const ServerChoice& choice);

// Adds --agent, for commands that act as one profile of their own server.
void declare_agent_choice(CLI::App& command, ServerChoice& choice);

struct ReachedServer {
  std::unique_ptr<OwnHost> own;  // ends with the command; null: the server ran before
  Client client;
};

// The error is a sentence for the user. `stop` must outlive the result.
Result<ReachedServer> reach_server(const ServerChoice& choice, const Stop& stop);

// The sentence for an error of the client, which says what to do where no server answers.
std::string explained(const Status& status, const ServerChoice& choice);

// The exit code for an error of reach_server() or the client.
int server_exit_code(const Status& status);

}  // namespace gantry::cli
