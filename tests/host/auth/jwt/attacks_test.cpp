// Forged, wrong and odd tokens: each is refused, with the reason that the log gets.
#include <openssl/bn.h>

#include "host/base/text.hpp"
#include "tests/host/auth/jwt/fixture.hpp"

namespace gantry::host::jwt {
namespace {

struct AttackTest : TokensTest {
  void SetUp() override { serve(e.jwk() + "," + r.jwk() + "," + d.jwk() + "," + f.jwk()); }

  // Refused as invalid; and the good token beside it is accepted.
  void expect_invalid(const std::string& token, const std::string& what) {
    EXPECT_EQ(reason(token), "invalid") << what;
    EXPECT_TRUE(agent(e.token(claims_with()))) << what;
  }

  kit::Signer e = kit::ec("e"), f = kit::ec("f"), d = kit::ed("d");
  static inline const kit::Signer r = kit::rsa("r");
  const std::string good_header = R"({"alg":"ES256","typ":"at+jwt","kid":"e"})";
};

TEST_F(AttackTest, AlgorithmsThatAreNone) {
  for (const char* alg :
       {R"("none")", R"("None")", R"("NONE")", R"("")", "null", "1", R"(["ES256"])", R"("es256")",
        R"("ES256 ")", R"("HS256")", R"("PS256")", R"("ES384")"}) {
    const std::string header = R"({"typ":"at+jwt","kid":"e","alg":)" + std::string(alg) + "}";
    expect_invalid(e.token(header, claims_with()), alg);
    expect_invalid(kit::assembled(header, claims_with(), ""), alg);
  }
  expect_invalid(e.token(R"({"typ":"at+jwt","kid":"e"})", claims_with()), "no alg");
}

TEST_F(AttackTest, PartsThatAreNotThree) {
  const std::string good = e.token(claims_with());
  const std::string two = good.substr(0, good.rfind('.'));
  for (const std::string& token :
       {std::string(), std::string(".."), std::string("."), two, two + ".", good + ".", good + ".x",
        good + ".x.y", "." + good, good.substr(good.find('.'))}) {
    expect_invalid(token, token);
  }
}

TEST_F(AttackTest, SymmetricSignaturesWithThePublicKey) {
  // There is no code that makes or checks one: the name alone refuses it.
  for (const std::string_view kid : {"e", "r", "d"}) {
    const std::string header =
        R"({"alg":"HS256","typ":"at+jwt","kid":")" + std::string(kid) + "\"}";
    expect_invalid(kit::assembled(header, claims_with(), std::string(32, 'x')), std::string(kid));
  }
}

TEST_F(AttackTest, AlgorithmsOfAnotherKey) {
  const auto as = [&](const kit::Signer& by, std::string_view alg, std::string_view kid) {
    return by.token(
        R"({"alg":")" + std::string(alg) + R"(","typ":"at+jwt","kid":")" + std::string(kid) + "\"}",
        claims_with());
  };
  clock.advance(std::chrono::seconds(31));
  for (const auto& [alg, kid] : std::vector<std::pair<std::string, std::string>>{
           {"ES256", "f"}, {"RS256", "e"}, {"ES256", "r"}, {"EdDSA", "e"}}) {
    const int before = web.count();
    const std::string token = as(e, alg, kid);
    if (reason(token) == "unavailable") settle(before);  // looks for a key that fits, once
    expect_invalid(token, alg + kid);
  }
}

TEST_F(AttackTest, OnlyConfiguredAlgorithms) {
  JwtIssuer config = issuer();
  config.algorithms = {"RS256"};
  ASSERT_TRUE(tokens.use({config}, {}));
  EXPECT_EQ(reason(e.token(claims_with())), "invalid");
  EXPECT_TRUE(agent(r.token(claims_with())));
}

TEST_F(AttackTest, KidsThatNameSomethingElse) {
  const int before = web.count();
  for (const std::string& kid :
       {std::string(R"("../../etc/passwd")"), std::string(R"("' OR 1=1 --")"), std::string("1"),
        std::string("null"), std::string(R"("e\u0000")"), std::string(R"("")"),
        "\"" + std::string(300, 'k') + "\""}) {
    expect_invalid(e.token(R"({"alg":"ES256","typ":"at+jwt","kid":)" + kid + "}", claims_with()),
                   kid);
  }
  EXPECT_EQ(web.count(), before);
}

TEST_F(AttackTest, TheSameKidTwiceNamesNoKey) {
  const auto twin = kit::ec("e");
  auto second = issuer();
  second.jwks = "https://id.example/twins";
  web.set(second.jwks, kit::set_of(e.jwk() + "," + twin.jwk() + "," + f.jwk()));
  ASSERT_TRUE(tokens.use({second}, {}));
  wait_for_keys(second.jwks);
  EXPECT_EQ(reason(e.token(claims_with())), "invalid");
  EXPECT_EQ(reason(twin.token(claims_with())), "invalid");
  EXPECT_TRUE(agent(f.token(claims_with())));
}

TEST_F(AttackTest, KeysInTheHeaderAreNotRead) {
  const auto own = kit::ec("mine");
  const int before = web.count();
  for (const std::string& member : {R"("jwk":)" + own.jwk(), std::string(R"("x5c":["MIIB"])"),
                                    std::string(R"("jku":"https://evil.example/jwks")"),
                                    std::string(R"("x5u":"https://evil.example/x5u")")}) {
    expect_invalid(
        own.token(R"({"alg":"ES256","typ":"at+jwt","kid":"e",)" + member + "}", claims_with()),
        member);
  }
  EXPECT_EQ(web.count(), before);
}

TEST_F(AttackTest, HeadersThatChangeTheMeaning) {
  for (const std::string member : {R"("crit":["exp"])", R"("crit":[])", R"("b64":false)",
                                   R"("zip":"DEF")", R"("enc":"A128GCM")", R"("cty":"JWT")"}) {
    expect_invalid(
        e.token(R"({"alg":"ES256","typ":"at+jwt","kid":"e",)" + member + "}", claims_with()),
        member);
  }
}

TEST_F(AttackTest, TypesOfOtherTokens) {
  for (const std::string typ : {R"(,"typ":"JWT")", R"(,"typ":"id+jwt")", R"(,"typ":1)",
                                R"(,"typ":"")", R"(,"typ":null)", ""}) {
    expect_invalid(e.token(R"({"alg":"ES256","kid":"e")" + typ + "}", claims_with()), typ);
  }
  JwtIssuer config = issuer();
  config.types = {"jwt", ""};
  ASSERT_TRUE(tokens.use({config}, {}));
  EXPECT_TRUE(agent(e.token(R"({"alg":"ES256","kid":"e","typ":"JWT"})", claims_with())));
  EXPECT_TRUE(agent(e.token(R"({"alg":"ES256","kid":"e"})", claims_with())));
  EXPECT_EQ(reason(e.token(claims_with())), "invalid");
}

TEST_F(AttackTest, SignaturesOfOtherSizesAndNumbers) {
  const std::string good = e.token(claims_with());
  const std::string text = good.substr(0, good.rfind('.') + 1);
  const std::string bytes = *from_base64url(good.substr(text.size()));
  const std::string n =
      kit::unhex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const std::string zero(32, '\0');
  const std::string der = kit::unhex("3045022100") + std::string(67, 'a');
  for (const std::string& wrong :
       {zero + zero, n + bytes.substr(32), bytes.substr(0, 32) + n, zero + bytes.substr(32),
        bytes.substr(0, 32) + zero, bytes.substr(0, 63), bytes + "x", der,
        std::string(4 << 10, 'x')}) {
    expect_invalid(text + to_base64url(wrong), std::to_string(wrong.size()));
  }
  expect_invalid(text + to_base64url(std::string(16 << 10, 'x')), "16 KiB");
}

TEST_F(AttackTest, AnEdwardsScalarBeyondTheOrder) {
  const std::string good = d.token(claims_with());
  const std::string text = good.substr(0, good.rfind('.') + 1);
  std::string bytes = *from_base64url(good.substr(text.size()));
  const std::string order =
      kit::unhex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
  unsigned carry = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    carry += static_cast<unsigned char>(bytes[32 + i]) + static_cast<unsigned char>(order[i]);
    bytes[32 + i] = static_cast<char>(carry);
    carry >>= 8;
  }
  ASSERT_TRUE(agent(good));
  expect_invalid(text + to_base64url(bytes), "S + L");
}

TEST_F(AttackTest, Times) {
  struct Row {
    std::map<std::string, std::string> claims;
    std::string_view reason;  // empty: good
  };
  const auto at = [](std::int64_t offset) { return std::to_string(kNow + offset); };
  for (const Row& row : std::vector<Row>{
           {{{"exp", at(-59)}, {"iat", at(-300)}}, ""},
           {{{"exp", at(-60)}, {"iat", at(-300)}}, "expired"},
           {{{"exp", at(-61)}, {"iat", at(-300)}}, "expired"},
           {{{"exp", ""}}, "invalid"},
           {{{"exp", "\"" + at(300) + "\""}}, "invalid"},
           {{{"exp", "1e400"}}, "invalid"},
           {{{"exp", "1e300"}}, "invalid"},
           {{{"exp", "-1"}}, "invalid"},
           {{{"exp", "null"}}, "invalid"},
           {{{"exp", at(86400)}}, ""},
           {{{"exp", at(86401)}}, "invalid"},
           {{{"exp", at(86401)}, {"iat", ""}}, "invalid"},
           {{{"iat", ""}}, ""},
           {{{"iat", at(60)}}, ""},
           {{{"iat", at(61)}}, "invalid"},
           {{{"iat", "\"1\""}}, "invalid"},
           {{{"iat", "-5"}}, "invalid"},
           {{{"nbf", at(60)}}, ""},
           {{{"nbf", at(61)}}, "invalid"},
           {{{"nbf", "true"}}, "invalid"},
           {{{"nbf", "1e400"}}, "invalid"},
           {{{"exp", at(300) + ".5"}}, ""},
       }) {
    EXPECT_EQ(reason(e.token(claims_with(row.claims))), row.reason) << claims_with(row.claims);
  }
}

TEST_F(AttackTest, Audiences) {
  for (const std::string aud :
       {"", R"("https://mcp.example/mcp2")", R"("https://mcp.example/mcp/")",
        R"("https://mcp.example/MCP")", R"("https://mcp.example")", "7", "null", "[]",
        R"([["https://mcp.example/mcp"]])", R"(["https://mcp.example/mcp",7])",
        R"({"aud":"https://mcp.example/mcp"})", R"("https://mcp.example/mcp\u0000")"}) {
    EXPECT_EQ(reason(e.token(claims_with({{"aud", aud}}))), "wrong_audience") << aud;
  }
  EXPECT_TRUE(agent(e.token(claims_with({{"aud", R"(["other","https://mcp.example/mcp"])"}}))));
}

TEST_F(AttackTest, Issuers) {
  for (const std::string iss : {"", R"("https://id.example/")", R"("https://ID.example")", "7",
                                R"(["https://id.example"])", R"("https://evil.example")"}) {
    expect_invalid(e.token(claims_with({{"iss", iss}})), iss);
  }
}

TEST_F(AttackTest, AKidOfAnotherIssuer) {
  JwtIssuer other = issuer();
  other.issuer = "https://other.example";
  other.jwks = "https://other.example/jwks";
  const auto theirs = kit::ec("e");
  web.set(other.jwks, kit::set_of(theirs.jwk()));
  ASSERT_TRUE(tokens.use({issuer(), other}, {}));
  wait_for_keys(other.jwks);
  expect_invalid(theirs.token(claims_with()), "our iss, their key");
  expect_invalid(e.token(claims_with({{"iss", R"("https://other.example")"}})),
                 "their iss, our key");
  EXPECT_TRUE(agent(theirs.token(claims_with({{"iss", R"("https://other.example")"}}))));
}

TEST_F(AttackTest, TextsThatTwoReadersReadDifferently) {
  const std::string claims = claims_with();
  const auto and_also = [&](const std::string& member) {
    return claims.substr(0, claims.size() - 1) + "," + member + "}";
  };
  std::string deep(1000, '['), closing(1000, ']');
  for (const std::string& payload : std::vector<std::string>{
           and_also(R"("sub":"admin")"), and_also(R"("aud":"x")"),
           and_also(R"("s\u0075b":"admin")"), and_also(R"("x":{"a":1,"a":2})"),
           and_also(R"("x":"\ud800")"), and_also("\"x\":\"\xff\""),
           and_also("\"x\":" + deep + closing), claims + "x", claims + std::string(1, '\0'), "[]",
           "", "{", claims_with({{"sub", "7"}}), claims_with({{"sub", ""}}),
           claims_with({{"sub", R"("a\u0000b")"}}), claims_with({{"sub", R"("")"}}),
           claims_with({{"sub", "\"" + std::string(257, 's') + "\""}})}) {
    expect_invalid(e.token(payload), payload.substr(0, 200));
  }
  EXPECT_TRUE(agent(e.token(and_also(R"("x":[[[[[[1]]]]]])"))));
  expect_invalid(e.token(and_also(R"("x":[[[[[[[[1]]]]]]]])")), "nine levels");
  expect_invalid(e.token(R"({"alg":"ES256","alg":"ES256","typ":"at+jwt","kid":"e"})", claims),
                 "alg twice");
}

TEST_F(AttackTest, OtherEncodingsOfTheSameToken) {
  const std::string good = e.token(claims_with());
  for (const std::string& token : {good + "=", good + "==", " " + good, good + " ", good + "\n",
                                   good + "+", good.substr(0, 3) + "/" + good.substr(3),
                                   good.substr(0, 3) + std::string(1, '\0') + good.substr(3)}) {
    expect_invalid(token, token);
  }
  // 64 bytes leave four unused bits in the last character; another one decodes to the same bytes.
  std::string loose = good;
  loose.back() = loose.back() == 'A' ? 'B' : static_cast<char>(loose.back() + 1);
  expect_invalid(loose, "unused bits");
}

TEST_F(AttackTest, TokensThatAreTooLarge) {
  const std::string padding = "\"" + std::string(5 << 10, 'p') + "\"";
  EXPECT_TRUE(agent(e.token(claims_with({{"x", padding}}))));
  const std::string large = e.token(claims_with({{"x", "\"" + std::string(9 << 10, 'p') + "\""}}));
  expect_invalid(large, "9 kB");
  expect_invalid(e.token(R"({"alg":"ES256","typ":"at+jwt","kid":"e","x":")" +
                             std::string(1 << 10, 'p') + "\"}",
                         claims_with()),
                 "a header beyond 1 KiB");
}

}  // namespace
}  // namespace gantry::host::jwt
