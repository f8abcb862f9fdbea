#include "tools/gantry/key/key_text.hpp"

#include <algorithm>
#include <ctime>
#include <optional>
#include <vector>

#include "host/base/json.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

using host::append_text_member;
using std::chrono::sys_seconds;

std::string formatted(sys_seconds time, const char* form) {
  const std::time_t seconds = time.time_since_epoch().count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, form, &parts)};
}

std::string iso(sys_seconds time) { return formatted(time, "%Y-%m-%dT%H:%M:%SZ"); }
std::string short_time(std::optional<sys_seconds> time, const char* absent) {
  return time ? formatted(*time, "%Y-%m-%d %H:%M") : absent;
}

std::string members_of(const host::StoredKey& key) {
  std::string out;
  append_text_member(out, "id", key.id);
  append_text_member(out, "agent", key.agent);
  append_text_member(out, "created", iso(key.created));
  if (key.expires) append_text_member(out, "expires", iso(*key.expires));
  if (key.last_used) append_text_member(out, "last_used", iso(*key.last_used));
  if (!key.note.empty()) append_text_member(out, "note", key.note);
  if (!key.replaced_by.empty()) append_text_member(out, "replaced_by", key.replaced_by);
  if (!key.correlation_id.empty()) append_text_member(out, "correlation_id", key.correlation_id);
  return out;
}

std::string state_of(const host::StoredKey& key, sys_seconds now) {
  if (key.expires && *key.expires <= now) return "expired";
  return key.replaced_by.empty() ? "good" : "rotated, see " + key.replaced_by;
}

}  // namespace

std::string json_of_new(const host::NewKey& made) {
  std::string out = "{";
  append_text_member(out, "key", made.key);
  return out + "," + members_of(made.stored) + "}";
}

std::string json_of(const host::StoredKeys& keys) {
  std::string out = "{\"keys\":[";
  for (const auto& key : keys) out += (out.back() == '[' ? "{" : ",{") + members_of(key) + "}";
  return out + "]}";
}

std::string key_table(const host::StoredKeys& keys, sys_seconds now) {
  if (keys.empty()) return "No keys; gantry key create AGENT makes one\n";
  const bool has_ids = std::any_of(keys.begin(), keys.end(),
                                   [](const auto& key) { return !key.correlation_id.empty(); });
  std::vector<std::vector<std::string>> rows = {
      {"ID", "AGENT", "STATE", "CREATED", "EXPIRES", "LAST USED", "NOTE"}};
  if (has_ids) rows[0].push_back("CORRELATION");
  for (const auto& key : keys) {
    rows.push_back({printable(key.id), printable(key.agent), state_of(key, now),
                    short_time(key.created, ""), short_time(key.expires, "never"),
                    short_time(key.last_used, "never"), printable(key.note)});
    if (has_ids) rows.back().push_back(key.correlation_id);
  }
  return table(rows);
}

std::string end_of(const host::StoredKey& key) {
  return key.expires ? ", good until " + short_time(key.expires, "") + " UTC" : "";
}

}  // namespace gantry::cli
