// The example's methods, entered as the host does, over a fake gantry.data/1.
#include <gmock/gmock.h>

#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

namespace {

using gantry::testing::Answer;
using gantry::testing::FailsWith;
using gantry::testing::FakeHost;
using gantry::testing::Loaded;
using ::testing::HasSubstr;

struct OrdersTest : ::testing::Test {
  OrdersTest() : host(Loaded{GANTRY_PLUGIN_FILE}) {
    host.provide("service", "gantry.data/1", [this](std::string_view request, std::string_view) {
      asked = request;
      if (request.find(R"("op":"get")") != request.npos) {
        return Answer{{{"rows", R"({"id":7,"status":"sent","total":30,"refunded":10})"},
                       {"meta", R"({"version":"v9"})"}}};
      }
      if (request.find(R"("op":"count")") != request.npos) {
        return Answer{{{"meta", R"({"count":3})"}}};
      }
      if (request.find("dry_run") != request.npos) {
        return Answer{{{"meta", R"({"rows":1,"before":[1],"after":[2],"versions":"v"})"}}};
      }
      if (fails) {
        return Answer{{{"error", R"({"error_code":"store_error","error":"The disk is full"})"}},
                      GANTRY_FAILED};
      }
      return Answer{{{"rows", R"([{"id":7}])"}, {"meta", R"({"rows":1})"}}};
    });
  }
  gantry::testing::Reply call(const std::string& name, const std::string& entry) {
    return host.enter("method", "orders." + name, entry);
  }

  FakeHost host;
  std::string asked;
  bool fails = false;
};

TEST_F(OrdersTest, ApproveAnOpenOrderOnly) {
  EXPECT_EQ(call("approve", R"({"object_id":"7","object":{"status":"open"}})").structured,
            R"({"rows":[{"id":7}]})");
  EXPECT_EQ(asked, R"({"op":"transaction","args":{"writes":[{"op":"update","class_name":"orders",)"
                   R"("object_id":"7","data":{"status":"approved"}}]}})");
  EXPECT_THAT(call("approve", R"({"object_id":"7","object":{"status":"sent"}})"),
              FailsWith("invalid_argument", HasSubstr("Only an open order")));
}

TEST_F(OrdersTest, PreviewACancellationWithoutMakingIt) {
  EXPECT_EQ(call("cancel", R"({"object_id":"7","object":{"status":"open"},)"
                           R"("arguments":{"reason":"late"},"dry_run":true})")
                .structured,
            R"({"rows":1,"before":[1],"after":[2]})");
  EXPECT_THAT(asked, HasSubstr(R"("data":{"status":"cancelled","note":"late"}}],"dry_run":true)"));
  EXPECT_THAT(call("cancel", R"({"object_id":"7","arguments":{}})"),
              FailsWith("invalid_argument", HasSubstr("reason")));
}

TEST_F(OrdersTest, RefundInOneTransactionAgainstTheVersionThatWasRead) {
  EXPECT_TRUE(
      call("refund", R"({"object_id":"7","arguments":{"amount":20,"reason":"broken"}})").ok());
  EXPECT_EQ(asked, R"({"op":"transaction","args":{"writes":[{"op":"update","class_name":"orders",)"
                   R"("object_id":"7","data":{"refunded":{"__op":"Increment","amount":20}},)"
                   R"("if_unchanged":"v9"},{"op":"create","class_name":"refunds",)"
                   R"("data":{"order_id":"7","amount":20,"reason":"broken"}}]}})");
  EXPECT_THAT(call("refund", R"({"object_id":"7","arguments":{"amount":20.5,"reason":"x"}})"),
              FailsWith("invalid_argument", HasSubstr("at most 20")));
}

TEST_F(OrdersTest, PassOnTheErrorOfTheDatabase) {
  fails = true;
  EXPECT_THAT(call("approve", R"({"object_id":"7","object":{"status":"open"}})"),
              FailsWith("store_error", HasSubstr("disk is full")));
}

TEST_F(OrdersTest, CountOfTheClassNeedsNoObject) {
  EXPECT_EQ(call("count_open", "{}").structured, R"({"count":3})");
}

}  // namespace
