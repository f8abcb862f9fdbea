#include "host/calls/parties.hpp"

namespace gantry::host {
namespace {

// The client id of the group that all undistinguished clients of a party share.
constexpr std::uint64_t kOthers = 0;

}  // namespace

std::optional<GroupId> Parties::enter(std::string_view party, std::uint64_t client) {
  std::lock_guard lock(mutex_);
  const GroupId id = group_of(party, client);
  Group& group = groups_.at(id);
  if (!has_place(group)) return std::nullopt;
  if (group.running++ == 0) {
    ++active_;
    if (group.client != kOthers) ++group.party->active;
  }
  running_.fetch_add(1, std::memory_order_relaxed);
  return id;
}

void Parties::leave(GroupId id) {
  std::lock_guard lock(mutex_);
  Group& group = groups_.at(id);
  running_.fetch_sub(1, std::memory_order_relaxed);
  if (--group.running > 0) return;
  --active_;
  if (group.client != kOthers) --group.party->active;
}

std::size_t Parties::groups() const {
  std::lock_guard lock(mutex_);
  return groups_.size();
}

GroupId Parties::group_of(std::string_view name, std::uint64_t client) {
  if (groups_.size() - active_ >= kMostIdle) forget_idle();
  auto named = parties_.find(name);
  if (named == parties_.end()) named = parties_.emplace(std::string(name), Party()).first;
  Party& party = named->second;
  const auto known = party.groups.find(client);
  const bool is_active = known != party.groups.end() && groups_.at(known->second).running > 0;
  if (!is_active && party.active >= kApart) client = kOthers;
  const auto [place, is_new] = party.groups.try_emplace(client, last_ + 1);
  if (is_new) groups_.emplace(++last_, Group{&party, client, 0});
  return place->second;
}

bool Parties::has_place(const Group& group) const {
  const int running = this->running();
  const int quarter = max_running_ / 4;
  if (running < max_running_) {
    return running == group.running || group.running < max_running_ - quarter;
  }
  const auto sharing = static_cast<int>(active_) + (group.running == 0 ? 1 : 0);
  return running - max_running_ < quarter && group.running < max_running_ / sharing;
}

void Parties::forget_idle() {
  for (auto party = parties_.begin(); party != parties_.end();) {
    std::erase_if(party->second.groups, [this](const auto& entry) {
      if (groups_.at(entry.second).running > 0) return false;
      groups_.erase(entry.second);
      return true;
    });
    party = party->second.groups.empty() ? parties_.erase(party) : std::next(party);
  }
}

}  // namespace gantry::host
