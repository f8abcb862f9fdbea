#include "host/auth/keys/key_changes.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "host/auth/keys/key_text.hpp"
#include "host/base/correlation_id.hpp"

namespace gantry::host {
namespace {

using std::chrono::seconds;

// Ids are 8 of 62 digits: a new one is in use in less than one of 10^9 cases.
NewKey make_for(StoredKey stored, const StoredKeys& keys) {
  NewKey made;
  const auto in_use = [&keys](std::string_view id) {
    return std::any_of(keys.begin(), keys.end(), [id](const auto& key) { return key.id == id; });
  };
  do {
    made.key = make_key();
  } while (in_use(*key_id(made.key)));
  made.stored = std::move(stored);
  made.stored.id = *key_id(made.key);
  made.stored.sha256 = key_hash(made.key);
  return made;
}

Result<StoredKey*> find_key(StoredKeys& keys, std::string_view id) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [id](const auto& key) { return key.id == id; });
  if (found != keys.end()) return &*found;
  return Status::not_found("there is no key '" + std::string(id) +
                           "'; gantry key list shows the ids of all");
}

// The stored key of the replacement; the old one ends after the overlap.
Result<StoredKey> replacement(StoredKey& old, seconds overlap, std::chrono::sys_seconds now) {
  if (!old.replaced_by.empty()) {
    return Status::invalid("the key '" + old.id + "' was rotated before; its place has '" +
                           old.replaced_by + "'");
  }
  if (old.expires && *old.expires <= now) {
    return Status::invalid("the key '" + old.id + "' has expired; make another with gantry key " +
                           "create " + old.agent);
  }
  StoredKey fresh;
  fresh.agent = old.agent;
  fresh.note = old.note;
  fresh.correlation_id = old.correlation_id;
  fresh.created = now;
  if (old.expires) fresh.expires = now + (*old.expires - old.created);
  const auto end = now + overlap;
  old.expires = old.expires ? std::min(*old.expires, end) : end;
  return fresh;
}

}  // namespace

Result<NewKey> create_key(const std::filesystem::path& file, const KeyWish& wish,
                          std::chrono::sys_seconds now) {
  if (!wish.correlation_id.empty() && !is_correlation_id(wish.correlation_id)) {
    return Status::invalid("a correlation id is 1 to " + std::to_string(kMaxCorrelationId) +
                           " of A-Z, a-z, 0-9, '.', '_' and '-'");
  }
  NewKey made;
  const Status status = change_keys(file, [&](StoredKeys& keys) {
    StoredKey stored;
    stored.agent = wish.agent;
    stored.note = wish.note;
    stored.correlation_id = wish.correlation_id;
    stored.created = now;
    if (wish.life) stored.expires = now + *wish.life;
    made = make_for(std::move(stored), keys);
    keys.push_back(made.stored);
    return Status();
  });
  if (!status) return status;
  return made;
}

Result<NewKey> rotate_key(const std::filesystem::path& file, std::string_view id, seconds overlap,
                          std::chrono::sys_seconds now) {
  NewKey made;
  const Status status = change_keys(file, [&](StoredKeys& keys) {
    const auto old = find_key(keys, id);
    if (!old) return old.status();
    auto fresh = replacement(**old, overlap, now);
    if (!fresh) return fresh.status();
    made = make_for(std::move(*fresh), keys);
    (*old)->replaced_by = made.stored.id;
    keys.push_back(made.stored);
    return Status();
  });
  if (!status) return status;
  return made;
}

Status revoke_key(const std::filesystem::path& file, std::string_view id) {
  return change_keys(file, [id](StoredKeys& keys) {
    const auto found = find_key(keys, id);
    if (!found) return found.status();
    keys.erase(keys.begin() + (*found - keys.data()));
    return Status();
  });
}

Result<std::chrono::seconds> read_duration(std::string_view text) {
  constexpr std::pair<char, std::int64_t> kUnits[] = {
      {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
  constexpr std::int64_t kMost = 100LL * 366 * 86400;
  const Status wrong = Status::invalid("'" + std::string(text) +
                                       "' is no duration; give one such as 90d, 24h, 30m or 45s");
  if (text.empty()) return wrong;
  for (const auto& [unit, length] : kUnits) {
    if (text.back() != unit) continue;
    std::int64_t count = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    if (error != std::errc() || stop != end || count < 1 || count > kMost / length) return wrong;
    return seconds(count * length);
  }
  return wrong;
}

}  // namespace gantry::host
