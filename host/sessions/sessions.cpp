#include "host/sessions/sessions.hpp"

#include "host/base/ids.hpp"

namespace gantry::host {
namespace {

bool is_busy(const Session& session) {
  return session.running().size() > 0 || session.streams().attached() > 0;
}

}  // namespace

std::shared_ptr<Session> Sessions::create(std::string_view principal, std::string_view protocol) {
  if (size() >= limits_.max_sessions) reap();
  auto session = std::make_shared<Session>(random_hex(16), std::string(principal),
                                           std::string(protocol), clock_.now(), limits_.replay);
  if (kept_) {
    const auto forget = [weak = std::weak_ptr(session)] {
      if (const auto known = weak.lock()) known->streams().forget();
    };
    session->streams().count_in({kept_, ByteBudget::Progress::by_growth, forget});
  }
  std::shared_ptr<Session> evicted;
  {
    std::lock_guard lock(mutex_);
    if (table_.size() >= limits_.max_sessions) {
      evicted = take_oldest_idle(principal);
      if (!evicted) return nullptr;
    }
    table_.emplace(session->id(), session);
  }
  if (evicted) evicted->end();
  return session;
}

std::shared_ptr<Session> Sessions::find(std::string_view id, std::string_view principal) {
  const auto now = clock_.now();
  std::lock_guard lock(mutex_);
  const auto found = table_.find(id);
  if (found == table_.end() || found->second->principal() != principal) return nullptr;
  if (expired(*found->second, now)) return nullptr;
  found->second->touch(now);
  return found->second;
}

bool Sessions::end(std::string_view id, std::string_view principal) {
  const auto session = find(id, principal);
  if (!session) return false;
  {
    std::lock_guard lock(mutex_);
    const auto found = table_.find(id);
    if (found == table_.end()) return false;  // another DELETE came first
    table_.erase(found);
  }
  session->end();
  return true;
}

void Sessions::reap() {
  const auto now = clock_.now();
  std::vector<std::shared_ptr<Session>> ended;
  {
    std::lock_guard lock(mutex_);
    std::erase_if(table_, [&](const auto& entry) {
      // Idle time begins when the last connection ends, to the precision of the reaping interval.
      if (is_busy(*entry.second)) entry.second->touch(now);
      if (!expired(*entry.second, now)) return false;
      ended.push_back(entry.second);
      return true;
    });
  }
  for (const auto& session : ended) session->end();
}

void Sessions::end_all() {
  Table table;
  {
    std::lock_guard lock(mutex_);
    table.swap(table_);
  }
  for (const auto& [id, session] : table) session->end();
}

void Sessions::close_listeners() {
  for (const auto& session : all()) session->streams().close_listener();
}

std::vector<std::shared_ptr<Session>> Sessions::all() const {
  std::vector<std::shared_ptr<Session>> out;
  std::lock_guard lock(mutex_);
  out.reserve(table_.size());
  for (const auto& [id, session] : table_) out.push_back(session);
  return out;
}

std::size_t Sessions::size() const {
  std::lock_guard lock(mutex_);
  return table_.size();
}

bool Sessions::expired(const Session& session, Clock::Instant now) const {
  return now - session.last_used() >= limits_.idle && !is_busy(session);
}

std::shared_ptr<Session> Sessions::take_oldest_idle(std::string_view principal) {
  auto oldest = table_.end();
  for (auto it = table_.begin(); it != table_.end(); ++it) {
    const Session& session = *it->second;
    if (session.principal() != principal || is_busy(session)) continue;
    if (oldest == table_.end() || session.last_used() < oldest->second->last_used()) oldest = it;
  }
  if (oldest == table_.end()) return nullptr;
  auto session = oldest->second;
  table_.erase(oldest);
  return session;
}

}  // namespace gantry::host
