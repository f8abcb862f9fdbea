// tools/gantry/console/session.hpp: the commands of the console.
//
// Main thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "tools/gantry/console/catalog.hpp"
#include "tools/gantry/dev/stop.hpp"
#include "tools/gantry/mcp/answer.hpp"
#include "tools/gantry/mcp/client.hpp"

namespace gantry::cli::console {

enum class Outcome : std::uint8_t { done, failed, leave };

// Answers go to standard output, all else to standard error.
class Session {
 public:
  // All must outlive it. `stop`: Ctrl-C cancels the call that runs.
  Session(const Client& client, Catalog& catalog, Stop& stop);

  // Runs one whole command; empty text does nothing. `failed`: it was refused, cancelled or not
  // understood, and the reason was said.
  Outcome run(const std::string& text);

 private:
  using Words = std::vector<std::string>;
  using Command = Outcome (Session::*)(const Words& words);
  static Command command_of(const std::string& word);

  Outcome help(const Words& words);
  Outcome tools(const Words& words);
  Outcome schemas(const Words& words);
  Outcome schema(const Words& words);
  Outcome call(const Words& words);
  Outcome query(const Words& words);
  Outcome count(const Words& words);
  Outcome dispatch(const Words& words);
  Outcome prompts(const Words& words);
  Outcome prompt(const Words& words);
  Outcome ask(const Words& words);
  Outcome leave(const Words& words);

  // Calls the tool with the words from `first` on as its arguments.
  Outcome call_tool(const std::string& tool, Words arguments, Form form);
  // The result of a request, which is shown to be refused here.
  Result<rapidjson::Document> result_of_request(const std::string& method,
                                                const std::string& params, const std::string& name);
  Outcome fail(const std::string& sentence);

  const Client& client_;
  Catalog& catalog_;
  Stop& stop_;
};

}  // namespace gantry::cli::console
