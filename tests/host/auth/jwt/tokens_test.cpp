// Good tokens and what they make of a profile.
#include "tests/host/auth/jwt/fixture.hpp"

namespace gantry::host::jwt {
namespace {

TEST_F(TokensTest, AcceptsATokenOfEachAlgorithm) {
  const auto r = kit::rsa("r"), e = kit::ec("e"), d = kit::ed("d");
  serve(r.jwk() + "," + e.jwk(R"(,"use":"sig","alg":"ES256")") + "," +
        d.jwk(R"(,"key_ops":["verify"],"alg":"Ed25519")"));
  for (const auto& signer : {r, e, d}) {
    const CheckedToken checked = tokens.check(signer.token(claims_with()));
    ASSERT_TRUE(checked.principal) << signer.kid << " " << checked.reason;
    EXPECT_EQ(checked.principal->auth_type, "jwt");
    EXPECT_EQ(checked.principal->agent->name, "sales");
    EXPECT_EQ(checked.principal->agent->user, "u1");
    EXPECT_EQ(checked.principal->name.rfind(checked.principal->agent->principal + "~", 0), 0u);
  }
  const auto fully =
      d.token(R"({"alg":"Ed25519","kid":"d","typ":"application/AT+JWT"})", claims_with());
  EXPECT_TRUE(agent(fully));
}

TEST_F(TokensTest, WithoutAKidTakesTheOnlyKeyThatFits) {
  const auto e = kit::ec("e"), other = kit::ec("f"), d = kit::ed("d");
  serve(e.jwk() + "," + d.jwk());
  const std::string header = R"({"alg":"ES256","typ":"at+jwt"})";
  EXPECT_TRUE(agent(e.token(header, claims_with())));
  web.set(kKeysUrl, kit::set_of(e.jwk() + "," + other.jwk()));
  clock.advance(std::chrono::minutes(11));
  const int before = web.count();
  EXPECT_TRUE(agent(e.token(claims_with())));  // old keys are fetched again
  settle(before);
  EXPECT_EQ(reason(e.token(header, claims_with())), "invalid");
  EXPECT_TRUE(agent(e.token(claims_with())));
}

TEST_F(TokensTest, ARefreshedTokenIsTheSamePrincipal) {
  const auto e = kit::ec("e");
  serve(e.jwk());
  const auto first = tokens.check(e.token(claims_with({{"jti", "\"1\""}})));
  const auto second = tokens.check(e.token(claims_with({{"jti", "\"2\""}, {"scope", "\"x\""}})));
  ASSERT_TRUE(first.principal && second.principal);
  EXPECT_EQ(first.principal->name, second.principal->name);
  for (const auto& [claim, value] : std::map<std::string, std::string>{
           {"sub", "\"u2\""}, {"client_id", "\"app2\""}, {"client_id", ""}}) {
    const auto other = tokens.check(e.token(claims_with({{claim, value}})));
    ASSERT_TRUE(other.principal) << claim;
    EXPECT_NE(other.principal->name, first.principal->name) << claim;
  }
}

TEST_F(TokensTest, TheOtherFormOfAnEs256SignatureIsTheSamePrincipal) {
  const auto e = kit::ec("e");
  serve(e.jwk());
  const std::string token = e.token(claims_with());
  const auto at = token.rfind('.');
  std::string bytes = *from_base64url(token.substr(at + 1));
  // s -> n - s
  BIGNUM* n = nullptr;
  BN_hex2bn(&n, "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551");
  BIGNUM* s = BN_bin2bn(reinterpret_cast<unsigned char*>(bytes.data()) + 32, 32, nullptr);
  BN_sub(s, n, s);
  BN_bn2binpad(s, reinterpret_cast<unsigned char*>(bytes.data()) + 32, 32);
  BN_free(s);
  BN_free(n);
  const auto first = tokens.check(token);
  const auto second = tokens.check(token.substr(0, at + 1) + to_base64url(bytes));
  ASSERT_TRUE(first.principal && second.principal);
  EXPECT_EQ(first.principal->name, second.principal->name);
}

TEST_F(TokensTest, MapsClaimsAsConfiguredAndNotOtherwise) {
  const auto e = kit::ec("e");
  web.set(kKeysUrl, kit::set_of(e.jwk()));
  JwtIssuer config = issuer();
  config.user_claim = "uid";
  config.tenant_claim = "tenant_id";
  config.roles_claim = "roles";
  const auto included = Roles::make({{"seller", {"employee"}}, {"employee", {"person"}}});
  ASSERT_TRUE(tokens.use({config}, *included));
  settle(0);
  const std::map<std::string, std::string> good{
      {"uid", "\"anna\""}, {"tenant_id", "\"acme\""}, {"roles", R"(["seller"])"}};
  const auto with = [&](const std::string& name, const std::string& value) {
    auto claims = good;
    claims[name] = value;
    return e.token(claims_with(claims));
  };
  const AgentPtr found = agent(e.token(claims_with(good)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->user, "anna");
  EXPECT_EQ(found->tenant_id, "acme");
  EXPECT_EQ(found->roles, (std::vector<std::string>{"employee", "person", "seller"}));
  EXPECT_EQ(agent(with("roles", "\"seller x\""))->roles.size(), 4u);
  EXPECT_EQ(agent(with("roles", ""))->roles.size(), 0u);
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"uid", "7"},
                                                        {"uid", ""},
                                                        {"uid", "\"\""},
                                                        {"uid", "\"a\\u0000b\""},
                                                        {"uid", "[\"anna\"]"},
                                                        {"tenant_id", "\"\""},
                                                        {"tenant_id", ""},
                                                        {"tenant_id", "7"},
                                                        {"tenant_id", "null"},
                                                        {"roles", "7"},
                                                        {"roles", "[7]"},
                                                        {"roles", "{\"seller\":1}"},
                                                        {"roles", "\"a  b\""},
                                                        {"roles", "null"},
                                                        {"client_id", "7"},
                                                        {"scope", "7"}}) {
    EXPECT_EQ(reason(with(name, value)), "no_profile") << name << " " << value;
  }
}

TEST_F(TokensTest, BindsTheCorrelationIdOfTheConfiguredClaim) {
  const auto e = kit::ec("e");
  web.set(kKeysUrl, kit::set_of(e.jwk()));
  JwtIssuer config = issuer();
  use({config});
  const std::string token = e.token(claims_with({{"ticket", "\"t-7\""}}));
  EXPECT_EQ(tokens.check(token).principal->correlation_id, "") << "no claim is configured";
  config.correlation_claim = "ticket";
  use({config});
  EXPECT_EQ(tokens.check(token).principal->correlation_id, "t-7");
  for (const std::string ignored : {"", "7", "\"\"", "\"a b\"", R"(["t-7"])"}) {
    const CheckedToken checked = tokens.check(e.token(claims_with({{"ticket", ignored}})));
    ASSERT_TRUE(checked.principal) << ignored;
    EXPECT_EQ(checked.principal->correlation_id, "") << ignored;
  }
}

TEST_F(TokensTest, ATokenOfAnotherTenantThanTheProfilesHasNoProfile) {
  const auto e = kit::ec("e");
  web.set(kKeysUrl, kit::set_of(e.jwk()));
  JwtIssuer config = issuer();
  Agent profile = *config.profile;
  profile.tenant_id = "acme";
  config.profile = share(profile);
  config.tenant_claim = "tenant_id";
  use({config});
  EXPECT_TRUE(agent(e.token(claims_with({{"tenant_id", "\"acme\""}}))));
  EXPECT_EQ(reason(e.token(claims_with({{"tenant_id", "\"globex\""}}))), "no_profile");
}

TEST_F(TokensTest, TheHighestGrantedScopeIsTheTierUpToTheProfiles) {
  const auto e = kit::ec("e");
  web.set(kKeysUrl, kit::set_of(e.jwk()));
  JwtIssuer config = issuer();
  config.scopes = {
      {"data.read", Tier::readonly}, {"data.write", Tier::write}, {"all", Tier::admin}};
  use({config});
  const auto scoped = [&](const std::string& name, const std::string& value) {
    return e.token(claims_with({{name, value}}));
  };
  EXPECT_EQ(agent(scoped("scope", "\"data.read x\""))->tier, Tier::readonly);
  EXPECT_EQ(agent(scoped("scope", "\"data.read data.write\""))->tier, Tier::write);
  EXPECT_EQ(agent(scoped("scp", R"(["all"])"))->tier, Tier::write);
  const CheckedToken none = tokens.check(scoped("scope", "\"other\""));
  EXPECT_EQ(none.reason, "no_scope");
  ASSERT_TRUE(none.grant);
  using Names = std::vector<std::string>;
  EXPECT_EQ(none.grant->scopes_for(Tier::readonly), (Names{"other", "data.read"}));
  const auto read = tokens.check(scoped("scope", "\"data.read x\"")).principal->token;
  EXPECT_EQ(read->scopes_for(Tier::write), (Names{"data.read", "x", "data.write"}));
  EXPECT_TRUE(read->scopes_for(Tier::admin).empty());  // more than the profile's
}

TEST_F(TokensTest, SummarizesTheIssuersAndTheirScopes) {
  EXPECT_FALSE(tokens.is_configured());
  JwtIssuer config = issuer(), second = issuer();
  config.scopes = {{"w", Tier::write}, {"r", Tier::readonly}, {"r2", Tier::readonly}};
  second.scopes = {{"x", Tier::write}, {"w", Tier::admin}};
  use({config, second});
  EXPECT_TRUE(tokens.is_configured());
  using Names = std::vector<std::string>;
  EXPECT_EQ(tokens.summary()->issuers, Names{kIssuer});
  EXPECT_EQ(tokens.summary()->scopes, (Names{"w", "r", "r2", "x"}));
  EXPECT_EQ(tokens.summary()->least_scopes, (Names{"r", "x"}));
  EXPECT_EQ(tokens.agents().size(), 2u);
}

TEST_F(TokensTest, RemembersAGoodVerdictUntilExpiryAMinuteOrNewKeys) {
  const auto e = kit::ec("e");
  serve(e.jwk());
  const std::string token = e.token(claims_with({{"exp", std::to_string(kNow + 30)}}));
  const auto first = tokens.check(token).principal;
  EXPECT_EQ(tokens.check(token).principal, first);
  wall += 31;  // within the skew, but checked anew
  const auto second = tokens.check(token).principal;
  ASSERT_TRUE(second);
  EXPECT_NE(second, first);
  wall += 60;
  EXPECT_EQ(reason(token), "expired");
  wall = kNow;
  const std::string longer = e.token(claims_with());
  const auto third = tokens.check(longer).principal;
  clock.advance(std::chrono::seconds(61));
  EXPECT_NE(tokens.check(longer).principal, third);
  // A clock that steps back knows nothing of later.
  wall += 100;
  EXPECT_TRUE(agent(e.token(claims_with({{"nbf", std::to_string(kNow + 100)}}))));
  wall = kNow;
  EXPECT_EQ(reason(e.token(claims_with({{"nbf", std::to_string(kNow + 100)}}))), "invalid");
}

TEST_F(TokensTest, KnowsWhichTokensCostASignature) {
  const auto e = kit::ec("e"), other = kit::ec("other");
  serve(e.jwk());
  const std::string token = e.token(claims_with());
  std::string forged = token;
  char& of_signature = forged[forged.size() - 10];
  of_signature = of_signature == 'A' ? 'B' : 'A';
  EXPECT_TRUE(tokens.needs_signature(token));
  EXPECT_TRUE(tokens.needs_signature(forged));
  ASSERT_TRUE(tokens.check(token).principal);
  EXPECT_FALSE(tokens.needs_signature(token)) << "it is remembered";
  EXPECT_TRUE(tokens.needs_signature(forged));
  EXPECT_FALSE(tokens.needs_signature("a.b.c")) << "its form";
  EXPECT_FALSE(tokens.needs_signature(e.token(claims_with({{"iss", "\"https://x\""}}))));
  EXPECT_FALSE(tokens.needs_signature(other.token(claims_with()))) << "an unknown key";
}

TEST_F(TokensTest, AChangedIssuerWithdrawsItsPrincipals) {
  const auto e = kit::ec("e");
  serve(e.jwk());
  const std::string token = e.token(claims_with());
  const std::string name = tokens.check(token).principal->name;
  EXPECT_TRUE(tokens.leads_to(name));
  EXPECT_FALSE(tokens.leads_to("another"));
  const auto same = tokens.use({issuer()}, {});
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->empty());
  EXPECT_EQ(tokens.check(token).principal->name, name);
  JwtIssuer other = issuer();
  Agent profile = *other.profile;
  profile.classes.only = {"Order"};
  other.profile = share(profile);
  const std::uint64_t changes = tokens.changes();
  EXPECT_EQ(*tokens.use({other}, {}), PrincipalNames{name});
  EXPECT_GT(tokens.changes(), changes);
  EXPECT_FALSE(tokens.leads_to(name));
  const std::string next = tokens.check(token).principal->name;
  EXPECT_NE(next, name);
  EXPECT_EQ(*tokens.use({other}, *Roles::make({{"a", {"b"}}})), PrincipalNames{next});
  EXPECT_TRUE(tokens.check(token).principal);
  EXPECT_EQ(*tokens.use({}, {}), PrincipalNames{next});
  EXPECT_TRUE(tokens.use({}, {})->empty());
}

TEST_F(TokensTest, NewKeysEmptyTheVerdicts) {
  const auto old = kit::ec("e"), fresh = kit::ec("e2");
  serve(old.jwk());
  const std::string token = old.token(claims_with());
  ASSERT_TRUE(agent(token));
  web.set(kKeysUrl, kit::set_of(fresh.jwk()));
  clock.advance(std::chrono::seconds(31));
  const int before = web.count();
  EXPECT_EQ(reason(fresh.token(claims_with())), "unavailable");
  settle(before);
  EXPECT_TRUE(agent(fresh.token(claims_with())));
  EXPECT_EQ(reason(token), "invalid");
}

}  // namespace
}  // namespace gantry::host::jwt
