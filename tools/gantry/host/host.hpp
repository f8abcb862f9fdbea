// tools/gantry/host/host.hpp: asks a running host, over its control socket or over HTTP.
//
// Main thread.
#pragma once

#include <memory>
#include <string>

#include <gantry/result.hpp>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gantry::cli {

class Host {
 public:
  virtual ~Host() = default;

  // Returns the result's JSON text. `params` is a JSON object. GANTRY_NOT_FOUND: the host could not
  // be reached; GANTRY_FAILED: it refused, with its sentence.
  virtual Result<std::string> ask(const std::string& method, const std::string& params) = 0;
};

// The host that the user named; without a value, the only host of this user.
struct HostChoice {
  std::string control, url, key;
};

// Adds --control alone.
CLI::Option* declare_control(CLI::App& command, HostChoice& choice);
// Adds --control, --url and --key.
void declare_host(CLI::App& command, HostChoice& choice);

// The error is a sentence for the user: no host runs, or several do.
Result<std::unique_ptr<Host>> find_host(const HostChoice& choice);

// The control socket at `path`.
Result<std::unique_ptr<Host>> socket_host(const std::string& path);
// /admin at `url`, with or without its /mcp.
Result<std::unique_ptr<Host>> http_host(const std::string& url, const std::string& key);

// The exit code for an error of ask() or find_host().
int exit_code(const Status& status);

}  // namespace gantry::cli
