// What the parser makes of bytes must not depend on how the network cut them.
#include <gtest/gtest.h>

#include <string>

#include "host/http/parser.hpp"

namespace gantry::host::http {
namespace {

constexpr const char* kChunkedHead =
    "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n";

// "200 BODY" of the one request in `wire`, or why it was refused, or "more".
std::string outcome(const std::string& wire, std::size_t piece) {
  Limits limits;
  limits.head_bytes = 200;
  Parser parser(limits);
  std::string unused;
  for (std::size_t at = 0; at < wire.size(); at += piece) {
    unused += wire.substr(at, piece);
    for (bool again = true; again && !unused.empty();) {
      const auto step = parser.feed(unused);
      unused.erase(0, step.used);
      if (step.event == Parser::Event::complete) return "200 " + parser.request().body;
      if (step.event == Parser::Event::refused) return std::to_string(parser.refusal().status);
      again = step.event == Parser::Event::head;
    }
  }
  return "more";
}

struct Case {
  const char* name;
  const char* seen;
  std::string wire;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Pieces : public ::testing::TestWithParam<Case> {};

TEST_P(Pieces, OfAnySizeGiveTheSame) {
  for (const std::size_t piece : {1, 2, 3, 4, 5, 7, 11, 50, 10'000}) {
    EXPECT_EQ(outcome(GetParam().wire, piece), GetParam().seen) << "in pieces of " << piece;
  }
}

std::string chunked(const std::string& body) { return kChunkedHead + body; }

INSTANTIATE_TEST_SUITE_P(
    Http, Pieces,
    ::testing::Values(
        Case{"TrailersAfterNoChunk", "200 ", chunked("0\r\nX: y\r\n\r\n")},
        Case{"TrailersAfterAChunk", "200 x", chunked("1\r\nx\r\n0\r\nX: y\r\n\r\n")},
        Case{"EndWithLeadingZeros", "200 x", chunked("01\r\nx\r\n000\r\n\r\n")},
        Case{"EndWithAnExtension", "200 x", chunked("1;a\r\nx\r\n0;b=\"c\"\r\n\r\n")},
        Case{"QuoteThatTheLineDoesNotEnd", "400", chunked("1;a=\"b\r\nx\r\n0\r\n\r\n\"")},
        Case{"QuoteThatTheLastLineDoesNotEnd", "400", chunked("0;a=\"b\r\nX: \"\r\n\r\n")},
        Case{"ChunkLineBeyondTheLimit", "431", chunked("1;" + std::string(210, 'e') + "\r\nx\r\n")},
        Case{"TrailersBeyondTheLimit", "431",
             chunked("0\r\nX: " + std::string(210, 'e') + "\r\n\r\n")},
        Case{"ChunkThatGoesOn", "400", chunked("1\r\nxy\r\n0\r\n\r\n")},
        Case{"TrailerThatEndsWithABareLineFeed", "400", chunked("0\r\nX: y\n\r\n\r\n")},
        Case{"TrailerThatIsFolded", "400", chunked("0\r\nX: y\r\n z\r\n\r\n")},
        Case{"FaultBeyondTheHeadsLimit", "431",
             "GET / HTTP/1.1\r\nX: " + std::string(210, 'e') + "\nY: z\r\n\r\n"},
        Case{"FaultBeyondTheLinesLimit", "414",
             "GET /" + std::string(210, 'e') + " HTTP/1.1\nHost: t\r\n\r\n"},
        Case{"HeadThatJustFits", "200 ",
             "GET / HTTP/1.1\r\nHost: t\r\nX: " + std::string(168, 'e') + "\r\n\r\n"},
        Case{"HeadOneByteTooLong", "431",
             "GET / HTTP/1.1\r\nHost: t\r\nX: " + std::string(169, 'e') + "\r\n\r\n"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace gantry::host::http
