// Access lists as they may be stored: those that are looked at without parsing mean the same.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ops/tests/ruled_database.hpp"

namespace gantry::data {
namespace {

class AclTextTest : public RuledDatabase {
 protected:
  // Whether u1 sees a row with this list.
  bool is_seen(const std::string& acl) {
    std::string quoted;
    for (const char c : acl) quoted += c == '\'' ? "''" : std::string(1, c);
    run_sql(("DELETE FROM notes; INSERT INTO notes VALUES (1, '" + quoted + "')").c_str());
    const std::string count = ask("count", R"({"class_name":"notes"})");
    EXPECT_EQ(count.find("ERROR"), count.npos) << count;
    return count.find(R"("count":1)") != count.npos;
  }
};

TEST_F(AclTextTest, EveryFormOfAListMeansTheSame) {
  make_ruled("CREATE TABLE notes(id INTEGER PRIMARY KEY, acl TEXT)",
             {R"({"class":"notes","acl":{"read":"acl","write":"acl"}})"});
  act_as(R"("user":"u1","roles":["seller"])");
  for (const char* seen :
       {R"(["u1"])", R"( [ "x" , "u1" ] )", R"(["role:seller"])", "[\n\"u1\"\t]", R"(["\u00751"])",
        R"(["é","u1"])", R"(["u1","u1"])", R"(["*"])", R"(["",  "u1"])"}) {
    EXPECT_TRUE(is_seen(seen)) << seen;
  }
  for (const char* hidden : {"[]",          "[ ]",         "",           " ",
                             "[",           "]",           R"(["u1")",   R"(["u1"]])",
                             R"(["u1"] x)", R"(["u1",])",  R"([,"u1"])", R"(["u1" "u1"])",
                             R"(["u1",5])", R"([["u1"]])", R"("u1")",    "u1",
                             "null",        R"({"u1":1})", R"(["u1)",    R"(["U1"])",
                             R"(["u1 "])",  R"(["u1\""])", R"(["u11"])", "[u1]"}) {
    EXPECT_FALSE(is_seen(hidden)) << hidden;
  }
}

}  // namespace
}  // namespace gantry::data
