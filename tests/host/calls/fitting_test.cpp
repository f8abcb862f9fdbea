// Arguments as models write them, converted to the types of their schema.
#include "host/calls/fitting.hpp"

#include "tests/host/calls/harness.hpp"

namespace gantry::host::fitting_test {
namespace {

constexpr const char* kSchema = R"({"type":"object","properties":{
  "name":{"type":"string"},"limit":{"type":"integer","maximum":10},"share":{"type":"number"},
  "flag":{"type":"boolean"},"where":{"type":"object"},"keys":{"type":"array","items":{"type":"string"}},
  "numbered":{"type":"object","properties":{"0":{"type":"string"}}},
  "deep":{"type":"object","properties":{"ids":{"type":"array","items":{"$ref":"#/$defs/id"}}}}},
  "$defs":{"id":{"type":"string"}},"required":["name"],"additionalProperties":false})";

class FittingTest : public CallsTest {
 protected:
  void SetUp() override { start_with({}); }
  void start_with(CallLimits limits) {
    make(limits);
    plugins_.clear();
    plugin("p")
        .tool("t",
              [](gantry_call* call) {
                api().json_begin(call);
                api().json_raw(call, api().arguments(call));
                return api().json_end(call);
              })
        .input_schema = kSchema;
    publish();
  }
  // The arguments that the tool gets, or the error.
  std::string given(std::string_view arguments) {
    const ItemAnswer answer = run("t", arguments);
    return answer.kind == ItemAnswer::Kind::result ? answer.structured : "refused";
  }
};

TEST_F(FittingTest, TextForANumberABooleanOrJson) {
  EXPECT_EQ(given(R"({"name":"n","limit":"5","share":"0.50","flag":"true"})"),
            R"({"name":"n","limit":5,"share":0.50,"flag":true})");
  EXPECT_EQ(given(R"({"name":"n","where":"{\"age\": {\"$gt\":5}}"})"),
            R"({"name":"n","where":{"age": {"$gt":5}}})");
  EXPECT_EQ(given(R"({"name":"n","keys":"[\"a\",\"b\"]"})"), R"({"name":"n","keys":["a","b"]})");
}

TEST_F(FittingTest, NumbersAndBooleansForText) {
  EXPECT_EQ(given(R"({"name":12345678901234567890123})"), R"({"name":"12345678901234567890123"})");
  EXPECT_EQ(given(R"({"name":1.50})"), R"({"name":"1.50"})");
  EXPECT_EQ(given(R"({"name":true})"), R"({"name":"true"})");
  EXPECT_EQ(given(R"({"name":"n","numbered":{"0":5}})"), "refused") << "deeper it may mean more";
}

TEST_F(FittingTest, OneValueForAnArrayOfIt) {
  EXPECT_EQ(given(R"({"name":"n","keys":"a"})"), R"({"name":"n","keys":["a"]})");
  EXPECT_EQ(given(R"({"name":"n","keys":7})"), R"({"name":"n","keys":["7"]})");
  EXPECT_EQ(given(R"({"name":"n","deep":{"ids":[1,"2",3]}})"),
            R"({"name":"n","deep":{"ids":["1","2","3"]}})");
}

TEST_F(FittingTest, ObjectsInAnArrayOfTextsForTheirText) {
  EXPECT_EQ(given(R"({"name":"n","keys":["b",{"a": 1},2]})"),
            R"({"name":"n","keys":["b","{\"a\": 1}","2"]})");
}

TEST_F(FittingTest, AnArrayForAnObjectByNumber) {
  EXPECT_EQ(given(R"({"name":"n","numbered":[1.50,"a",null,{"b": 1}]})"),
            R"({"name":"n","numbered":{"1":1.50,"2":"a","3":null,"4":{"b": 1}}})");
  EXPECT_EQ(given(R"({"name":"n","numbered":[]})"), R"({"name":"n","numbered":{}})");
  EXPECT_EQ(given(R"({"name":"n","numbered":{"1":5}})"), R"({"name":"n","numbered":{"1":5}})");
}

TEST_F(FittingTest, NullForAnAbsentArgument) {
  EXPECT_EQ(given(R"({"name":"n","limit":null,"where":null})"), R"({"name":"n"})");
  EXPECT_EQ(given(R"({"name":null})"), "refused");
}

TEST_F(FittingTest, ArgumentsThatFitStayAsTheyAre) {
  const std::string fits = R"({ "name" : "5" , "share": 1e2, "where":{"a":"1"} })";
  EXPECT_EQ(given(fits), fits);
  EXPECT_EQ(given(R"({"share":1e2,"where":{"a":12345678901234567890123},"name":5})"),
            R"({"share":1e2,"where":{"a":12345678901234567890123},"name":"5"})");
}

TEST_F(FittingTest, RefusesValuesThatAConversionWouldChange) {
  for (const char* wrong :
       {R"({"name":"n","limit":"five"})", R"({"name":"n","limit":"5.5"})",
        R"({"name":"n","limit":"50"})", R"({"name":"n","flag":"yes"})", R"({"name":"n","flag":1})",
        R"({"name":"n","where":"age > 5"})", R"({"name":"n","where":["a"]})", R"({"name":{"a":1}})",
        R"({"name":"n","other":1})", R"({"limit":"5"})", R"({"name":"n","keys":[["a"]]})"}) {
    EXPECT_EQ(given(wrong), "refused") << wrong;
  }
  const ItemAnswer answer = run("t", R"({"name":"n","limit":"five"})");
  EXPECT_EQ(answer.message, R"(limit: expected integer, got string "five")")
      << "as the client wrote it";
}

TEST_F(FittingTest, IsSwitchedOffByTheOperator) {
  CallLimits limits;
  limits.strict_arguments = true;
  start_with(limits);
  EXPECT_EQ(given(R"({"name":"n","limit":"5"})"), "refused");
  EXPECT_EQ(given(R"({"name":"n","limit":5})"), R"({"name":"n","limit":5})");
}

}  // namespace
}  // namespace gantry::host::fitting_test
