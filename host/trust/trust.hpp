// host/trust/trust.hpp: whether a plugin file may be loaded at all.
//
// Asked with the very bytes that are loaded afterwards. Immutable once made; any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "host/trust/minisign.hpp"

namespace gantry::host {

// What a file must have. `either`: one of the two, but only if a list has anything in it.
enum class TrustRule { either, allowlist, signature, both };

struct TrustSettings {
  std::vector<std::string> sha256{};  // of allowed files: 64 hexadecimal digits each
  std::vector<std::string> keys{};    // public keys of minisign, each its line or a file's path
  TrustRule rule = TrustRule::either;
  bool builtin_plugins = false;   // the rule is for files of the built-in directory too
  bool check_permissions = true;  // see permissions.hpp
  bool operator==(const TrustSettings&) const = default;
};

class Trust {
 public:
  // Reads the key files. GANTRY_INVALID_ARGUMENT names the entry that is wrong.
  static Result<std::shared_ptr<const Trust>> create(const TrustSettings& settings);

  // Called before a directory is listed.
  Status check_directory(const std::filesystem::path& directory, bool builtin) const;

  // Checks the file against the operator's rule, and that no other user can write to it. `bytes`
  // are the file's, `sha256` their hash in lower-case hexadecimal. The signature is read from
  // FILE.minisig. GANTRY_DENIED: the sentence names the missing condition and how to meet it.
  Status check(const std::filesystem::path& file, std::string_view bytes, std::string_view sha256,
               bool builtin) const;

 private:
  explicit Trust(const TrustSettings& settings) : settings_(settings) {}
  Status check_rule(const std::filesystem::path& file, std::string_view bytes,
                    std::string_view sha256) const;
  Status check_list(std::string_view sha256) const;
  Status check_signature(const std::filesystem::path& file, std::string_view bytes) const;
  bool leaves_alone(bool builtin) const { return builtin && !settings_.builtin_plugins; }

  TrustSettings settings_;
  std::vector<trust::PublicKey> keys_;
};

}  // namespace gantry::host
