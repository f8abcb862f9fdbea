// Tokens of one issuer, whose keys are given by hand, at a time that the test sets.
#pragma once

#include <functional>
#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include "host/auth/authenticator.hpp"
#include "host/auth/jwt/tokens.hpp"
#include "tests/host/auth/fake_clock.hpp"
#include "tests/host/auth/jwt/kit.hpp"

namespace gantry::host::jwt {

constexpr const char* kIssuer = "https://id.example";
constexpr const char* kAudience = "https://mcp.example/mcp";
constexpr const char* kKeysUrl = "https://id.example/jwks";
constexpr std::int64_t kNow = 1'800'000'000;

// What the fetches of a test answer; counts them.
struct FakeWeb {
  Result<std::string> get(const std::string& url) {
    std::unique_lock lock(mutex);
    ++fetches;
    changed.notify_all();
    changed.wait(lock, [this] { return !held; });
    const auto found = texts.find(url);
    if (found == texts.end()) return Status::failed("connection refused");
    return found->second;
  }
  void set(const std::string& url, std::string text) {
    const std::lock_guard lock(mutex);
    texts[url] = std::move(text);
  }
  void lose(const std::string& url) {
    const std::lock_guard lock(mutex);
    texts.erase(url);
  }
  // Fetches wait while held.
  void hold(bool on) {
    const std::lock_guard lock(mutex);
    held = on;
    changed.notify_all();
  }
  int count() {
    const std::lock_guard lock(mutex);
    return fetches;
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::string> texts;
  int fetches = 0;
  bool held = false;
};

// Claims that are good, with members replaced or added: {"exp": "1"}; an empty text leaves one out.
inline std::string claims_with(const std::map<std::string, std::string>& other = {}) {
  std::map<std::string, std::string> all{{"iss", "\"" + std::string(kIssuer) + "\""},
                                         {"aud", "\"" + std::string(kAudience) + "\""},
                                         {"sub", "\"u1\""},
                                         {"client_id", "\"app\""},
                                         {"iat", std::to_string(kNow)},
                                         {"exp", std::to_string(kNow + 300)}};
  for (const auto& [name, value] : other) all[name] = value;
  std::string out;
  for (const auto& [name, value] : all) {
    if (!value.empty()) out += (out.empty() ? "{\"" : ",\"") + name + "\":" + value;
  }
  return out + "}";
}

struct TokensTest : testing::Test {
  static inline std::int64_t wall = kNow;
  static Seconds wall_now() { return Seconds(std::chrono::seconds(wall)); }

  TokensTest() { wall = kNow; }
  ~TokensTest() override { web.hold(false); }

  JwtIssuer issuer() const {
    Agent profile;
    profile.name = "sales";
    profile.tier = Tier::write;
    JwtIssuer out;
    out.issuer = kIssuer;
    out.audiences = {kAudience};
    out.jwks = kKeysUrl;
    out.algorithms = {"RS256", "ES256", "EdDSA"};
    out.profile = share(profile);
    return out;
  }
  // Uses these issuers, and waits until their keys are there.
  void use(std::vector<JwtIssuer> issuers) {
    const int before = web.count();
    ASSERT_TRUE(tokens.use(std::move(issuers), {}));
    settle(before);
  }
  // Waits until a fetch after the first `before` has ended.
  void settle(int before) {
    std::unique_lock lock(web.mutex);
    web.changed.wait_for(lock, std::chrono::seconds(10), [&] { return web.fetches > before; });
    lock.unlock();
    wait_for_keys(kKeysUrl);
  }
  // Returns after the store's thread has done what was queued.
  void wait_for_keys(const std::string& url) {
    std::mutex mutex;
    std::condition_variable done;
    bool ready = false;
    ASSERT_TRUE(tokens.when_checkable(url, [&] {
      const std::lock_guard lock(mutex);
      ready = true;
      done.notify_all();
    }));
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return ready; });
  }
  // With the keys of these signers.
  void serve(const std::string& jwks) {
    web.set(kKeysUrl, kit::set_of(jwks));
    use({issuer()});
  }

  std::string_view reason(std::string_view token) { return tokens.check(token).reason; }
  AgentPtr agent(std::string_view token) {
    const CheckedToken checked = tokens.check(token);
    return checked.principal ? checked.principal->agent : nullptr;
  }

  FakeClock clock;
  Log log{{.level = Level::off}};
  FakeWeb web;
  Tokens tokens{clock, log,
                [this](const std::string& url, const std::atomic<bool>&) { return web.get(url); },
                &wall_now};
};

}  // namespace gantry::host::jwt
