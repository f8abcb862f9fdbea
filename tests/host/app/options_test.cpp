#include "host/app/options.hpp"

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

// Each group goes to its part as it is, so one member of each stands for all.
TEST(Options, CarryTheOperatorsGroups) {
  Settings settings;
  settings.http.io_threads = 3;
  settings.http.limits.body_bytes = 5'000;
  settings.http.limits.unread_bytes = 70'000;
  settings.http.guard.allowed_hosts = {"h"};
  settings.limits.streams.listeners = 7;
  settings.limits.protocol.max_stream_notifications = 8;
  settings.limits.protocol.max_tasks = 9;
  settings.instructions = "Ask.";
  const http::Options options = http_options(settings, {"::1", 80});
  EXPECT_EQ(options.address, "::1");
  EXPECT_EQ(options.port, 80);
  EXPECT_EQ(options.io_threads, 3u);
  EXPECT_EQ(options.limits.body_bytes, 5'000u);
  EXPECT_NE(options.unread, nullptr);
  const http::EndpointOptions endpoint = endpoint_options(settings, {"::1", 80});
  EXPECT_EQ(endpoint.guard.allowed_hosts, std::vector<std::string>{"h"});
  EXPECT_EQ(endpoint.streams.listeners, 7);
  EXPECT_EQ(endpoint.max_waiting, 8u);
  const rpc::ProtocolSettings protocol = protocol_settings_of(settings, true);
  EXPECT_EQ(protocol.limits.max_tasks, 9u);
  EXPECT_EQ(protocol.instructions, "Ask.");
  EXPECT_TRUE(protocol.lists_are_public);
}

TEST(Options, SayWhetherTheServerListensOnLoopback) {
  const Settings settings;
  EXPECT_TRUE(endpoint_options(settings, {"127.0.0.1", 0}).guard.loopback);
  EXPECT_FALSE(endpoint_options(settings, {"0.0.0.0", 0}).guard.loopback);
}

}  // namespace
}  // namespace gantry::host
