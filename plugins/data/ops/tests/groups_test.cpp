// group_by, group_by_date and distinct over values at their edges, and what they refuse.
#include <gmock/gmock.h>

#include <algorithm>

#include "ops/tests/small_database.hpp"

namespace gantry::data::groups_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Groups : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE team(a TEXT, b INTEGER, name TEXT, PRIMARY KEY(a, b));
      CREATE TABLE "odd `name`"(id INTEGER PRIMARY KEY, "the ""key""" TEXT, n INTEGER, r REAL,
        ok BOOLEAN, at DATETIME, day DATE, tags JSON, raw BLOB, note TEXT);
      CREATE VIEW late AS SELECT n, at FROM "odd `name`" WHERE at > '2020-01-01';
      INSERT INTO "odd `name`" VALUES
        (1,'x',9007199254740992,0.5,1,'1969-12-31T23:59:59.000Z','1969-12-31','["a","b",null]',x'ff','A'),
        (2,'x',9007199254740993,NULL,0,'2024-12-30T10:20:30.000Z','2024-12-30','[]',x'ff','a'),
        (3,'X',NULL,1.5,NULL,'2024-12-31T23:30:00.000Z','2024-12-31',NULL,x'',''),
        (4,NULL,5,2.5,1,NULL,NULL,'{"a":1}',NULL,NULL),
        (5,'x',5,-2.5,0,'2024-01-01T00:00:00.000Z','2024-01-01','["a"]',NULL,'');)sql");
    configure({}, JsonDialect::plain);
  }
  // With ' for ", for legibility.
  std::string asked(const std::string& op, std::string args) {
    std::replace(args.begin(), args.end(), '\'', '"');
    args = R"({"class_name":"odd `name`",)" + args + "}";
    std::string answer = ask(op, args);
    std::replace(answer.begin(), answer.end(), '"', '\'');
    return answer;
  }
  // The rows alone.
  std::string rows(const std::string& op, const std::string& args) {
    const std::string answer = asked(op, args);
    return answer.substr(0, answer.find("]{'") + 1);
  }
};

TEST_F(Groups, TellTextsByCaseAndNullApart) {
  EXPECT_EQ(rows("group_by", R"('field':'the \'key\'','sort':'key_asc')"),
            "[{'key':null,'value':1},{'key':'X','value':1},{'key':'x','value':3}]");
  EXPECT_EQ(rows("group_by", "'field':'note','sort':'key_asc'"),
            "[{'key':null,'value':1},{'key':'','value':2},{'key':'A','value':1},"
            "{'key':'a','value':1}]");
}

TEST_F(Groups, KeepEveryDigitOfAKey) {
  EXPECT_EQ(rows("group_by", "'field':'n','sort':'key_asc'"),
            "[{'key':null,'value':1},{'key':5,'value':2},{'key':9007199254740992,'value':1},"
            "{'key':9007199254740993,'value':1}]");
  EXPECT_EQ(rows("distinct", "'field':'n'"), "[5,9007199254740992,9007199254740993]");
}

TEST_F(Groups, ComputeOverNumbersAndLeaveNullOut) {
  const auto total = [&](const char* operation) {
    return rows("group_by", "'field':'ok','sort':'key_asc','value_field':'r','operation':'" +
                                std::string(operation) + "'");
  };
  EXPECT_EQ(total("sum"),
            "[{'key':null,'value':1.5},{'key':false,'value':-2.5},"
            "{'key':true,'value':3.0}]");
  EXPECT_EQ(total("avg"),
            "[{'key':null,'value':1.5},{'key':false,'value':-2.5},"
            "{'key':true,'value':1.5}]");
  EXPECT_EQ(total("average"), total("avg"));
  EXPECT_EQ(total("min"),
            "[{'key':null,'value':1.5},{'key':false,'value':-2.5},"
            "{'key':true,'value':0.5}]");
  EXPECT_EQ(total("max"),
            "[{'key':null,'value':1.5},{'key':false,'value':-2.5},"
            "{'key':true,'value':2.5}]");
}

TEST_F(Groups, SumsBeyondDoublesStayExact) {
  EXPECT_EQ(rows("group_by", R"('field':'the \'key\'','where':{'the \'key\'':'x'},)"
                             "'operation':'sum','value_field':'n'"),
            "[{'key':'x','value':18014398509481990}]");
}

TEST_F(Groups, OfAnArrayAreItsElementsOnRequestOnly) {
  EXPECT_EQ(rows("group_by", "'field':'tags','flatten_arrays':true,'sort':'key_asc'"),
            "[{'key':null,'value':1},{'key':'a','value':2},{'key':'b','value':1},"
            "{'key':{'a':1},'value':1}]");
  EXPECT_THAT(rows("group_by", "'field':'tags','sort':'key_asc'"),
              AllOf(HasSubstr("{'key':['a'],'value':1}"), HasSubstr("{'key':[],'value':1}")));
  EXPECT_EQ(rows("distinct", "'field':'tags'"), "[null,'a','b',{'a':1}]");
}

TEST_F(Groups, OfBytesAreBytes) {
  EXPECT_EQ(rows("group_by", "'field':'raw','sort':'key_asc'"),
            "[{'key':null,'value':2},{'key':{'$base64':''},'value':1},"
            "{'key':{'$base64':'/w=='},'value':2}]");
}

TEST_F(Groups, SortByValueThenByKey) {
  EXPECT_EQ(rows("group_by", "'field':'n','sort':'value_asc'"),
            "[{'key':null,'value':1},{'key':9007199254740992,'value':1},"
            "{'key':9007199254740993,'value':1},{'key':5,'value':2}]");
  EXPECT_EQ(rows("group_by", "'field':'n','sort':'key_desc','limit':1"),
            "[{'key':9007199254740993,'value':1}]");
  EXPECT_THAT(asked("group_by", "'field':'n','limit':4"), Not(HasSubstr("'truncated'")));
  EXPECT_THAT(asked("group_by", "'field':'n','limit':3"), HasSubstr("'truncated':true"));
}

TEST_F(Groups, OfDatesHaveIsoKeys) {
  const auto keys = [&](const char* interval) {
    return rows("group_by_date", "'field':'at','interval':'" + std::string(interval) + "'");
  };
  EXPECT_EQ(keys("year"),
            "[{'key':null,'value':1},{'key':'1969','value':1},"
            "{'key':'2024','value':3}]");
  EXPECT_EQ(keys("quarter"),
            "[{'key':null,'value':1},{'key':'1969-Q4','value':1},"
            "{'key':'2024-Q1','value':1},{'key':'2024-Q4','value':2}]");
  EXPECT_EQ(keys("week"),
            "[{'key':null,'value':1},{'key':'1970-W01','value':1},"
            "{'key':'2024-W01','value':1},{'key':'2025-W01','value':2}]");
  EXPECT_EQ(keys("day"),
            "[{'key':null,'value':1},{'key':'1969-12-31','value':1},"
            "{'key':'2024-01-01','value':1},{'key':'2024-12-30','value':1},"
            "{'key':'2024-12-31','value':1}]");
  EXPECT_THAT(keys("hour"), HasSubstr("{'key':'2024-12-30 10:00','value':1}"));
  EXPECT_THAT(keys("minute"), HasSubstr("{'key':'2024-12-30 10:20','value':1}"));
  EXPECT_THAT(keys("second"), HasSubstr("{'key':'1969-12-31 23:59:59','value':1}"));
}

TEST_F(Groups, OfDatesFollowTheZone) {
  EXPECT_EQ(rows("group_by_date", "'field':'at','interval':'year','timezone':'Asia/Tokyo'"),
            "[{'key':null,'value':1},{'key':'1970','value':1},{'key':'2024','value':2},"
            "{'key':'2025','value':1}]");
  EXPECT_EQ(rows("group_by_date", "'field':'at','interval':'quarter','timezone':'-00:01'"),
            "[{'key':null,'value':1},{'key':'1969-Q4','value':1},{'key':'2023-Q4','value':1},"
            "{'key':'2024-Q4','value':2}]");
  EXPECT_THAT(asked("group_by_date", "'field':'at','interval':'day','timezone':'Mars'"),
              AllOf(StartsWith("ERROR invalid_query"), HasSubstr("Europe/Berlin")));
}

TEST_F(Groups, ADateWithoutATimeIsADayInUtc) {
  EXPECT_EQ(rows("group_by_date", "'field':'day','interval':'month'"),
            "[{'key':null,'value':1},{'key':'1969-12','value':1},{'key':'2024-01','value':1},"
            "{'key':'2024-12','value':2}]");
}

TEST_F(Groups, OfAViewAreThoseOfItsRows) {
  const std::string answer =
      ask("group_by", R"({"class_name":"late","field":"n","sort":"key_asc"})");
  EXPECT_THAT(answer, StartsWith(R"([{"key":null,"value":1},{"key":5,"value":1},)"
                                 R"({"key":9007199254740993,"value":1}])"));
}

TEST_F(Groups, SayWhatTheirArgumentsMayBe) {
  EXPECT_THAT(asked("group_by", "'fields':[]"), HasSubstr("'field' is missing"));
  EXPECT_THAT(asked("group_by", "'field':'n','fields':['r']"), HasSubstr("not both"));
  EXPECT_THAT(asked("group_by", "'fields':['n','r','ok','at']"), HasSubstr("at most 3"));
  EXPECT_THAT(asked("group_by", "'field':'$n'"), HasSubstr("without '$'"));
  EXPECT_THAT(asked("group_by", "'field':'n','operation':'median'"),
              HasSubstr("count, sum, avg, average, min, max"));
  EXPECT_THAT(asked("group_by", "'field':'n','operation':'sum'"),
              HasSubstr("'value_field' is missing"));
  EXPECT_THAT(asked("group_by", "'field':'n','sort':'asc'"), HasSubstr("value_desc"));
  EXPECT_THAT(asked("group_by", "'field':'n','limit':0"), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(asked("group_by", "'field':'n','limit':1001"), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(asked("group_by", "'field':'n','flatten_arrays':'yes'"), HasSubstr("true or false"));
  EXPECT_THAT(asked("group_by_date", "'field':'at'"), HasSubstr("'interval' is missing"));
  EXPECT_THAT(asked("group_by_date", "'field':'at','interval':'decade'"),
              HasSubstr("year, quarter, month, week"));
  EXPECT_THAT(asked("group_by_date", "'field':'n','interval':'day'"),
              HasSubstr("holds no dates. Date fields: at, day"));
  EXPECT_THAT(asked("distinct", "'field':'n','sort':'value_desc'"), HasSubstr("asc, desc"));
  EXPECT_THAT(asked("distinct", "'field':'n','limit':5001"), HasSubstr("from 1 to 5000"));
  EXPECT_THAT(asked("distinct", "'field':''"), HasSubstr("'field' must not be empty"));
}

TEST_F(Groups, ADryRunIsAPipelineThatGivesTheSameGroups) {
  for (const auto& [op, args] : {std::pair{"group_by", "'field':'n','sort':'key_asc'"},
                                 std::pair{"group_by_date", "'field':'at','interval':'quarter'"},
                                 std::pair{"distinct", "'field':'tags','sort':'desc'"}}) {
    const std::string answer = asked(op, std::string(args) + ",'dry_run':true");
    const auto begin = answer.find("'pipeline':") + 11;
    const auto end = answer.find(",'hint'");
    ASSERT_NE(end, answer.npos) << answer;
    const std::string pipeline = answer.substr(begin, end - begin);
    const std::string documents = rows("aggregate", "'pipeline':" + pipeline);
    const std::string groups = rows(op, args);
    EXPECT_EQ(std::count(documents.begin(), documents.end(), '{'),
              std::string(op) == "distinct" ? 5 : std::count(groups.begin(), groups.end(), '{'))
        << documents << groups;
  }
}

}  // namespace
}  // namespace gantry::data::groups_test
