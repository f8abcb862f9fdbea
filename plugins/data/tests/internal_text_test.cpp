// What is removed of stored texts before an agent sees them: internal members, hidden pointers.
#include <gtest/gtest.h>

#include "catalog/floor.hpp"
#include "policy/internal.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"

namespace gantry::data::internal_text_test {
namespace {

// The text as it is shown.
std::string shown(const std::string& text, const ClassFilter* classes = nullptr) {
  return shown_text(text, classes).value_or(text);
}

TEST(InternalNames, AreTheFloorInAnyCase) {
  for (const char* name :
       {"_hashed_password", "_HASHED_PASSWORD", "sessiontoken", "SessionToken", "_rperm", "_wperm",
        "_auth_data", "_auth_data_", "_auth_data_facebook", "_Auth_Data_x", "password",
        "PASSWORD_DIGEST", "encrypted_password", "_perishable_token", "_tombstone"}) {
    EXPECT_TRUE(is_internal_field(name)) << name;
  }
  for (const char* name : {"", "passwords", "pass", "my_password", "session_token", "_authdata",
                           "_auth_dat", "rperm", "token", " password"}) {
    EXPECT_FALSE(is_internal_field(name)) << name;
  }
  EXPECT_TRUE(names_internal("a.password.b"));
  EXPECT_TRUE(names_internal("_rperm"));
  EXPECT_FALSE(names_internal("a.b"));
  EXPECT_FALSE(names_internal("apassword.b"));
}

TEST(InternalNames, OnlyThoseOfPasswordsMayBeAllowedByAModel) {
  for (const char* name : {"password", "Password_Hash", "hashed_password"}) {
    EXPECT_TRUE(may_be_allowed(name)) << name;
  }
  for (const char* name : {"_hashed_password", "sessionToken", "_rperm", "_auth_data_x", "name"}) {
    EXPECT_FALSE(may_be_allowed(name)) << name;
  }
}

TEST(HiddenClasses, AreTheStoresAndMigrationsAndParses) {
  for (const char* name : {"sqlite_master", "SQLITE_stat1", "_gantry_x", "_Session",
                           "schema_migrations", "Django_Migrations", "_jobstatus"}) {
    EXPECT_TRUE(is_hidden_class(name)) << name;
  }
  for (const char* name : {"_User", "_Role", "Session", "sqlite", "gantry", "migrations", ""}) {
    EXPECT_FALSE(is_hidden_class(name)) << name;
  }
  EXPECT_TRUE(is_store_class("sqlite_x"));
  EXPECT_FALSE(is_store_class("_Session")) << "a model may open it";
}

TEST(ShownTexts, LoseInternalMembersWhereverTheyStand) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"password":"x"})", "{}"},
      {R"({"a":1,"password":"x"})", R"({"a":1})"},
      {R"({"password":"x","a":1})", R"({"a":1})"},
      {R"({"a":1,"password":{"b":[1,{"c":"}"}]},"d":2})", R"({"a":1,"d":2})"},
      {R"({"_rperm":["*"],"_wperm":[]})", "{}"},
      {R"({"a":[{"password":1},{"b":2,"sessionToken":"t"}]})", R"({"a":[{},{"b":2}]})"},
      {R"({"a":1 , "password" : "x,}" })", R"({"a":1 })"},
      {R"({"p\u0061ssword":"x","a":1})", R"({"a":1})"},
      {R"({"PASSWORD":null})", "{}"}};
  for (const auto& [text, rest] : cases) {
    EXPECT_EQ(json_shape(shown(text)), JsonShape::object) << shown(text);
    EXPECT_EQ(shown(text), rest) << text;
  }
}

TEST(ShownTexts, KeepInternalNamesThatAreValues) {
  for (const char* text :
       {R"({"a":"password"})", R"(["password","_rperm"])", R"({"a":"\"password\":1"})",
        "password: hunter2", "plain text", "", "{}", R"("password")"}) {
    EXPECT_EQ(shown(text), text);
  }
}

TEST(ShownTexts, LoseTheIdsOfHiddenPointers) {
  const ClassFilter filter(std::nullopt, {"Secret"});
  const std::string pointer = R"({"__type":"Pointer","className":"Secret","objectId":"s1"})";
  const std::string redacted = R"({"className":"Secret","__redacted":true})";
  EXPECT_EQ(shown(pointer, &filter), redacted);
  EXPECT_EQ(shown(R"({"a":[1,)" + pointer + R"(],"b":2})", &filter),
            R"({"a":[1,)" + redacted + R"(],"b":2})");
  EXPECT_EQ(shown(pointer), pointer) << "of an agent that sees the class";
  EXPECT_EQ(shown(R"({"objectId":"s1","className":"Secret","__type":"Pointer"})", &filter),
            redacted);
  EXPECT_EQ(shown(R"({"__type":"Pointer","className":"S\u0065cret","objectId":"s1"})", &filter)
                .find("s1"),
            std::string::npos);
  EXPECT_EQ(shown(R"([{"__type":"Pointer","className":"_Session","objectId":"s1"}])"),
            R"([{"className":"_Session","__redacted":true}])");
}

TEST(ShownTexts, ThatAreCutOffLoseTheSame) {
  const ClassFilter filter(std::nullopt, {"Secret"});
  for (const char* text :
       {R"({"a":1,"password":"hunter2)", R"({"a":1,"password":{"b":"hunter2)",
        R"([{"a":1},{"password":"hunter2"},)", R"({"password":"hunter2","a":1e999})",
        "{\"password\":\"hunter2\",\"a\":\"\xff\"}", R"({"password":"hunter2","a":NaN})",
        R"({"a":1,}{"password":"hunter2"})"}) {
    EXPECT_EQ(shown(text).find("hunter2"), std::string::npos) << text << " became " << shown(text);
  }
  for (const char* text :
       {R"({"__type":"Pointer","className":"Secret","objectId":"hunter2)",
        R"([{"__type":"Pointer","className":"Secret","objectId":"hunter2"},1e999])",
        R"({"a":{"className":"Secret","__type":"Pointer","objectId":"hunter2")"}) {
    EXPECT_EQ(shown(text, &filter).find("hunter2"), std::string::npos)
        << text << " became " << shown(text, &filter);
  }
}

TEST(ShownTexts, ThatNestTooDeepAreEmptyIfTheyMayHoldAPointer) {
  const std::string deep = std::string(200, '[') + R"("Pointer")" + std::string(200, ']');
  EXPECT_EQ(shown(deep), "");
  const std::string harmless = std::string(200, '[') + std::string(200, ']');
  EXPECT_EQ(shown(harmless), harmless);
}

TEST(ShownTexts, OfBytesInAJsonColumnAreWithheldIfTheyMayNameSomething) {
  EXPECT_TRUE(may_hold_hidden("\xff password \xff", nullptr));
  EXPECT_TRUE(may_hold_hidden("\\u0070", nullptr));
  EXPECT_FALSE(may_hold_hidden("\xff\xfe", nullptr));
  EXPECT_FALSE(may_hold_hidden(R"({"a":1})", nullptr));
}

TEST(ShownTexts, ARedactedPointerIsTheSameAsAValue) {
  Value value = *read_extended(
      R"({"p":{"__type":"Pointer","className":"_Session","objectId":"s"},"password":1,"a":2})");
  drop_internal(value, nullptr);
  std::string json;
  append_value_json(value, JsonDialect::extended, json);
  EXPECT_EQ(json, R"({"p":{"className":"_Session","__redacted":true},"a":2})");
  EXPECT_EQ(shown(json), json) << "once more removes nothing";
}

}  // namespace
}  // namespace gantry::data::internal_text_test
