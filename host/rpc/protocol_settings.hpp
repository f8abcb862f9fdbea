// host/rpc/protocol_settings.hpp: limits, lifetimes and texts of the protocol layer.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "host/limits/byte_budget.hpp"

namespace gantry::host::rpc {

// Values; set once before serving.
struct ProtocolSettings {
  std::string version{};       // of the program
  std::string instructions{};  // for the model; may be empty
  std::chrono::milliseconds discover_ttl{60'000};
  std::chrono::milliseconds list_ttl{5'000};
  bool lists_are_public = false;  // every caller is the same agent
  // Rounds of input: how long sealed state is good, how long a legacy client may take to answer,
  // and how many requests may wait for such an answer.
  std::chrono::milliseconds round_lifetime{600'000}, input_timeout{300'000};
  std::size_t max_waiting = 1'000, max_waiting_per_session = 8;
  // Tasks: all together, of one principal, and how long an ended one can still be fetched.
  std::size_t max_tasks = 1'000, max_tasks_per_owner = 100;
  std::chrono::milliseconds task_ttl{600'000}, task_poll{1'000};
  std::shared_ptr<ByteBudget> kept{};  // where results of tasks are counted; null: nowhere
  // Change notifications: messages queued for one stream, resources that one session or listening
  // request may name, and sessions that have any subscription.
  std::size_t max_stream_notifications = 256, max_subscriptions = 100;
  std::size_t max_subscribing_sessions = 1'000;
};

// {"name":…,"version":…,"title"?:…} as a peer of `revision` knows it.
std::string server_info(const ProtocolSettings& settings, std::string_view revision);

}  // namespace gantry::host::rpc
