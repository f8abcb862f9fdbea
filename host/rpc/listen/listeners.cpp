#include "host/rpc/listen/listeners.hpp"

#include "host/rpc/listen/event_text.hpp"

namespace gantry::host::rpc {
namespace {

using Kind = Event::Kind;

bool wants(const Listener& listener, const Event& event) {
  const SubscriptionFilter& wanted = listener.wanted;
  switch (event.kind) {
    case Kind::tools_listed:
      return wanted.tools && concerns(event, *listener.principal.agent);
    case Kind::prompts_listed:
      return wanted.prompts && concerns(event, *listener.principal.agent);
    case Kind::resources_listed:
      return wanted.resources && concerns(event, *listener.principal.agent);
    case Kind::resource_updated:
      return wanted.uris.contains(event.uri) && concerns(event, *listener.principal.agent);
    case Kind::task_changed:
      return event.owner == listener.principal.name && wanted.tasks.contains(event.task);
  }
  return false;
}

}  // namespace

std::vector<SubscribedResource> with_ages(const SubscribedUris& uris, Clock::Instant now) {
  std::vector<SubscribedResource> out;
  for (const auto& [uri, since] : uris) out.push_back({uri, now - since});
  return out;
}

bool Listeners::add(const ListenerPtr& listener) {
  std::lock_guard lock(mutex_);
  if (ended_) return false;
  if (!table_.emplace(listener.get(), listener).second) return true;
  for (const auto& [uri, since] : listener->wanted.uris) bus_.watch(uri);
  return true;
}

void Listeners::remove(const Listener& listener) {
  ListenerPtr gone;  // released without the lock
  std::lock_guard lock(mutex_);
  const auto found = table_.find(&listener);
  if (found == table_.end()) return;
  gone = std::move(found->second);
  table_.erase(found);
  unwatch(*gone);
}

void Listeners::add_clients(std::vector<ListeningClient>& out) const {
  const Clock::Instant now = clock_.now();
  std::lock_guard lock(mutex_);
  for (const auto& [key, listener] : table_) {
    const SubscriptionFilter& wanted = listener->wanted;
    out.push_back({.principal = listener->principal.name,
                   .agent = listener->principal.agent->name,
                   .is_session = false,
                   .session = {},
                   .tools = wanted.tools,
                   .prompts = wanted.prompts,
                   .resources = wanted.resources,
                   .uris = with_ages(wanted.uris, now),
                   .tasks = wanted.tasks.size()});
  }
}

std::size_t Listeners::size() const {
  std::lock_guard lock(mutex_);
  return table_.size();
}

void Listeners::add_viewers(std::string_view uri, std::map<std::string, Principal>& viewers) const {
  std::lock_guard lock(mutex_);
  for (const auto& [key, listener] : table_) {
    if (listener->wanted.uris.contains(uri))
      viewers.try_emplace(listener->principal.agent->fingerprint, listener->principal);
  }
}

void Listeners::add_list_viewers(std::map<std::string, Principal>& viewers) const {
  std::lock_guard lock(mutex_);
  for (const auto& [key, listener] : table_) {
    if (listener->wanted.resources)
      viewers.try_emplace(listener->principal.agent->fingerprint, listener->principal);
  }
}

void Listeners::deliver(const Event& event) {
  const auto due = take_due(event);
  if (due.empty()) return;
  const EventText text(event);
  for (const auto& [listener, last] : due) {
    if (!listener->out->put(text.key(), text.for_request(listener->id))) remove(*listener);
    if (last) listener->out->end();
  }
}

void Listeners::take_agents(const AgentChanges& changes) {
  std::vector<ListenerPtr> withdrawn;
  std::vector<std::pair<ListenerPtr, Kind>> due;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [key, listener] : table_) {
      Principal& principal = listener->principal;
      if (changes.is_withdrawn(principal.name)) {
        withdrawn.push_back(listener);
      } else if (auto next = changes.successor(principal.name, principal.agent)) {
        const auto before = std::exchange(principal.agent, std::move(next));
        for (const Kind kind : changes.lists(*before, *principal.agent))
          due.emplace_back(listener, kind);
      }
    }
    std::erase_if(due, [](const auto& each) {
      Event event;
      event.kind = each.second;
      return !wants(*each.first, event);
    });
  }
  for (const auto& listener : withdrawn) {
    remove(*listener);
    listener->out->end();
  }
  for (const auto& [listener, kind] : due) {
    Event event;
    event.kind = kind;
    const EventText text(event);
    if (!listener->out->put(text.key(), text.for_request(listener->id))) remove(*listener);
  }
}

void Listeners::ended() {
  Table all;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    all.swap(table_);
    for (const auto& [key, listener] : all) unwatch(*listener);
  }
  for (const auto& [key, listener] : all) listener->out->end();
}

std::vector<Listeners::Due> Listeners::take_due(const Event& event) {
  std::vector<Due> due;
  std::lock_guard lock(mutex_);
  for (const auto& [key, listener] : table_) {
    if (!wants(*listener, event)) continue;
    due.push_back({listener, event.deleted && take_uri(*listener, event.uri)});
  }
  for (const auto& [listener, last] : due) {
    if (last) table_.erase(listener.get());
  }
  return due;
}

// Ends the subscription to a deleted resource. True: the listener has no other subscription.
bool Listeners::take_uri(Listener& listener, const std::string& uri) {
  if (listener.wanted.uris.erase(uri) > 0) bus_.unwatch(uri);
  return listener.wanted.empty();
}

void Listeners::unwatch(const Listener& listener) {
  for (const auto& [uri, since] : listener.wanted.uris) bus_.unwatch(uri);
}

}  // namespace gantry::host::rpc
