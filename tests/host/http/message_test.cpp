#include <gtest/gtest.h>

#include "host/http/message.hpp"

namespace gantry::host::http {
namespace {

TEST(Message, ViewsStayRightAfterAMove) {
  Request first;
  first.set_start("GET", "/a?b", 1);
  first.add_header("X-A", "1");
  Request second = std::move(first);
  EXPECT_EQ(second.method(), "GET");
  EXPECT_EQ(second.query(), "b");
  EXPECT_EQ(second.header("x-a"), "1");
}

TEST(Message, ATargetWithoutQuestionMarkHasNoQuery) {
  Request request;
  request.set_start("GET", "/a", 1);
  EXPECT_EQ(request.path(), "/a");
  EXPECT_EQ(request.query(), "");
  EXPECT_EQ(request.parameter("a"), "");
}

TEST(Message, AParameterIsTheFirstOfExactlyItsName) {
  Request request;
  request.set_start("GET", "/a?xs=0&s&s=%2C1&s=2&t=", 1);
  EXPECT_EQ(request.parameter("s"), "%2C1");
  EXPECT_EQ(request.parameter("xs"), "0");
  EXPECT_EQ(request.parameter("x"), "");
  EXPECT_EQ(request.parameter("t"), "");
}

TEST(Message, TheFirstOfEqualNamesIsFoundAndAllAreListed) {
  Request request;
  request.add_header("Accept", "a");
  request.add_header("ACCEPT", "b");
  EXPECT_EQ(request.header("accept"), "a");
  ASSERT_EQ(request.header_count(), 2u);
  EXPECT_EQ(request.header_at(1).name, "accept");
  EXPECT_EQ(request.header_at(1).value, "b");
}

TEST(Message, AnEmptyValueIsNotAnAbsentHeader) {
  Request request;
  request.add_header("Origin", "");
  EXPECT_EQ(request.header("origin"), "");
  EXPECT_EQ(request.header("host"), std::nullopt);
}

TEST(Message, ClearForgetsEverything) {
  Request request;
  request.set_start("POST", "/", 0);
  request.add_header("A", "1");
  request.body = std::string(1 << 20, 'x');
  request.clear();
  EXPECT_EQ(request.header_count(), 0u);
  EXPECT_EQ(request.method(), "");
  EXPECT_EQ(request.http_minor(), 1);
  EXPECT_LT(request.body.capacity(), 1u << 20);
}

}  // namespace
}  // namespace gantry::host::http
