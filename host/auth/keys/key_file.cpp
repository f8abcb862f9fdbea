#include "host/auth/keys/key_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <rapidjson/document.h>

#include "host/base/correlation_id.hpp"
#include "host/base/json.hpp"
#include "host/base/sha256.hpp"
#include "host/base/unique_fd.hpp"

namespace gantry::host {
namespace {

using std::chrono::sys_seconds;

Status cannot(const char* what, const std::filesystem::path& file) {
  return Status::failed(std::string("cannot ") + what + " " + file.string() + ": " +
                        std::strerror(errno));
}

std::string member_text(const rapidjson::Value& key, const char* name) {
  const auto found = key.FindMember(name);
  if (found == key.MemberEnd() || !found->value.IsString()) return {};
  return {found->value.GetString(), found->value.GetStringLength()};
}

std::optional<sys_seconds> member_time(const rapidjson::Value& key, const char* name) {
  const auto found = key.FindMember(name);
  if (found == key.MemberEnd() || !found->value.IsInt64()) return std::nullopt;
  return sys_seconds(std::chrono::seconds(found->value.GetInt64()));
}

std::optional<StoredKey> key_of(const rapidjson::Value& value) {
  if (!value.IsObject()) return std::nullopt;
  StoredKey key{member_text(value, "id"),
                member_text(value, "sha256"),
                member_text(value, "agent"),
                member_text(value, "note"),
                {},
                member_time(value, "expires"),
                member_time(value, "last_used"),
                member_text(value, "replaced_by"),
                member_text(value, "correlation_id")};
  key.created = member_time(value, "created").value_or(sys_seconds());
  if (key.id.empty() || key.agent.empty() || !is_sha256_hex(key.sha256)) return std::nullopt;
  // A key whose end cannot be read must not become one without an end.
  if (value.HasMember("expires") && !key.expires) return std::nullopt;
  // Nor one with a bound id become one without.
  if (value.HasMember("correlation_id") && !is_correlation_id(key.correlation_id))
    return std::nullopt;
  return key;
}

void append_time(std::string& out, const char* name, std::optional<sys_seconds> time) {
  if (time) append_json_member(out, name, std::to_string(time->time_since_epoch().count()));
}

std::string text_of_keys(const StoredKeys& keys) {
  std::string out = "{\"keys\":[";
  for (const StoredKey& key : keys) {
    std::string one = "{";
    append_text_member(one, "id", key.id);
    append_text_member(one, "sha256", key.sha256);
    append_text_member(one, "agent", key.agent);
    append_time(one, "created", key.created);
    append_time(one, "expires", key.expires);
    append_time(one, "last_used", key.last_used);
    if (!key.note.empty()) append_text_member(one, "note", key.note);
    if (!key.replaced_by.empty()) append_text_member(one, "replaced_by", key.replaced_by);
    if (!key.correlation_id.empty()) append_text_member(one, "correlation_id", key.correlation_id);
    out += (&key == keys.data() ? "\n" : ",\n") + one + "}";
  }
  return out + "]}\n";
}

Status write_keys(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path fresh = file.string() + ".new";
  {
    const UniqueFd out(
        ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (out.get() < 0 || ::fchmod(out.get(), 0600) != 0) return cannot("write", fresh);
    std::string_view rest = text;
    while (!rest.empty()) {
      const ssize_t wrote = ::write(out.get(), rest.data(), rest.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return cannot("write", fresh);
      rest.remove_prefix(static_cast<std::size_t>(wrote));
    }
    if (::fsync(out.get()) != 0) return cannot("write", fresh);
  }
  if (std::rename(fresh.c_str(), file.c_str()) != 0) return cannot("replace", file);
  return {};
}

}  // namespace

std::filesystem::path key_file(const std::filesystem::path& state) { return state / "keys.json"; }

Result<StoredKeys> read_keys(const std::filesystem::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (fd.get() < 0) {
    if (errno == ENOENT) return StoredKeys();
    return cannot("read", file);
  }
  struct stat found {};
  if (::fstat(fd.get(), &found) != 0) return cannot("read", file);
  if ((found.st_mode & 077) != 0)
    return Status::denied(file.string() + " is open to other users; chmod 600 it");
  std::string text(static_cast<std::size_t>(found.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = ::read(fd.get(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot("read", file);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  const Status damaged =
      Status::invalid(file.string() +
                      " is no file of API keys; put a copy back, or remove it and "
                      "make new keys with gantry key create");
  if (document.HasParseError() || !document.IsObject()) return damaged;
  const auto list = document.FindMember("keys");
  if (list == document.MemberEnd() || !list->value.IsArray()) return damaged;
  StoredKeys keys;
  for (const auto& each : list->value.GetArray()) {
    auto key = key_of(each);
    if (!key) return damaged;
    keys.push_back(std::move(*key));
  }
  return keys;
}

Status change_keys(const std::filesystem::path& file,
                   const std::function<Status(StoredKeys&)>& change) {
  const std::filesystem::path beside = file.string() + ".lock";
  const UniqueFd lock(::open(beside.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock.get() < 0 || ::flock(lock.get(), LOCK_EX) != 0) return cannot("lock", beside);
  auto keys = read_keys(file);
  if (!keys) return keys.status();
  const std::string before = text_of_keys(*keys);
  if (Status status = change(*keys); !status) return status;
  const std::string after = text_of_keys(*keys);
  return after == before ? Status() : write_keys(file, after);
}

}  // namespace gantry::host
