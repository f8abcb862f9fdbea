// tools/gantry/chat/toolbox.hpp: the tools of an MCP server, as a model calls them.
//
// Main thread; up to four calls run on threads of their own.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "tools/gantry/chat/loop.hpp"
#include "tools/gantry/chat/names.hpp"
#include "tools/gantry/chat/person.hpp"
#include "tools/gantry/mcp/client.hpp"

namespace gantry::cli::chat {

class ToolBox final : public Tools {
 public:
  // Gets each call when it ended; also on other threads, one at a time.
  using OnCalled = std::function<void(const Called& called)>;

  // `listed` is Client::tools(); `only` names the tools that the model gets, empty: all. `yes`:
  // tools that may destroy something run without a question. The client must offer elicitation.
  // Client and person must outlive it. The error names a tool of `only` that there is not.
  static Result<ToolBox> create(const Client& client, const rapidjson::Document& listed,
                                const std::vector<std::string>& only, Person& person, bool yes,
                                OnCalled on_called);

  const std::vector<ToolSpec>& specs() const override { return specs_; }
  std::vector<Called> run(const std::vector<ToolCall>& calls) override;

  // A table of names and descriptions, in at most `width` columns; 0: any number.
  std::string table(std::size_t width) const;

 private:
  struct Running;
  ToolBox(const Client& client, Person& person, bool yes, OnCalled on_called)
      : client_(&client), person_(&person), yes_(yes), on_called_(std::move(on_called)) {}

  void add(const rapidjson::Value& tool);
  void prepare(const ToolCall& call, Running& running, bool& stopped);
  void send(Running& running) const;
  void send_all(std::vector<Running>& all) const;
  void answer(Running& running, bool& stopped);

  const Client* client_;
  Person* person_;
  bool yes_;
  OnCalled on_called_;
  Names names_;
  std::vector<ToolSpec> specs_;
  std::map<std::string, bool> destructive_;  // by the tool's own name
};

}  // namespace gantry::cli::chat
