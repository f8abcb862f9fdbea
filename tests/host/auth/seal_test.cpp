#include "host/auth/seal.hpp"

#include <set>

#include <gtest/gtest.h>

#include "fake_clock.hpp"
#include "host/auth/digest.hpp"
#include "host/base/text.hpp"

namespace gantry::host::seal_test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kBinding = "alice tools/call 1234";

std::string sealed(const Sealer& sealer, std::string_view payload, Clock::Duration lifetime = 60s) {
  return sealer.seal(kBinding, payload, lifetime).value();
}

// The sentence with which a text is refused; "" when it opens.
std::string refusal(Sealer& sealer, std::string_view text, std::string_view binding = kBinding) {
  const auto opened = sealer.open(binding, text);
  return opened ? std::string() : opened.message();
}

// The refusal of a text that is no state for this request.
std::string foreign(Sealer& sealer) { return refusal(sealer, "v1.AAAA"); }

TEST(Sealer, GivesThePayloadBack) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string binary("\0\xff\n{}", 5);
  for (const std::string& payload : {std::string(), std::string("{\"step\":1}"), binary,
                                     std::string(Sealer::kMaxPayload, 'x')}) {
    const std::string text = sealed(sealer, payload);
    EXPECT_LE(text.size(), Sealer::kMaxText);
    const auto opened = sealer.open(kBinding, text);
    ASSERT_TRUE(opened) << opened.message();
    EXPECT_EQ(*opened, payload);
  }
}

TEST(Sealer, DoesNotShowThePayload) {
  FakeClock clock;
  const Sealer sealer(clock);
  const std::string payload(300, 'p');
  const std::string text = sealed(sealer, payload);
  ASSERT_TRUE(text.starts_with("v1."));
  const auto raw = from_base64url(text.substr(3));
  ASSERT_TRUE(raw);
  EXPECT_EQ(raw->size(), 12 + 8 + payload.size() + 16);
  EXPECT_EQ(raw->find("ppp"), std::string::npos);
  EXPECT_EQ(raw->find(kBinding.substr(0, 5)), std::string::npos);
}

TEST(Sealer, NeverMakesTheSameTextTwice) {
  FakeClock clock;
  const Sealer sealer(clock);
  std::set<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.insert(sealed(sealer, "same").substr(3, 16));
  EXPECT_EQ(texts.size(), 1000u);
}

TEST(Sealer, RefusesEveryFlippedBitWithOneSentence) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string said = foreign(sealer);
  ASSERT_NE(said, "");
  for (const std::string payload : {"", "a", "ab", "{\"step\":1,\"answers\":[1,2]}"}) {
    const std::string text = sealed(sealer, payload);
    for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
      std::string changed = text;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
      EXPECT_EQ(refusal(sealer, changed), said) << "bit " << bit << " of " << text;
    }
    EXPECT_EQ(refusal(sealer, text), "") << "the attempts have used it up";
  }
}

TEST(Sealer, RefusesTextsThatAreLongerOrShorter) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string said = foreign(sealer);
  const std::string text = sealed(sealer, "payload");
  for (const std::string more : {"A", "AA", "AAA", "AAAA", "=", "==", "\n", " ", "tampered"})
    EXPECT_EQ(refusal(sealer, text + more), said) << more;
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_EQ(refusal(sealer, std::string_view(text).substr(0, length)), said) << length;
  EXPECT_EQ(refusal(sealer, " " + text), said);
  EXPECT_EQ(refusal(sealer, "v2" + text.substr(2)), said);
  EXPECT_EQ(refusal(sealer, text.substr(3)), said);
  EXPECT_EQ(refusal(sealer, text), "");
}

TEST(Sealer, TakesNoSecondSpellingOfAUsedState) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string text = sealed(sealer, "ab");  // 38 bytes: the last letter has bits to spare
  ASSERT_EQ(refusal(sealer, text), "");
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  int tried = 0;
  for (const char last : kAlphabet) {
    if (last == text.back()) continue;
    EXPECT_EQ(refusal(sealer, text.substr(0, text.size() - 1) + last), foreign(sealer));
    ++tried;
  }
  EXPECT_EQ(tried, 63);
}

TEST(Sealer, RefusesAnotherBindingAsItRefusesAChangedText) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string text = sealed(sealer, "payload");
  for (const std::string other :
       {"", "bob tools/call 1234", "alice tools/call 12345", "alice tools/call 123"})
    EXPECT_EQ(refusal(sealer, text, other), foreign(sealer)) << other;
  EXPECT_EQ(refusal(sealer, text), "");
}

TEST(Sealer, OpensAStateOnce) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string text = sealed(sealer, "payload");
  EXPECT_EQ(refusal(sealer, text), "");
  for (int i = 0; i < 3; ++i) {
    const auto again = sealer.open(kBinding, text);
    EXPECT_EQ(again.status().code(), GANTRY_INVALID_ARGUMENT);
    EXPECT_NE(again.message().find("used before"), std::string::npos) << again.message();
  }
  EXPECT_EQ(refusal(sealer, sealed(sealer, "payload")), "") << "another of the same content";
}

TEST(Sealer, OpensUntilTheLifetimeHasPassed) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string in_time = sealed(sealer, "a", 10s), too_late = sealed(sealer, "b", 10s);
  clock.advance(10s - 1ns);
  EXPECT_EQ(refusal(sealer, in_time), "");
  clock.advance(1ns);
  const auto late = sealer.open(kBinding, too_late);
  EXPECT_EQ(late.status().code(), GANTRY_INVALID_ARGUMENT);
  EXPECT_NE(late.message().find("expired"), std::string::npos) << late.message();
}

TEST(Sealer, NeverOpensAUsedStateAgainAfterItHasExpired) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string text = sealed(sealer, "a", 10s);
  ASSERT_EQ(refusal(sealer, text), "");
  clock.advance(10s);
  EXPECT_EQ(sealer.remembered(), 0u);
  EXPECT_NE(refusal(sealer, text), "");
}

TEST(Sealer, TakesLifetimesOfAnyLength) {
  FakeClock clock;
  Sealer sealer(clock);
  const std::string for_ever = sealed(sealer, "a", Clock::Duration::max());
  clock.advance(24h * 365 * 100);
  EXPECT_EQ(refusal(sealer, for_ever), "");
  for (const Clock::Duration none : {Clock::Duration::zero(), Clock::Duration(-1h)})
    EXPECT_NE(refusal(sealer, sealed(sealer, "a", none)).find("expired"), std::string::npos);
}

TEST(Sealer, OpensNothingOfAnotherSealer) {
  FakeClock clock;
  Sealer one(clock), two(clock);
  EXPECT_EQ(refusal(two, sealed(one, "payload")), foreign(two));
  EXPECT_EQ(refusal(one, sealed(two, "payload")), foreign(one));
}

TEST(Sealer, OpensStatesOfAnotherSealerWithItsKey) {
  FakeClock clock;
  Sealer::Key key{};
  key[0] = 7;
  Sealer one(clock, key), two(clock, key);
  EXPECT_EQ(two.open(kBinding, sealed(one, "payload")).value(), "payload");
  key[31] = 1;
  Sealer three(clock, key);
  EXPECT_EQ(refusal(three, sealed(one, "payload")), foreign(three));
}

TEST(Sealer, RefusesPayloadsAndTextsThatAreTooLong) {
  FakeClock clock;
  Sealer sealer(clock);
  const auto sealing = sealer.seal(kBinding, std::string(Sealer::kMaxPayload + 1, 'x'), 1s);
  EXPECT_EQ(sealing.status().code(), GANTRY_TOO_BIG);
  EXPECT_NE(sealing.message().find("65536"), std::string::npos) << sealing.message();
  const std::string longest = "v1." + std::string(Sealer::kMaxText - 3, 'A');
  EXPECT_EQ(refusal(sealer, longest), foreign(sealer));
  const auto opening = sealer.open(kBinding, longest + "A");
  EXPECT_EQ(opening.status().code(), GANTRY_TOO_BIG);
}

TEST(DigestOf, IsTheSha256OfThePartsWithTheirLengths) {
  EXPECT_EQ(digest_of({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest_of({""}), "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc");
}

TEST(DigestOf, KeepsPartsApart) {
  const std::set<std::string> digests = {
      digest_of({}),          digest_of({""}),        digest_of({"", ""}),
      digest_of({"ab", "c"}), digest_of({"a", "bc"}), digest_of({"abc"}),
      digest_of({"abc", ""}), digest_of({"", "abc"}), digest_of({std::string_view("a\0b", 3)}),
      digest_of({"a", "b"}),  digest_of({"b", "a"}),
  };
  EXPECT_EQ(digests.size(), 11u);
}

}  // namespace
}  // namespace gantry::host::seal_test
