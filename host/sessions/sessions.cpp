#include "host/sessions/sessions.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "host/auth/digest.hpp"
#include "host/base/ids.hpp"

namespace gantry::host {
namespace {

bool is_busy(const Session& session) {
  return session.running().size() > 0 || session.streams().attached() > 0;
}

}  // namespace

std::shared_ptr<Session> Sessions::create(std::string_view principal, const SessionTerms& terms) {
  return add(make(ids_ ? ids_->make(principal, terms) : random_hex(16), principal, terms, 1));
}

std::shared_ptr<Session> Sessions::make(std::string id, std::string_view principal,
                                        const SessionTerms& terms,
                                        std::uint64_t first_stream) const {
  auto session = std::make_shared<Session>(std::move(id), std::string(principal), terms,
                                           clock_.now(), limits_.replay, first_stream);
  if (kept_) {
    const auto forget = [weak = std::weak_ptr(session)] {
      if (const auto known = weak.lock()) known->streams().forget();
    };
    session->streams().count_in({kept_, ByteBudget::Progress::by_growth, forget});
  }
  return session;
}

// Puts the session into the table. Another thread may have opened the same one again; then that
// one.
std::shared_ptr<Session> Sessions::add(std::shared_ptr<Session> session) {
  if (size() >= limits_.max_sessions) reap();
  std::shared_ptr<Session> evicted;
  {
    std::lock_guard lock(mutex_);
    const auto found = table_.find(session->id());
    if (found != table_.end()) return found->second;
    if (table_.size() >= limits_.max_sessions) {
      evicted = take_oldest_idle(session->principal());
      if (!evicted) return nullptr;
    }
    table_.emplace(session->id(), session);
  }
  if (evicted) evicted->end();
  return session;
}

std::shared_ptr<Session> Sessions::find(std::string_view id, std::string_view principal) {
  const auto now = clock_.now();
  std::shared_ptr<Session> idle;
  {
    std::lock_guard lock(mutex_);
    const auto found = table_.find(id);
    if (found != table_.end()) {
      if (found->second->principal() != principal) return nullptr;
      if (!expired(*found->second, now)) {
        found->second->touch(now);
        return found->second;
      }
      idle = found->second;
      table_.erase(found);
    }
  }
  if (idle) idle->end();
  return adopt(id, principal);
}

// Milliseconds are above every number that an earlier session of this id has used.
std::shared_ptr<Session> Sessions::adopt(std::string_view id, std::string_view principal) {
  const auto terms = ids_ ? ids_->read(principal, id) : std::nullopt;
  if (!terms) return nullptr;
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const auto session =
      add(make(std::string(id), principal, *terms,
               static_cast<std::uint64_t>(
                   std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count())));
  if (session) session->set_ready();
  return session;
}

bool Sessions::end(std::string_view id, std::string_view principal) {
  const auto session = find(id, principal);
  if (!session) return false;
  if (ids_) ids_->end(id);  // before it leaves the table, or another thread might open it again
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

void Sessions::end_of(const PrincipalNames& principals) {
  if (principals.empty()) return;
  std::vector<std::shared_ptr<Session>> ended;
  {
    std::lock_guard lock(mutex_);
    std::erase_if(table_, [&](const auto& entry) {
      const bool theirs = principals.contains(entry.second->principal());
      if (theirs) ended.push_back(entry.second);
      return theirs;
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

std::string Sessions::short_id(const Session& session) { return fingerprint_of(session.id()); }

std::vector<Sessions::Standing> Sessions::list() const {
  const auto now = clock_.now();
  std::vector<Standing> out;
  for (auto& session : all()) {
    const auto idle = is_busy(*session) ? Clock::Duration(0) : now - session->last_used();
    out.push_back({short_id(*session), session, now - session->began(), idle});
  }
  std::sort(out.begin(), out.end(),
            [](const Standing& a, const Standing& b) { return a.age > b.age; });
  return out;
}

std::optional<std::size_t> Sessions::end_short(std::string_view wanted) {
  for (const auto& session : all()) {
    if (short_id(*session) != wanted) continue;
    const std::size_t running = session->running().size();
    if (!end(session->id(), session->principal())) return std::nullopt;
    return running;
  }
  return std::nullopt;
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
