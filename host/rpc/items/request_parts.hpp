// host/rpc/items/request_parts.hpp (private): the data of one request that enters an item.
//
// Values; constant once the request has begun. Functions throw only std::bad_alloc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/rpc/items/start_item.hpp"
#include "host/rpc/rounds/rounds.hpp"

namespace gantry::host::rpc {

// Everything of a request that is needed until its answer, copied from the borrowed message. It has
// more than twelve members: they are written once, together, and read one by one.
struct ItemRequestParts {
  std::string id, method, kind, name, arguments, revision, principal;
  std::string progress_token, args_keys, correlation_id, auth_type;
  std::string party;  // as Context::party_name()
  std::uint64_t client = 0;
  std::optional<int> log_level;  // the most verbose the client wants
  AgentPtr agent;
  ClientCan can{};
  bool wants_task = false;  // the client requested a task (2025-11-25)
  MakeAnswer finish;
  std::shared_ptr<RequestTrace> trace;  // null: no client's request
  Session* session = nullptr;           // the sink keeps it
  // The item as found at the first entry.
  std::string item_kind, item_key, plugin;
  std::uint64_t generation = 0;
  std::int64_t state_version = 0;
  std::shared_ptr<const schema::Validator> output;  // null: it has no output schema
};

// The parts that every entry of an item needs: the caller's and the entry's. Takes the arguments
// out of `entry`.
ItemRequestParts parts_of(const Context& context, ItemEntry& entry);

// The call that enters `item`, without earlier rounds. Borrows from `parts`. `parsed` as in
// ItemCall.
ItemCall call_of(const ItemRequestParts& parts, const SnapshotPtr& snapshot, const Item* item,
                 const rapidjson::Value* parsed);

// The binding of the sealed state between rounds; borrows from `parts`.
inline RoundsOf rounds_of(const ItemRequestParts& parts) {
  return {parts.principal, parts.method, parts.item_key, parts.name, parts.arguments};
}

}  // namespace gantry::host::rpc
