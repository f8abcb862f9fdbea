// The parts of `gantry call` and `gantry tools` that need no server: arguments, event streams,
// answers.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tools/gantry/mcp/answer.hpp"
#include "tools/gantry/mcp/arguments.hpp"
#include "tools/gantry/mcp/events.hpp"
#include "tools/gantry/mcp/tool.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/nearest.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

constexpr const char* kSchema = R"({"type":"object","additionalProperties":false,"properties":{
  "class_name":{"type":"string"}, "limit":{"type":"integer"}, "ratio":{"type":"number"},
  "deep":{"type":"boolean"}, "where":{"type":"object"}, "keys":{"type":"array","items":{"type":"string"}},
  "numbers":{"type":"array","items":{"type":"integer"}}, "id":{"type":["string","integer"]},
  "format":{"enum":["json","1"]}, "any":{}, "filter":{"type":["object","string"]},
  "numbered":{"type":"object","properties":{"0":{"type":"string"}}},
  "order":{"type":["string","array"],"items":{"type":"string"}}}})";

Result<std::string> arguments(const std::vector<std::string>& words) {
  return arguments_of(words, parsed(kSchema));
}

TEST(Arguments, TakeTheTypesOfTheSchema) {
  EXPECT_EQ(*arguments({}), "{}");
  EXPECT_EQ(*arguments({"class_name=5", "limit=5", "ratio=0.5", "deep=true", "id=7"}),
            R"({"class_name":"5","limit":5,"ratio":0.5,"deep":true,"id":"7"})");
  EXPECT_EQ(*arguments({R"(where={"a":{"$gt":1}})", "class_name=a=b", "format=1"}),
            R"({"where":{"a":{"$gt":1}},"class_name":"a=b","format":"1"})");
  EXPECT_EQ(*arguments({"numbered=[1,\"a\"]"}), R"({"numbered":[1,"a"]})") << "by number";
  EXPECT_FALSE(arguments({"where=[1]"}));
  EXPECT_EQ(*arguments({"any=[1]"}), R"({"any":[1]})");
  EXPECT_EQ(*arguments({"any=plain text"}), R"({"any":"plain text"})");
  EXPECT_EQ(*arguments({R"(filter={"a":1})"}), R"({"filter":{"a":1}})");
  EXPECT_EQ(*arguments({"filter=word", "class_name="}), R"({"filter":"word","class_name":""})");
  EXPECT_EQ(*arguments({"limit=1152921504606846976"}), R"({"limit":1152921504606846976})");
}

TEST(Arguments, KeysGivenAgainMakeArrays) {
  EXPECT_EQ(*arguments({"keys=a"}), R"({"keys":["a"]})");
  EXPECT_EQ(*arguments({"keys=a", "limit=1", "keys=7"}), R"({"keys":["a","7"],"limit":1})");
  EXPECT_EQ(*arguments({R"(keys=["a","b"])", "keys=c"}), R"({"keys":["a","b","c"]})");
  EXPECT_EQ(*arguments({"numbers=1", "numbers=2"}), R"({"numbers":[1,2]})");
  EXPECT_EQ(*arguments({"order=-a"}), R"({"order":"-a"})");
  EXPECT_NE(arguments({"limit=1", "limit=2"}).message().find("limit is given twice"),
            std::string::npos);
  EXPECT_NE(
      arguments({"numbers=1", "numbers=x"}).message().find("an item of numbers needs an integer"),
      std::string::npos);
}

TEST(Arguments, TakeJsonThatWordsOverride) {
  EXPECT_EQ(*arguments({"limit=2", R"({"limit":1,"class_name":"a"})"}),
            R"({"class_name":"a","limit":2})");
  EXPECT_NE(arguments({"{\"limit\":}"}).message().find("not valid at character 10"),
            std::string::npos)
      << arguments({"{\"limit\":}"}).message();
  EXPECT_EQ(arguments({"[1]"}).message(), "the arguments are a JSON object or KEY=VALUE, got [1]");
}

TEST(Arguments, RefuseWithTheWord) {
  EXPECT_EQ(arguments({"limit=many"}).message(), "limit needs an integer, got many");
  EXPECT_EQ(arguments({"limit=1.5"}).message(), "limit needs an integer, got 1.5");
  EXPECT_EQ(arguments({"deep=yes"}).message(), "deep needs true or false, got yes");
  EXPECT_EQ(arguments({"where=[1]"}).message(), "where needs a JSON object, got [1]");
  EXPECT_EQ(arguments({"clas_name=a"}).message(),
            "there is no argument 'clas_name'; did you mean 'class_name'?");
  EXPECT_NE(arguments({"zzzzzz=a"}).message().find("the tool takes class_name, limit"),
            std::string::npos);
  for (const char* word : {"orders", "=a", ""}) {
    EXPECT_NE(arguments({word}).message().find("neither a JSON object nor KEY=VALUE"),
              std::string::npos)
        << word;
  }
  EXPECT_EQ(arguments_of({"a=1"}, parsed(R"({"additionalProperties":false})")).message(),
            "there is no argument 'a'; the tool takes none");
  EXPECT_EQ(*arguments_of({"a=1"}, parsed("{}")), R"({"a":1})");
}

TEST(EventsOfACall, AreReadWhileTheyArrive) {
  std::vector<std::string> seen;
  Events events([&seen](const rapidjson::Value& message) { seen.push_back(compact(message)); });
  const std::string stream =
      ": ping\n\nid: 1\ndata: {\"method\":\"a\"}\n\ndata: {\"method\":\r\ndata: \"b\"}\r\n\r\n"
      "data: garbage\n\ndata: {\"id\":1,\"result\":{}}\n\n";
  for (std::size_t end = 0; end <= stream.size(); ++end) events.read(stream.substr(0, end));
  EXPECT_EQ(seen, (std::vector<std::string>{R"({"method":"a"})", R"({"method":"b"})"}));
  EXPECT_EQ(events.answer(), R"({"id":1,"result":{}})");
}

std::string answer(const char* result, Form form, std::size_t width = 0) {
  return answer_text(parsed(result), form, width);
}

TEST(Answers, AreJsonOrText) {
  const char* const structured =
      R"({"content":[{"type":"text","text":"x"}],"structuredContent":{"n":1}})";
  EXPECT_EQ(answer(structured, Form::compact), "{\"n\":1}\n");
  EXPECT_EQ(answer(structured, Form::pretty), "{\n    \"n\": 1\n}\n");
  const char* const text =
      R"({"content":[{"type":"text","text":"hello"},{"type":"image","data":"AA=="}]})";
  EXPECT_EQ(answer(text, Form::pretty), "hello\n{\"type\":\"image\",\"data\":\"AA==\"}\n");
  EXPECT_EQ(answer(text, Form::compact), std::string(text) + "\n");
}

TEST(Answers, HaveRowsAsTables) {
  EXPECT_EQ(
      answer(
          R"({"structuredContent":{"rest":1,"results":[{"a":1,"b":"x\ny"},{"b":null,"c":[1]}]}})",
          Form::table),
      "a  b     c\n1  x y\n   NULL  [1]\n");
  EXPECT_EQ(answer(R"({"structuredContent":{"columns":["a","b"],"rows":[[1,"x"],[2,null]]}})",
                   Form::table),
            "a  b\n1  x\n2  NULL\n");
  EXPECT_EQ(answer(R"({"structuredContent":{"a":[{"x":1}],"b":[{"y":2}]}})", Form::table),
            "a\nx\n1\n\nb\ny\n2\n");
  EXPECT_EQ(answer(R"({"structuredContent":{"count":249}})", Form::table), "count  249\n");
  EXPECT_EQ(answer(R"({"structuredContent":[{"long":"0123456789","b":1}]})", Form::table, 10),
            "long     b\n012345…  1\n");
}

TEST(Answers, WithoutRowsSayThat) {
  for (const char* empty : {R"({"class_name":"a","result_count":0,"results":[]})", "[]",
                            R"({"columns":["a"],"rows":[]})", R"({"groups":[]})"}) {
    const std::string result = std::string(R"({"structuredContent":)") + empty + "}";
    EXPECT_EQ(answer(result.c_str(), Form::table), "no rows\n") << empty;
  }
  EXPECT_EQ(answer(R"({"structuredContent":{"objects":{},"missing":[]}})", Form::table),
            "objects  {}\nmissing  []\n");
}

TEST(Answers, AreRecordsWhereATableIsTooWide) {
  const char* const wide =
      R"({"structuredContent":[{"aaaa":"123456","bbbb":2,"cccc":3},{"aaaa":4,"bbbb":5}]})";
  EXPECT_EQ(answer(wide, Form::table, 16), "aaaa  bbbb  cccc\n123…  2     3\n4     5\n");
  EXPECT_EQ(answer(wide, Form::table, 11),
            "row 1\naaaa  1234…\nbbbb  2\ncccc  3\nrow 2\naaaa  4\nbbbb  5\ncccc\n");
}

TEST(Answers, NameTheNextPageAsACommand) {
  const auto paged =
      parsed(R"({"structuredContent":{"next_call":{"tool":"t","arguments":{"a":"it's"}}}})");
  EXPECT_EQ(next_page(paged, {}), R"(gantry call t '{"a":"it'\''s"}')");
  EXPECT_EQ(next_page(paged, {"--table", "--db", "my own.db"}),
            R"(gantry call t '{"a":"it'\''s"}' --table --db 'my own.db')");
  EXPECT_EQ(next_page(parsed(R"({"structuredContent":{}})"), {"--table"}), "");
}

TEST(Answers, AreRefusalsByProtocolOrTool) {
  Refusal refusal;
  EXPECT_TRUE(is_refused(parsed(R"({"error":{"code":-32602,"message":"no"}})"), refusal));
  EXPECT_EQ(refusal.code + refusal.message, "-32602no");
  EXPECT_TRUE(is_refused(
      parsed(R"({"result":{"isError":true,"content":[{"type":"text","text":"bad"}]}})"), refusal));
  EXPECT_EQ(refusal.code + refusal.message, "nullbad");
  EXPECT_TRUE(is_refused(
      parsed(R"({"result":{"isError":true,"structuredContent":{"error_code":"x","error":"why"}}})"),
      refusal));
  EXPECT_EQ(refusal.code + refusal.message, "\"x\"why");
  EXPECT_TRUE(is_refused(parsed(R"({"result":{"isError":true,"content":[{"type":"image"},
      {"type":"text","text":"{\"error\":\"why\",\"error_code\":\"y\",\"details\":{}}"}]}})"),
                         refusal));
  EXPECT_EQ(refusal.code + refusal.message, "\"y\"why") << "the same as text";
  EXPECT_TRUE(is_refused(parsed(R"({"result":{"resultType":"input_required"}})"), refusal));
  EXPECT_TRUE(is_refused(parsed("{}"), refusal));
  EXPECT_FALSE(is_refused(parsed(R"({"result":{"content":[]}})"), refusal));
}

TEST(Tools, AreATableAndAPage) {
  const auto listed =
      parsed(R"({"tools":[{"name":"count","title":"Count","description":"Counts rows. Fast.",
    "_meta":{"category":"query"},"inputSchema":{"type":"object","required":["of"],"properties":{
      "of":{"type":"string","description":"A class"},"limit":{"type":"integer","default":5},
      "as":{"enum":["json","csv"]},"keys":{"type":"array","items":{"type":"string"}}}}},{"name":"plain"}]})");
  EXPECT_EQ(tool_table(listed, 0),
            "NAME   CATEGORY  DESCRIPTION\ncount  query     Counts rows.\nplain\n");
  EXPECT_EQ(tool_page(*find_tool(listed, "count"), 0),
            "count: Count\n\ncount(of:str, [limit:int], [as:str], [keys:list])\n\n"
            "Counts rows. Fast.\n\n"
            "ARGUMENT  TYPE              DEFAULT   DESCRIPTION\n"
            "of        string            required  A class\n"
            "limit     integer           5\n"
            "as        one of json, csv\n"
            "keys      array of string\n\n"
            "Example:  gantry call count of=OF\n");
  EXPECT_NE(tool_page(*find_tool(listed, "plain"), 0).find("It takes no arguments."),
            std::string::npos);
  EXPECT_EQ(find_tool(listed, "none"), nullptr);
  EXPECT_EQ(no_such_tool(listed, "coutn"), "there is no tool 'coutn'; did you mean 'count'?");
  EXPECT_EQ(no_such_tool(listed, "zzzz"), "there is no tool 'zzzz'; gantry tools lists them");
}

TEST(Nearest, IsAQuestion) {
  EXPECT_EQ(did_you_mean("plugn", {"call", "plugin"}), "; did you mean 'plugin'?");
  EXPECT_EQ(did_you_mean("xyz", {"call", "plugin"}), "");
}

TEST(Table, FitsATerminal) {
  const std::vector<std::vector<std::string>> rows{{"a", "größtes Wort"}, {"123456", "x"}};
  EXPECT_EQ(table(fitted(rows, 14)), "a       größt…\n123456  x\n");
  EXPECT_EQ(fitted(rows, 0), rows);
  EXPECT_EQ(fitted(rows, 80), rows);
  EXPECT_EQ(table(fitted(rows, 1)), "a     grö…\n123…  x\n");
  EXPECT_TRUE(fitted({}, 5).empty());
}

TEST(Tools, HaveSignatures) {
  const auto listed =
      parsed(R"({"tools":[{"name":"a","inputSchema":{"type":"object","required":["x"],
    "properties":{"l":{"type":"integer"},"x":{"type":"string"},"e":{"enum":["p"]},"u":{},
    "m":{"type":["string","array"]}}}},{"name":"b"}]})");
  EXPECT_EQ(signatures(listed), "a(x:str, [l:int], [e:str], [u:any], [m:str|list])\nb()\n");
  EXPECT_EQ(params_of_call("a\"", "{}"), R"({"name":"a\"","arguments":{}})");
}

}  // namespace
}  // namespace gantry::cli
