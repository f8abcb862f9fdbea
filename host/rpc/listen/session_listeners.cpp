#include "host/rpc/listen/session_listeners.hpp"

#include <algorithm>

#include "host/rpc/listen/event_text.hpp"

namespace gantry::host::rpc {
namespace {

using Kind = Event::Kind;

// Interval of the check of slow clients, while there are any.
constexpr std::chrono::milliseconds kLook{50};

}  // namespace

bool SessionListeners::join(Session& session, AgentPtr agent) {
  const Key key = session.weak_from_this();
  {
    std::lock_guard lock(mutex_);
    const auto [member, fresh] = members_.try_emplace(key);
    member->second.agent = std::move(agent);
    if (!fresh) return false;
  }
  session.on_end([weak = weak_from_this(), key] {
    if (const auto self = weak.lock()) self->leave(key);
  });
  return true;
}

void SessionListeners::listening(Session& session, AgentPtr agent) {
  if (!join(session, std::move(agent))) return;
  for (const Kind kind : {Kind::tools_listed, Kind::prompts_listed, Kind::resources_listed})
    send_change(session, kind);
}

void SessionListeners::send_change(Session& session, Kind list) {
  Event event;
  event.kind = list;
  const EventText text(event);
  send(session, text.key(), text.for_session());
}

void SessionListeners::take_agents(const AgentChanges& changes) {
  std::vector<std::shared_ptr<Session>> withdrawn;
  std::vector<std::pair<std::shared_ptr<Session>, Kind>> due;
  {
    std::lock_guard lock(mutex_);
    for (auto& [key, member] : members_) {
      auto session = key.lock();
      if (!session) continue;
      if (changes.is_withdrawn(session->principal())) {
        withdrawn.push_back(std::move(session));
      } else if (auto next = changes.successor(session->principal(), member.agent)) {
        const auto before = std::exchange(member.agent, std::move(next));
        for (const Kind kind : changes.lists(*before, *member.agent))
          due.emplace_back(session, kind);
      }
    }
  }
  for (const auto& session : withdrawn) session->end();
  for (const auto& [session, kind] : due) send_change(*session, kind);
}

void SessionListeners::leave(const Key& session) {
  {
    std::lock_guard lock(mutex_);
    const auto found = members_.find(session);
    if (found == members_.end()) return;
    for (const auto& [uri, since] : found->second.uris) bus_.unwatch(uri);
    if (!found->second.uris.empty()) --subscribing_;
    members_.erase(found);
  }
  std::lock_guard lock(send_mutex_);
  waiting_.erase(session);
}

std::optional<Error> SessionListeners::too_many(const Member& member, std::string_view uri) const {
  if (member.uris.contains(uri)) return std::nullopt;
  if (member.uris.size() >= most_uris_) {
    return Error::invalid_params("A session may subscribe to at most " +
                                 std::to_string(most_uris_) +
                                 " resources (max_subscriptions); unsubscribe from one first");
  }
  if (member.uris.empty() && subscribing_ >= most_sessions_) {
    return Error::invalid_params("At most " + std::to_string(most_sessions_) +
                                 " sessions may have subscriptions (max_subscribing_sessions); "
                                 "try again later");
  }
  return std::nullopt;
}

SessionListeners::Begun SessionListeners::begin(Session& session, std::string_view uri) {
  std::lock_guard lock(mutex_);
  const auto found = members_.find(session.weak_from_this());
  if (found == members_.end()) return {};  // it has ended
  if (auto error = too_many(found->second, uri)) return {0, std::move(error)};
  found->second.begun.emplace(++tickets_, uri);
  return {tickets_, std::nullopt};
}

std::optional<Error> SessionListeners::complete(Session& session, std::uint64_t ticket, bool good) {
  std::lock_guard lock(mutex_);
  const auto found = members_.find(session.weak_from_this());
  if (found == members_.end()) return std::nullopt;
  Member& member = found->second;
  const auto begun = member.begun.extract(ticket);
  if (begun.empty() || !good) return std::nullopt;
  if (auto error = too_many(member, begun.mapped())) return error;
  const bool first = member.uris.empty();
  const auto [at, fresh] = member.uris.try_emplace(begun.mapped(), clock_.now());
  if (fresh) bus_.watch(at->first);
  if (first) ++subscribing_;
  return std::nullopt;
}

void SessionListeners::unsubscribe(Session& session, std::string_view uri) {
  std::lock_guard lock(mutex_);
  const auto found = members_.find(session.weak_from_this());
  if (found == members_.end()) return;
  Member& member = found->second;
  std::erase_if(member.begun, [&](const auto& entry) { return entry.second == uri; });
  const auto known = member.uris.find(uri);
  if (known == member.uris.end()) return;
  member.uris.erase(known);
  bus_.unwatch(uri);
  if (member.uris.empty()) --subscribing_;
}

void SessionListeners::add_clients(std::vector<ListeningClient>& out) const {
  const Clock::Instant now = clock_.now();
  std::lock_guard lock(mutex_);
  for (const auto& [key, member] : members_) {
    const auto session = key.lock();
    if (!session) continue;
    out.push_back({.principal = session->principal(),
                   .agent = member.agent->name,
                   .is_session = true,
                   .session = session->id(),
                   .tools = true,
                   .prompts = true,
                   .resources = true,
                   .uris = with_ages(member.uris, now)});
  }
}

std::size_t SessionListeners::sessions() const {
  std::lock_guard lock(mutex_);
  return members_.size();
}

void SessionListeners::add_viewers(std::string_view uri,
                                   std::map<std::string, Principal>& viewers) const {
  std::lock_guard lock(mutex_);
  for (const auto& [key, member] : members_) {
    const auto session = member.uris.contains(uri) ? key.lock() : nullptr;
    if (!session) continue;
    viewers.try_emplace(member.agent->fingerprint,
                        Principal{member.agent, session->principal(), ""});
  }
}

void SessionListeners::add_list_viewers(std::map<std::string, Principal>& viewers) const {
  std::lock_guard lock(mutex_);
  for (const auto& [key, member] : members_) {
    if (const auto session = key.lock())
      viewers.try_emplace(member.agent->fingerprint,
                          Principal{member.agent, session->principal(), ""});
  }
}

void SessionListeners::deliver(const Event& event) {
  if (event.kind == Kind::task_changed) return;
  const auto due = take_due(event);
  if (due.empty()) return;
  const EventText text(event);
  const std::string message = text.for_session();
  for (const auto& session : due) send(*session, text.key(), message);
}

std::vector<std::shared_ptr<Session>> SessionListeners::take_due(const Event& event) {
  std::vector<std::shared_ptr<Session>> due;
  std::lock_guard lock(mutex_);
  for (auto& [key, member] : members_) {
    if (!wants(member, event)) continue;
    if (auto session = key.lock()) due.push_back(std::move(session));
  }
  return due;
}

// True if the session gets the event. A deleted resource ends the subscription.
bool SessionListeners::wants(Member& member, const Event& event) {
  if (!concerns(event, *member.agent)) return false;
  if (event.kind != Kind::resource_updated) return true;
  const auto found = member.uris.find(event.uri);
  if (found == member.uris.end()) return false;
  if (!event.deleted) return true;
  member.uris.erase(found);
  bus_.unwatch(event.uri);
  if (member.uris.empty()) --subscribing_;
  return true;
}

// If the queue is full, the connection is closed and the queued messages go to the replay, from
// which the client resumes. A session without an id is its connection and cannot be resumed: the
// new message is dropped.
void SessionListeners::send(Session& session, const std::string& key, const std::string& message) {
  std::lock_guard lock(send_mutex_);
  const auto found = waiting_.find(session.weak_from_this());
  if (found == waiting_.end() && session.streams().backlog() == 0) {
    session.push(message);
    return;
  }
  auto& pending = waiting_[session.weak_from_this()];
  if (!pending) pending = std::make_unique<Pending>(most_waiting_);
  if (pending->put(key, message)) return pump_later();
  if (session.id().empty()) return;
  session.streams().close_listener();
  while (!pending->empty()) session.push(pending->take());
  session.push(message);
  waiting_.erase(session.weak_from_this());
}

// Called with send_mutex_.
void SessionListeners::pump_later() {
  if (std::exchange(pumping_, true)) return;
  timer_.set(std::chrono::steady_clock::now() + kLook, [this] { pump(); });
}

void SessionListeners::pump() {
  std::vector<std::shared_ptr<Session>> keep;  // released without the lock
  std::lock_guard lock(send_mutex_);
  pumping_ = false;
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    const auto session = keep.emplace_back(it->first.lock());
    Pending& pending = *it->second;
    while (session && !pending.empty() && session->streams().backlog() == 0) {
      session->push(pending.take());
    }
    it = !session || pending.empty() ? waiting_.erase(it) : std::next(it);
  }
  if (!waiting_.empty()) pump_later();
}

}  // namespace gantry::host::rpc
