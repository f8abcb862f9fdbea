#include "host/trust/trust.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "host/base/sha256.hpp"
#include "host/base/text.hpp"
#include "host/trust/permissions.hpp"
#include "host/trust/small_file.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

// Files of keys and signatures are a few hundred bytes.
constexpr std::size_t kMaxText = 64U << 10U;

Result<std::string> hash_of(const std::string& text) {
  std::string hash = lower(text);
  if (is_sha256_hex(hash)) return hash;
  return Status::invalid("trust.sha256: '" + text +
                         "' is no SHA-256 hash; `sha256sum FILE` shows one, 64 digits of 0-9 a-f");
}

Result<trust::PublicKey> key_of(const std::string& entry) {
  if (auto key = trust::parse_public_key(entry)) return key;
  const Result<std::string> text = trust::read_small_file(entry, kMaxText);
  if (!text) {
    return Status::invalid(
        "trust.keys: '" + entry +
        "' is neither a public key (RW…) nor a file with one: " + text.message());
  }
  auto key = trust::parse_public_key(*text);
  return key ? key : Status::invalid("trust.keys: " + entry + ": " + key.message());
}

}  // namespace

Result<std::shared_ptr<const Trust>> Trust::create(const TrustSettings& settings) {
  std::shared_ptr<Trust> out(new Trust(settings));
  for (std::string& text : out->settings_.sha256) {
    Result<std::string> hash = hash_of(text);
    if (!hash) return hash.status();
    text = std::move(hash).value();
  }
  for (const std::string& entry : settings.keys) {
    Result<trust::PublicKey> key = key_of(entry);
    if (!key) return key.status();
    out->keys_.push_back(std::move(key).value());
  }
  return std::shared_ptr<const Trust>(std::move(out));
}

Status Trust::check_directory(const fs::path& directory, bool builtin) const {
  if (!settings_.check_permissions || leaves_alone(builtin)) return {};
  return trust::check_directory(directory);
}

Status Trust::check(const fs::path& file, std::string_view bytes, std::string_view sha256,
                    bool builtin) const {
  if (leaves_alone(builtin)) return {};
  if (settings_.check_permissions) {
    if (Status status = trust::check_file(file); !status) return status;
  }
  return check_rule(file, bytes, sha256);
}

Status Trust::check_rule(const fs::path& file, std::string_view bytes,
                         std::string_view sha256) const {
  if (settings_.rule == TrustRule::allowlist) return check_list(sha256);
  if (settings_.rule == TrustRule::signature) return check_signature(file, bytes);
  const Status listed = check_list(sha256);
  if (settings_.rule == TrustRule::both) return listed ? check_signature(file, bytes) : listed;
  if (listed || (settings_.sha256.empty() && keys_.empty())) return {};
  if (keys_.empty()) return listed;
  Status has_signature = check_signature(file, bytes);
  if (has_signature || settings_.sha256.empty()) return has_signature;
  return Status::denied(has_signature.message() +
                        "; nor is the file on the list: " + listed.message());
}

Status Trust::check_list(std::string_view sha256) const {
  const auto& list = settings_.sha256;
  if (std::find(list.begin(), list.end(), sha256) != list.end()) return {};
  return Status::denied("its sha256 " + std::string(sha256) +
                        " is not among the allowed ones; if this file is meant, add it to "
                        "trust.sha256 of the configuration");
}

Status Trust::check_signature(const fs::path& file, std::string_view bytes) const {
  if (keys_.empty()) {
    return Status::denied("signatures are required, but trust.keys of the configuration is empty");
  }
  const fs::path where = file.string() + ".minisig";
  const Result<std::string> text = trust::read_small_file(where, kMaxText);
  if (!text) {
    return Status::denied("it has no signature, " + text.message() +
                          "; sign it: gantry plugin sign " + file.string() + " --key KEYFILE");
  }
  const auto signature = trust::parse_signature(*text);
  if (!signature) return Status::denied(where.string() + ": " + signature.message());
  for (const trust::PublicKey& key : keys_) {
    if (key.id != signature->id) continue;
    const Status good = trust::verify(key, *signature, bytes);
    return good ? good : Status::denied(where.string() + ": " + good.message());
  }
  return Status::denied(where.string() + ": the key " + trust::id_text(signature->id) +
                        " that signed the file is not trusted; add its public key to trust.keys "
                        "of the configuration, or sign the file with a key that is listed");
}

}  // namespace gantry::host
