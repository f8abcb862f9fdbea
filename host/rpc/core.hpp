// host/rpc/core.hpp (private): the state that the methods share.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "host/approvals/approvals.hpp"
#include "host/auth/seal.hpp"
#include "host/base/live_count.hpp"
#include "host/base/timer.hpp"
#include "host/bus/bus.hpp"
#include "host/calls/calls.hpp"
#include "host/limits/call_rate.hpp"
#include "host/observe/log.hpp"
#include "host/observe/metrics.hpp"
#include "host/registry/registry.hpp"
#include "host/rpc/items/param_header_cache.hpp"
#include "host/rpc/lists/item_lists.hpp"
#include "host/rpc/open_work.hpp"
#include "host/rpc/protocol_settings.hpp"
#include "host/rpc/rounds/pending_question_limit.hpp"
#include "host/rpc/tasks/tasks.hpp"

namespace gantry::host::rpc {

class Listeners;
class ScopedLists;
class ScopedUpdates;
class SessionListeners;

// One member for each part of the protocol layer, so it has more
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
  const std::shared_ptr<Audit> audit;          // never null
  const std::shared_ptr<Approvals> approvals;  // never null
  const std::string modern_meta;               // ,"_meta":{…serverInfo…}
  // server/discover results, the same for all callers: without and with subscribable resources.
  const std::array<std::string, 2> discover_results;
  ItemLists lists;
  ParamHeaderCache param_headers;
  Sealer sealer;
  CallRate rates;
  const std::shared_ptr<PendingQuestionLimit> pending_questions;
  Tasks tasks;
  const std::shared_ptr<Listeners> listeners;  // all four subscribe to the bus until ~Core()
  const std::shared_ptr<SessionListeners> session_listeners;
  const std::shared_ptr<ScopedUpdates> scoped_updates;
  const std::shared_ptr<ScopedLists> scoped_lists;
  OpenWork open_work;
  Timer timer;     // timeouts of questions to clients
  LiveCount runs;  // requests, downloads and tasks that have not ended
};

}  // namespace gantry::host::rpc
