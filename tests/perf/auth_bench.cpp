// What a request pays for its credential: the check of a key, a token that was checked before, and
// one that was not. And the time of reading 1,000 profiles and 10,000 keys.
#include <filesystem>
#include <fstream>

#include <benchmark/benchmark.h>

#include "host/app/access.hpp"
#include "host/auth/authenticator.hpp"
#include "host/auth/jwt/tokens.hpp"
#include "tests/host/auth/jwt/kit.hpp"

namespace gantry::host {
namespace {

constexpr std::int64_t kNow = 1'800'000'000;
jwt::Seconds bench_now() { return jwt::Seconds(std::chrono::seconds(kNow)); }

// The size of a token as issuers make them.
std::string bench_claims(int number) {
  return R"({"iss":"https://id.example","aud":"https://mcp.example/mcp","sub":"00u1a2b3c4d5e6f7g8h9",)"
         R"("client_id":"0oa1b2c3d4e5f6g7h8","scope":"openid profile data.read data.write",)"
         R"("tenant_id":"acme","roles":["seller","employee"],"jti":")" +
         std::to_string(number) + R"(","iat":1800000000,"exp":1800003600})";
}

struct Bench {
  explicit Bench(const jwt::kit::Signer& by) : signer(by) {
    JwtIssuer issuer;
    issuer.issuer = "https://id.example";
    issuer.audiences = {"https://mcp.example/mcp"};
    issuer.algorithms = {"RS256", "ES256", "EdDSA"};
    issuer.profile = share(Agent());
    issuer.tenant_claim = "tenant_id";
    issuer.roles_claim = "roles";
    issuer.jwks = "http://127.0.0.1/jwks";
    if (!tokens.use({issuer}, {})) std::abort();
    while (tokens.check(signer.token(bench_claims(0))).principal == nullptr) {
    }
  }

  jwt::kit::Signer signer;
  SystemClock clock;
  Log log{{.level = Level::off}};
  jwt::Tokens tokens{clock, log,
                     [this](const std::string&, const std::atomic<bool>&) -> Result<std::string> {
                       return jwt::kit::set_of(signer.jwk());
                     },
                     &bench_now};
};

void key_check(benchmark::State& state) {
  Authenticator auth;
  auth.add_key("a-key-of-the-usual-size-0123456789abcdef", share(Agent()));
  const std::string header = "Bearer a-key-of-the-usual-size-0123456789abcdef";
  for (auto round : state) {
    (void)round;
    Refusal refusal;
    benchmark::DoNotOptimize(auth.check({header, {}}, refusal));
  }
}
BENCHMARK(key_check);

void cached_token(benchmark::State& state) {
  Bench bench(jwt::kit::rsa("k"));
  const std::string token = bench.signer.token(bench_claims(1));
  for (auto round : state) {
    (void)round;
    benchmark::DoNotOptimize(bench.tokens.check(token));
  }
}
BENCHMARK(cached_token);

void first_token(benchmark::State& state, const jwt::kit::Signer& signer) {
  Bench bench(signer);
  constexpr std::size_t kMany = 2 * jwt::Verdicts::kMost;  // none is remembered
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < kMany; ++i) {
    tokens.push_back(bench.signer.token(bench_claims(static_cast<int>(i))));
  }
  std::size_t at = 0;
  for (auto round : state) {
    (void)round;
    benchmark::DoNotOptimize(bench.tokens.check(tokens[at++ % kMany]));
  }
}
BENCHMARK_CAPTURE(first_token, es256, jwt::kit::ec("k"))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(first_token, eddsa, jwt::kit::ed("k"))->Unit(benchmark::kMicrosecond);

// A state directory with keys, and an agents file beside it.
class ManyProfiles {
 public:
  static constexpr int kProfiles = 1'000, kKeys = 10'000;

  ManyProfiles() {
    char pattern[] = "/tmp/gantry_auth_XXXXXX";
    directory_ = ::mkdtemp(pattern);
    write_agents();
    const auto file = key_file(directory_);
    const Status made = change_keys(file, [](StoredKeys& keys) {
      for (int i = 0; i < kKeys; ++i) {
        const std::string number = std::to_string(100'000 + i);
        keys.push_back({"id" + number,
                        std::string(64, 'a'),
                        profile_name(i % kProfiles),
                        "of a test",
                        std::chrono::sys_seconds(std::chrono::seconds(kNow)),
                        {},
                        {},
                        {}});
      }
      return Status();
    });
    if (!made) std::abort();
  }
  ~ManyProfiles() { std::filesystem::remove_all(directory_); }
  ManyProfiles(const ManyProfiles&) = delete;
  ManyProfiles& operator=(const ManyProfiles&) = delete;

  std::unique_ptr<AgentAccess> open(Log& log) const {
    AccessOptions options;
    options.agents = directory_ / "agents.json";
    options.state = directory_;
    auto access = AgentAccess::open(std::move(options), log);
    if (!access || (*access)->auth().table()->stored() != kKeys) std::abort();
    return std::move(*access);
  }

 private:
  static std::string profile_name(int i) { return "team-" + std::to_string(i); }
  void write_agents() const {
    std::ofstream out(directory_ / "agents.json");
    out << R"({"agents":{)";
    for (int i = 0; i < kProfiles; ++i) {
      out << (i == 0 ? "" : ",\n") << '"' << profile_name(i)
          << R"(":{"permissions":"readonly","tenant_id":"tenant-)" << i
          << R"(","user":"u17","roles":["seller"],"tools":{"except":["export_data"]},)"
          << R"("classes":{"only":["Order","Customer","Line","Product"]},)"
          << R"("filters":{"Order":{"status":{"$ne":"draft"}}},"caps":{"rows":500}})";
    }
    out << R"(},"roles":{"seller":["employee"]}})";
  }

  std::filesystem::path directory_;
};

void load_profiles_and_keys(benchmark::State& state) {
  const ManyProfiles many;
  Log log({.level = Level::off});
  for (auto round : state) {
    (void)round;
    benchmark::DoNotOptimize(many.open(log));
  }
}
BENCHMARK(load_profiles_and_keys)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gantry::host

BENCHMARK_MAIN();
