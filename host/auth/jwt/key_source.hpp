// host/auth/jwt/key_source.hpp (private): the keys of one file or URL, and when to get them again.
//
// A set from a file is good until a new one replaces it, one from a URL for 24 hours. Not
// thread-safe: KeyStore guards it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/auth/jwt/key_set.hpp"
#include "host/base/clock.hpp"

namespace gantry::host::jwt {

// The key of a token, or why there is none.
struct FoundKey {
  enum class Outcome {
    found,
    unknown,      // the issuer has no such key
    wait,         // it may have one: its keys are being fetched
    unavailable,  // its keys could not be got
  };

  Outcome outcome = Outcome::unavailable;
  std::shared_ptr<const KeySet> set{};  // holds `key`
  const PublicKey* key = nullptr;
};

class KeySource {
 public:
  static constexpr std::chrono::minutes kFresh{10};
  static constexpr std::chrono::seconds kRetry{30};
  static constexpr std::chrono::hours kLast{24};

  // `url`: the keys are fetched; else they come from a file, whose owner watches it.
  KeySource(bool url, const Clock& clock) : url_(url), clock_(clock) {}

  // Sets `fetch` if the keys must be got now: they are old, or the key is unknown. Not within
  // kRetry of the last time.
  FoundKey find(const std::optional<std::string>& kid, Algorithm algorithm, bool& fetch);

  // A fetch has been queued, and has ended.
  void begin() { fetching_ = true; }
  bool is_fetching() const { return fetching_; }
  // Takes a new text; true: its keys are other ones than before. A bad text leaves the last good
  // keys, and its error is returned in `error`.
  bool take(const Result<std::string>& text, Status& error);

  bool is_url() const { return url_; }
  const std::shared_ptr<const KeySet>& keys() const { return keys_; }

 private:
  bool is_usable() const;
  bool may_fetch() const;

  const bool url_;
  const Clock& clock_;
  std::shared_ptr<const KeySet> keys_;
  std::string text_;  // of keys_
  Clock::Instant got_{};
  std::optional<Clock::Instant> tried_{};
  bool failed_ = false;  // the last time
  bool fetching_ = false;
};

}  // namespace gantry::host::jwt
