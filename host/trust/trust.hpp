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

#include "host/config/trust_settings.hpp"
#include "host/trust/minisign.hpp"

namespace gantry::host {

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
