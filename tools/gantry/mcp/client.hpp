// tools/gantry/mcp/client.hpp: asks an MCP server over HTTP, in the revision without sessions.
//
// Main thread; ask() any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli {

class Client {
 public:
  // Gets the params of each notifications/progress of a request.
  using OnProgress = std::function<void(const rapidjson::Value& params)>;

  // `url` is the endpoint, with or without /mcp; an empty `key` sends none. GANTRY_NOT_FOUND: one
  // of them is unusable. `stop` must outlive it: the user's Ctrl-C closes the connection, and with
  // it the server cancels the request.
  static Result<Client> create(const std::string& url, const std::string& key, const Stop& stop);

  // Returns the JSON-RPC answer, a result or an error. `params` is a JSON object; `name` is that of
  // the tool of tools/call, else empty. GANTRY_NOT_FOUND: no MCP server answers there, or it
  // refuses the key; GANTRY_CANCELLED: the user stopped.
  Result<std::string> ask(const std::string& method, const std::string& params,
                          const std::string& name = {}, const OnProgress& on_progress = {}) const;

  // The tools of all pages: {"tools":[…]}. The errors of ask(), and GANTRY_FAILED: the server
  // refused, with its sentence.
  Result<rapidjson::Document> tools() const;

  // Tells the server of `capabilities`, a JSON object, with every request from now on; {} at first.
  void offer(std::string capabilities) { capabilities_ = std::move(capabilities); }

  const std::string& url() const { return url_; }

 private:
  Client(std::string url, std::string key, const Stop& stop)
      : url_(std::move(url)), key_(std::move(key)), stop_(&stop) {}
  Status refused(long status) const;

  std::string url_, key_, capabilities_ = "{}";
  const Stop* stop_;
};

}  // namespace gantry::cli
