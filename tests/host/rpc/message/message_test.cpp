#include "host/rpc/message/message.hpp"

#include <gtest/gtest.h>

namespace gantry::host::rpc::message_test {
namespace {

struct Outcome {
  int code = 0;  // 0 = fine
  std::string message;
};

Outcome parse(std::string_view text) {
  Message message(text);
  const auto error = message.parse();
  return error ? Outcome{error->code, error->message} : Outcome{};
}

std::string nested(int depth) {
  // The message itself is one level, params another.
  std::string arrays = std::string(static_cast<std::size_t>(depth - 2), '[') +
                       std::string(static_cast<std::size_t>(depth - 2), ']');
  return R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"x":)" + arrays + "}}";
}

TEST(Message, TakesARequestApart) {
  Message message(
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"k":"v"}}})");
  ASSERT_FALSE(message.parse());
  EXPECT_EQ(message.kind(), Message::Kind::request);
  EXPECT_EQ(message.id(), "7");
  EXPECT_EQ(message.method(), "tools/call");
  EXPECT_EQ(text_of(message.param("name")), "t");
  EXPECT_EQ(text_of(message.meta("k")), "v");
  EXPECT_EQ(message.param("absent"), nullptr);
  EXPECT_EQ(message.arguments_text(), "");
}

TEST(Message, KeepsTheArgumentsAsTheyWereSent) {
  const std::string arguments =
      "{ \"b\" : 1.50, \"a\":\"\\u0041\" , "
      "\"arguments\":{\"arguments\":[1]},\"big\":12345678901234567890123 }";
  const std::string text =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments" :  )" + arguments +
      R"( ,"name":"t"}})";
  Message message(text);
  ASSERT_FALSE(message.parse());
  EXPECT_EQ(message.arguments_text(), arguments);
}

TEST(Message, TakesOnlyTheArgumentsOfParams) {
  Message message(
      R"({"arguments":{"no":1},"jsonrpc":"2.0","id":1,"method":"m","params":{"x":{"arguments":{"no":2}},"arguments":{"yes":3}},"y":{"arguments":{}}})");
  ASSERT_FALSE(message.parse());
  EXPECT_EQ(message.arguments_text(), R"({"yes":3})");
}

TEST(Message, EchoesIdsWithTheirType) {
  for (const std::string id : {"1", "-3", "\"1\"", "\"a\\u0062\\\"c\"", "9007199254740993",
                               "18446744073709551615", "123456789012345678901234567890", "\"\""}) {
    const std::string text = "{\"id\": " + id + " ,\"jsonrpc\":\"2.0\",\"method\":\"m\"}";
    Message message(text);
    ASSERT_FALSE(message.parse()) << id;
    EXPECT_EQ(message.id(), id);
    EXPECT_EQ(message.kind(), Message::Kind::request);
  }
}

TEST(Message, RefusesIdsThatAreNeitherStringNorInteger) {
  for (const std::string id : {"null", "1.5", "1e3", "true", "[]", "{}"}) {
    const std::string text = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"m\"}";
    Message message(text);
    const auto error = message.parse();
    ASSERT_TRUE(error) << id;
    EXPECT_EQ(error->code, kInvalidRequest) << id;
    EXPECT_EQ(message.id(), "null") << id;
  }
}

TEST(Message, RepeatsOnlySuchIdsOfTextThatIsNoJson) {
  const auto id_of = [](const std::string& id) {
    const std::string text = "{\"id\":" + id + ",#}";
    Message message(text);
    EXPECT_TRUE(message.parse()) << id;
    return std::string(message.id());
  };
  for (const std::string id : {"7", "\"a\"", "-12345678901234567890123"}) EXPECT_EQ(id_of(id), id);
  for (const std::string id : {"1.5", "1e3", "true", "null", "2e308"}) EXPECT_EQ(id_of(id), "null");
}

TEST(Message, DistinguishesEqualIdsFromOthers) {
  const auto key = [](const std::string& id) {
    const std::string text = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"m\"}";
    Message message(text);
    EXPECT_FALSE(message.parse());
    return message.id_key();
  };
  EXPECT_EQ(key("\"a\\u0062\""), key("\"ab\""));
  EXPECT_NE(key("1"), key("\"1\""));
  EXPECT_NE(key("1"), key("2"));
}

TEST(Message, KnowsNotificationsAndResponses) {
  Message note(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  ASSERT_FALSE(note.parse());
  EXPECT_EQ(note.kind(), Message::Kind::notification);
  EXPECT_EQ(note.id(), "null");
  for (const auto text :
       {R"({"jsonrpc":"2.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","id":1,"error":{}})"}) {
    Message response(text);
    ASSERT_FALSE(response.parse());
    EXPECT_EQ(response.kind(), Message::Kind::response);
  }
}

TEST(Message, RefusesAnAnswerThatIsBothGoodAndBad) {
  Message both(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}})");
  const auto error = both.parse();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, kInvalidRequest);
}

TEST(Message, AcceptsTwentyLevelsAndRefusesTwentyOne) {
  EXPECT_EQ(parse(nested(20)).code, 0);
  const Outcome deep = parse(nested(21));
  EXPECT_EQ(deep.code, kParseError);
  EXPECT_NE(deep.message.find("20"), std::string::npos);
  EXPECT_EQ(parse(std::string(100'000, '[')).code, kParseError);
}

TEST(Message, RefusesANameThatStandsTwiceAndNamesIt) {
  for (
      const auto text : {
          R"({"jsonrpc":"2.0","id":1,"id":2,"method":"m"})",
          R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{"\u0069d":1,"id":2}}})",
          R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[{"b":1},{"id":1,"id":1}]}})",
          R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"id":1,"13":1,"id":1}})",
          R"([{"jsonrpc":"2.0","id":1,"id":1,"method":"m"}])",
      }) {
    const Outcome outcome = parse(text);
    EXPECT_EQ(outcome.code, kInvalidRequest) << text;
    EXPECT_NE(outcome.message.find("'id'"), std::string::npos) << outcome.message;
  }
}

TEST(Message, RefusesInvalidJson) {
  using namespace std::string_literals;
  for (const std::string& text : {
           ""s,
           "{"s,
           "nul"s,
           "{\"jsonrpc\":\"2.0\"}x"s,
           "{\"jsonrpc\":\"2.0\",}"s,
           "{'a':1}"s,
           "// c\n{}"s,
           "\xEF\xBB\xBF{}"s,
           "{\"a\":\"\xC0\xAF\"}"s,
           "{\"a\":\"\xED\xA0\x80\"}"s,
           "{\"a\":\"\xFF\"}"s,
           "{\"\xC3\":1}"s,
           "{\"a\":\"\\ud800\"}"s,
           "{\"a\":\"\\udc00\"}"s,
           "{\"a\":\"\t\"}"s,
           "{}\0"s,
           "{\"a\":1\0}"s,
       }) {
    EXPECT_EQ(parse(text).code, kParseError) << text;
  }
}

TEST(Message, FindsInvalidTextAnywhereInAString) {
  for (const std::string bad : {"\xFF", "\xC3", "\xED\xA0\x80", "\n", "\x01", "\\x"}) {
    for (std::size_t before = 0; before < 20; ++before) {
      const std::string text = R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(before, 'm') +
                               bad + R"(mmmmmmmmmmmm"})";
      Message message(text);
      const auto error = message.parse();
      ASSERT_TRUE(error) << text;
      EXPECT_EQ(error->code, -32700) << text;
    }
  }
}

TEST(Message, KeepsTextOfAllKindsInOneString) {
  const std::string name =
      "plain and long enough \u00e4\xC3\xA4\xF0\x9F\x98\x80 \\\"then\\\" plain again";
  const std::string text = R"({"jsonrpc":"2.0","id":1,"method":")" + name + R"("})";
  Message message(text);
  ASSERT_FALSE(message.parse());
  EXPECT_EQ(message.method(),
            "plain and long enough \u00e4\xC3\xA4\xF0\x9F\x98\x80 \"then\" plain again");
}

TEST(Message, RefusesJsonThatIsNoMessage) {
  for (const auto text :
       {"1", "\"x\"", "null", "[]", "{}", R"({"jsonrpc":"1.0","id":1,"method":"m"})",
        R"({"id":1,"method":"m"})", R"({"jsonrpc":"2.0","id":1,"method":7})",
        R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})",
        R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})"}) {
    EXPECT_EQ(parse(text).code, kInvalidRequest) << text;
  }
}

TEST(Message, KeepsTheIdOfARefusedMessage) {
  Message message(R"({"jsonrpc":"1.0","id":"x","method":"m"})");
  ASSERT_TRUE(message.parse());
  EXPECT_EQ(message.id(), "\"x\"");
}

TEST(Message, SlicesABatch) {
  Message batch(R"( [ {"a":[1,{"b":2}]} , 5,{"c":3}, [{}] ] )");
  ASSERT_FALSE(batch.parse());
  ASSERT_EQ(batch.kind(), Message::Kind::batch);
  const std::vector<std::string_view> expected = {R"({"a":[1,{"b":2}]})", "", R"({"c":3})", "[{}]"};
  EXPECT_EQ(batch.elements(), expected);
}

TEST(Message, ReadsMessagesThatOutgrowItsOwnRoom) {
  std::string values;
  for (int i = 0; i < 5000; ++i) values += (i > 0 ? "," : "") + std::to_string(i);
  const std::string text =
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":{"v":[)" + values + "]}}}";
  Message message(text);
  ASSERT_FALSE(message.parse());
  EXPECT_EQ(member(message.param("arguments"), "v")->Size(), 5000u);
  EXPECT_EQ(message.arguments_text(), R"({"v":[)" + values + "]}");
}

}  // namespace
}  // namespace gantry::host::rpc::message_test
