// key.list, key.add and key.revoke.
#include "host/auth/keys/key_changes.hpp"
#include "host/base/json.hpp"
#include "host/observe/utc.hpp"
#include "host/rpc/admin/operator_methods.hpp"

namespace gantry::host::rpc {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFingerprint = 8;

std::chrono::sys_seconds now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

void append_key(std::string& out, const StoredKey& key) {
  out += out.ends_with('[') ? "{" : ",{";
  append_text_member(out, "id", key.id);
  append_text_member(out, "agent", key.agent);
  if (!key.note.empty()) append_text_member(out, "note", key.note);
  if (!key.correlation_id.empty()) append_text_member(out, "correlation_id", key.correlation_id);
  append_text_member(out, "created", utc_time(key.created));
  if (key.expires) append_text_member(out, "expires", utc_time(*key.expires));
  if (key.last_used) append_text_member(out, "last_used", utc_time(*key.last_used));
  if (!key.replaced_by.empty()) append_text_member(out, "replaced_by", key.replaced_by);
  append_text_member(out, "fingerprint", key.sha256.substr(0, kFingerprint));
  out += '}';
}

Result<std::string> list_keys(const fs::path& file) {
  const auto keys = read_keys(file);
  if (!keys) return keys.status();
  std::string out = "{\"keys\":[";
  for (const StoredKey& key : *keys) append_key(out, key);
  return out + "]}";
}

Result<std::string> add_key(const fs::path& file, const AgentsFile& agents,
                            const AdminParams& params) {
  KeyWish wish{params.text("agent"), params.text("note"), std::nullopt,
               params.text("correlation_id")};
  if (!agents.find(wish.agent)) return no_profile(wish.agent, agents);
  if (params.has("expires_s")) wish.life = std::chrono::seconds(params.number("expires_s", 0));
  const auto made = create_key(file, wish, now());
  if (!made) return made.status();
  std::string out = "{";
  append_text_member(out, "id", made->stored.id);
  append_text_member(out, "agent", made->stored.agent);
  append_text_member(out, "key", made->key);
  if (made->stored.expires) append_text_member(out, "expires", utc_time(*made->stored.expires));
  return out + "}";
}

Result<std::string> revoke(const fs::path& file, const std::string& id) {
  if (Status status = revoke_key(file, id); !status) return status;
  return "{\"id\":" + json_string(id) + ",\"revoked\":true}";
}

}  // namespace

AdminMethods key_methods(fs::path file, AgentsNow agents) {
  using Pace = AdminMethod::Pace;
  return {
      {.name = "key.list",
       .pace = Pace::blocks,
       .run = [file](const AdminParams&, const AdminCaller&) { return list_keys(file); }},
      {.name = "key.add",
       .parameters = {"agent", "note?:note", "expires_s?:number(1,3153600000)", "correlation_id?"},
       .pace = Pace::blocks,
       .reads = false,
       .run = [file, agents = std::move(agents)](
                  const AdminParams& params,
                  const AdminCaller&) { return add_key(file, *agents(), params); }},
      {.name = "key.revoke",
       .parameters = {"id"},
       .pace = Pace::blocks,
       .reads = false,
       .run = [file](const AdminParams& params, const AdminCaller&) {
         return revoke(file, params.text("id"));
       }}};
}

}  // namespace gantry::host::rpc
