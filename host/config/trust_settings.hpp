// host/config/trust_settings.hpp: which plugin files may be loaded, with keys and defaults.
//
// Values. The visitors are described in settings.hpp.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry::host {

// The requirement for a file. `either`: one of the two, but only if one of the lists has an entry.
enum class TrustRule { either, allowlist, signature, both };
inline constexpr std::array<std::pair<std::string_view, TrustRule>, 4> kTrustRuleWords = {
    {{"either", TrustRule::either},
     {"allowlist", TrustRule::allowlist},
     {"signature", TrustRule::signature},
     {"both", TrustRule::both}}};

struct TrustSettings {
  std::vector<std::string> sha256{};  // of allowed files: 64 hexadecimal digits each
  std::vector<std::string> keys{};    // public keys of minisign, each its line or a file's path
  TrustRule rule = TrustRule::either;
  bool builtin_plugins = false;   // the rule is for files of the built-in directory too
  bool check_permissions = true;  // see host/trust/permissions.hpp
  bool operator==(const TrustSettings&) const = default;
};

template <class S, class Visit>
void visit_trust(S& s, Visit&& visit) {
  visit.word("require", s.rule, kTrustRuleWords);
  visit("sha256", s.sha256);
  visit("keys", s.keys);
  visit("builtin_plugins", s.builtin_plugins);
  visit("check_permissions", s.check_permissions);
}

}  // namespace gantry::host
