#include "host/rpc/items/request_parts.hpp"

#include <utility>

#include "host/rpc/request_trace.hpp"

namespace gantry::host::rpc {

ItemRequestParts parts_of(const Context& context, ItemEntry& entry) {
  ItemRequestParts parts;
  parts.kind = entry.kind;
  parts.name = entry.name;
  parts.arguments = std::move(entry.arguments);
  parts.wants_task = entry.wants_task;
  parts.revision = context.revision;
  parts.party = context.party_name();
  parts.client = context.party.client;
  parts.agent = context.principal.agent;
  parts.trace = context.trace;
  return parts;
}

ItemCall call_of(const ItemRequestParts& parts, const SnapshotPtr& snapshot, const Item* item,
                 const rapidjson::Value* parsed) {
  ItemCall call;
  call.agent = parts.agent;
  call.party = parts.party;
  call.client = parts.client;
  call.snapshot = snapshot;
  call.item = item;
  call.kind = parts.kind;
  call.name = parts.name;
  call.arguments = parts.arguments;
  call.parsed = parsed;
  call.protocol = parts.revision;
  call.correlation_id = parts.correlation_id;
  call.is_traced = parts.trace && parts.trace->is_sampled();
  // A task's progress becomes its status message.
  call.wants_progress = !parts.progress_token.empty() || parts.can.tasks;
  call.log_level = parts.log_level;
  call.inputs.can = parts.can;
  return call;
}

}  // namespace gantry::host::rpc
