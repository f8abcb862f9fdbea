// host/rpc/methods.hpp (private): the method tables of both eras over one set of features.
//
// A new method is a function here and a row in the table of each era that has it.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/auth/seal.hpp"
#include "host/base/timer.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/rpc/items/scoped_count.hpp"
#include "host/rpc/listen/listeners.hpp"
#include "host/rpc/listen/session_listeners.hpp"
#include "host/rpc/lists/item_lists.hpp"
#include "host/rpc/message/param_headers.hpp"
#include "host/rpc/rounds/pending_question_limit.hpp"
#include "host/rpc/tasks/tasks.hpp"

namespace gantry::host::rpc {

// The state that the methods share. One member for each part of the protocol layer, so it has more
// than twelve; the Dispatcher owns it and wires it once. The references are the Dispatcher's.
struct Core {
  Core(const Registry& r, Calls& c, Log& l, Metrics& m, Bus& b, const Clock& k, ProtocolSettings f);
  ~Core();

  const Registry& registry;
  Calls& calls;
  Log& log;
  Metrics& metrics;
  Bus& bus;
  const Clock& clock;
  const ProtocolSettings settings;
  const std::string modern_meta;  // ,"_meta":{…serverInfo…}
  // server/discover results, the same for all callers: without and with subscribable resources.
  const std::array<std::string, 2> discover_results;
  ItemLists lists;
  Sealer sealer;
  const std::shared_ptr<PendingQuestionLimit> pending_questions;
  Tasks tasks;
  const std::shared_ptr<Listeners> listeners;  // both are subscribers of the bus until ~Core()
  const std::shared_ptr<SessionListeners> session_listeners;
  Timer timer;     // timeouts of questions to clients
  LiveCount runs;  // requests, downloads and tasks that have not ended

  // The x-mcp-header arguments of a tool; cached for one snapshot. Any thread.
  std::shared_ptr<const std::vector<ParamHeader>> headers_of(const Snapshot& snapshot,
                                                             const Item& tool);

 private:
  std::mutex headers_mutex_;
  std::uint64_t headers_version_ = 0;
  std::map<std::string, std::shared_ptr<const std::vector<ParamHeader>>, std::less<>> headers_;
};

using Handler = std::optional<Answer> (*)(Core&, const Message&, const Context&, Channel&);

// The handler of a method in an era, or null.
Handler find_method(Era era, std::string_view method);

// The features.
std::optional<Answer> discover(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> initialize(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> ping(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> set_level(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> list_tools(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> list_prompts(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> list_resources(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> list_templates(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> get_prompt(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> read_resource(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> complete(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> call_tool(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> listen(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> subscribe(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> unsubscribe(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> get_task(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> update_task(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> cancel_task(Core&, const Message&, const Context&, Channel&);

// The response to `message` whose result is the JSON text `result`.
Answer result_of(const Message& message, std::string_view result);
inline Answer failure(const Message& message, const Error& error) {
  return {error.to_message(message.id()), error.status};
}

}  // namespace gantry::host::rpc
