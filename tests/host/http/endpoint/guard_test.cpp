#include "host/http/endpoint/guard.hpp"

#include <gtest/gtest.h>

namespace gantry::host::http {
namespace {

TEST(Guard, TakesNoUsersAndNoImpossiblePorts) {
  const Guard guard({.loopback = true, .allowed_origins = {".corp.example"}});
  for (const auto bad : {"localhost:abc", "127.0.0.1:99999", "a@localhost", "[::1", "[::1]x"})
    EXPECT_FALSE(guard.allows_host(bad)) << bad;
  EXPECT_FALSE(guard.allows_origin("http://localhost:80@evil.example", ""));
  EXPECT_FALSE(guard.allows_origin("https://x.corp.example:1@evil.example", ""));
  EXPECT_TRUE(guard.allows_origin("https://x.corp.example:8443", ""));
}

TEST(Guard, ChecksTheHost) {
  const Guard local({.loopback = true, .allowed_hosts = {"box.lan"}});
  for (const auto good :
       {"localhost", "LOCALHOST:1", "127.0.0.1:80", "127.1.2.3", "[::1]:9", "box.lan:1"})
    EXPECT_TRUE(local.allows_host(good)) << good;
  for (const auto bad : {"evil.example", "evil.example:80", "10.0.0.1", "localhost.evil.example",
                         "127.0.0.1.evil.example", ""})
    EXPECT_FALSE(local.allows_host(bad)) << bad;
  const Guard open({.loopback = false, .allowed_hosts = {"box.lan"}});
  EXPECT_TRUE(open.allows_host("10.0.0.1:80"));
  EXPECT_TRUE(open.allows_host("box.lan"));
  EXPECT_FALSE(open.allows_host("evil.example"));
}

TEST(Guard, KnowsLoopbackInEveryForm) {
  for (const auto host : {"127.0.0.1", "127.9.8.7", "::1", "0:0:0:0:0:0:0:1", "LocalHost",
                          "::ffff:127.0.0.1", "::FFFF:7f00:1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const auto host : {"0.0.0.0", "::", "::ffff:0.0.0.0", "::ffff:10.0.0.1", "::127.0.0.1",
                          "128.0.0.1", "::2", "localhost.example", "127.1", ""})
    EXPECT_FALSE(is_loopback(host)) << host;
}

TEST(Guard, KnowsWhichPagesMayAsk) {
  const Guard guard({.loopback = true,
                     .allowed_origins = {"https://one.example", "two.example", ".three.example"}});
  for (const auto good :
       {"http://localhost:6274", "http://127.0.0.1:1", "http://[::1]:2", "https://one.example",
        "http://two.example:80", "https://a.three.example"}) {
    EXPECT_TRUE(guard.allows_origin(good, "127.0.0.1:1")) << good;
  }
  for (const auto bad :
       {"http://one.example", "https://three.example", "https://evilthree.example", "null", "",
        "file://", "http://evil.example", "http://localhost.evil.example"}) {
    EXPECT_FALSE(guard.allows_origin(bad, "127.0.0.1:1")) << bad;
  }
  const Guard open({.loopback = false});
  EXPECT_TRUE(open.allows_origin("http://10.0.0.1:80", "10.0.0.1:80"));
  EXPECT_FALSE(open.allows_origin("http://localhost:80", "10.0.0.1:80"));
}

}  // namespace
}  // namespace gantry::host::http
