// Exports over a small database, as the export family calls them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <gantry/json.hpp>

#include "ops/error_details.hpp"
#include "small_database.hpp"

namespace gantry::data::export_test {
namespace {

class Export : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT NOT NULL, twin TEXT REFERENCES city(code));
      CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INTEGER, active BOOLEAN,
                          home TEXT REFERENCES city(code), extra JSON, born_at DATETIME,
                          password TEXT);
      CREATE TABLE number(n INTEGER PRIMARY KEY, text TEXT);
      INSERT INTO city VALUES('ber','Berlin','par'),('par','Paris, "la belle"','ber');
      INSERT INTO person VALUES
        (1,'Ada',36,1,'ber','{"a":{"b":[{"c":1},{"c":2}]}}','2026-01-31T23:30:00.000Z','x'),
        (2,'Bob',17,0,'par','["b"]','2026-02-01T10:00:00.000Z','x'),
        (3,NULL,NULL,1,NULL,NULL,NULL,'x');
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n<12000)
        INSERT INTO number SELECT n, 'number ' || n FROM c;)sql");
  }

  Outcome<Reply> run(std::string args, std::size_t cap = 4u << 20) {
    std::replace(args.begin(), args.end(), '\'', '"');
    return service_->run(R"({"op":"export","args":)" + args + "}",
                         {Budget::for_ms(20000), cap, nullptr});
  }
  // The answer with ' for ", or the error.
  std::string meta(const std::string& args) {
    const auto reply = run(args);
    std::string text =
        reply ? reply->meta : "ERROR " + reply.error().code + ": " + reply.error().message;
    std::replace(text.begin(), text.end(), '"', '\'');
    return text;
  }
  // The text alone.
  std::string output(const std::string& args) {
    const auto reply = run(args);
    if (!reply) return "ERROR " + reply.error().code + ": " + reply.error().message;
    return Json::parse(reply->meta)->find("output")->as_string().value_or("?");
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Export, IsCsvOfAllFieldsOfTheFirstRow) {
  EXPECT_EQ(output("{'class_name':'city','order':'code'}"),
            "objectId,code,name,twin\r\n"
            "ber,ber,Berlin,par\r\n"
            "par,par,\"Paris, \"\"la belle\"\"\",ber\r\n");
}

TEST_F(Export, AnswersWithFormatHeadersAndCount) {
  EXPECT_EQ(meta("{'class_name':'city','keys':['name'],'limit':1,'order':'name'}"),
            "{'format':'csv','headers':['objectId','name'],'row_count':1,"
            "'output':'objectId,name\\r\\nber,Berlin\\r\\n'}");
}

TEST_F(Export, FollowsPathsThroughPointersAndStoredJson) {
  EXPECT_EQ(output("{'class_name':'person','order':'id','columns':['name',{'home.name':'City'},"
                   "'home.twin.name','extra.a.b.c',{'born_at':'Born'}]}"),
            "name,City,home.twin.name,extra.a.b.c,Born\r\n"
            "Ada,Berlin,\"Paris, \"\"la belle\"\"\",\"[1,2]\",2026-01-31T23:30:00.000Z\r\n"
            "Bob,\"Paris, \"\"la belle\"\"\",Berlin,[],2026-02-01T10:00:00.000Z\r\n"
            ",,,,\r\n");
}

TEST_F(Export, ShowsPointersAsThemselvesBesideTheirFields) {
  const std::string both = "'class_name':'person','order':'id','limit':1,'columns':";
  EXPECT_EQ(output("{" + both + "['home.name','home','home.twin','home.twin.name']}"),
            "home.name,home,home.twin,home.twin.name\r\n"
            "Berlin,ber,par,\"Paris, \"\"la belle\"\"\"\r\n");
  EXPECT_EQ(output("{" + both + "['home.name','home'],'format':'jsonl'}"),
            "{\"home.name\":\"Berlin\",\"home\":{\"__type\":\"Pointer\",\"className\":\"city\","
            "\"objectId\":\"ber\"}}\n");
  // Included objects are shown.
  EXPECT_TRUE(has(output("{" + both + "['home'],'include':['home'],'format':'jsonl'}"),
                  "\"name\":\"Berlin\""));
}

TEST_F(Export, FollowsPointersOfAPipelinesDocuments) {
  const std::string stages = "'class_name':'person','pipeline':[{'$sort':{'id':1}}],'columns':";
  EXPECT_EQ(output("{" + stages + "['name','home.name','home','home.twin.name','home.objectId']}"),
            "name,home.name,home,home.twin.name,home.objectId\r\n"
            "Ada,Berlin,ber,\"Paris, \"\"la belle\"\"\",ber\r\n"
            "Bob,\"Paris, \"\"la belle\"\"\",par,Berlin,par\r\n"
            ",,,,\r\n");
  EXPECT_TRUE(has(meta("{'class_name':'person','pipeline':[{'$group':{'_id':null,'homes':"
                       "{'$push':'$home'}}}],'columns':['homes.name']}"),
                  "put an $unwind of the array before it"));
  EXPECT_TRUE(has(meta("{" + stages + "['home.nme']}"), "nme"));
  EXPECT_TRUE(has(meta("{" + stages + "['home.password']}"), "ERROR"));
}

TEST_F(Export, FollowsPointersOfManyDocuments) {
  run_sql(
      "CREATE TABLE visit(id INTEGER PRIMARY KEY, who INTEGER REFERENCES number(n));"
      "INSERT INTO visit SELECT n, 12001 - n FROM number WHERE n <= 2000");
  const std::string text = output(
      "{'class_name':'visit','row_cap':5000,'pipeline':[{'$sort':{'id':1}}],"
      "'columns':['id','who.text']}");
  std::string expected = "id,who.text\r\n";
  for (int i = 1; i <= 2000; ++i) {
    expected += std::to_string(i) + ",number " + std::to_string(12001 - i) + "\r\n";
  }
  EXPECT_EQ(text, expected);
}

TEST_F(Export, LeavesPointersToNowhereAndOfCallersBlank) {
  run_sql("INSERT INTO person(id, home) VALUES(4, 'gone')");
  EXPECT_EQ(output("{'class_name':'person','pipeline':[{'$match':{'id':4}},{'$set':{'who':"
                   "{'__type':'Pointer','className':'nobody','objectId':'1'}}}],"
                   "'columns':['home.name','home','who.name']}"),
            "home.name,home,who.name\r\n,gone,\r\n");
}

TEST_F(Export, WritesMarkdownTablesAndJsonLines) {
  const std::string what = "'class_name':'person','order':'-id','columns':['name','age','home']";
  EXPECT_EQ(output("{" + what + ",'format':'markdown'}"),
            "| name | age | home |\n| --- | --- | --- |\n|  |  |  |\n| Bob | 17 | par |\n"
            "| Ada | 36 | ber |\n");
  EXPECT_EQ(output("{" + what + ",'format':'table'}"),
            "name  age  home\n----  ---  ----\n           \nBob   17   par\nAda   36   ber\n");
  EXPECT_EQ(output("{" + what + ",'format':'jsonl','limit':2}"),
            "{\"name\":null,\"age\":null,\"home\":null}\n"
            "{\"name\":\"Bob\",\"age\":17,\"home\":{\"__type\":\"Pointer\",\"className\":\"city\","
            "\"objectId\":\"par\"}}\n");
}

TEST_F(Export, CutsAtRowCapAndSaysHowManyThereAre) {
  const std::string cut = meta("{'class_name':'number','columns':['n'],'row_cap':2}");
  EXPECT_TRUE(has(cut,
                  "'row_count':2,'output':'n\\r\\n1\\r\\n2\\r\\n','truncated':true,"
                  "'available_rows':12000,'row_cap':2,'hint':'Only the first 2 rows"))
      << cut;
  EXPECT_TRUE(has(meta("{'class_name':'number'}"), "'row_count':1000,"));
  const std::string some = meta("{'class_name':'number','where':{'n':{'$gt':11000}},'skip':500}");
  EXPECT_TRUE(has(some, "'row_count':500,")) << some;
  EXPECT_FALSE(has(some, "truncated")) << some;
}

TEST_F(Export, CountsTheRowsThatSkipAndLimitLeave) {
  const std::string cut = meta("{'class_name':'number','skip':11000,'limit':700,'row_cap':600}");
  EXPECT_TRUE(has(cut, "'row_count':600,")) << cut;
  EXPECT_TRUE(has(cut, "'available_rows':700,")) << cut;
  EXPECT_FALSE(has(meta("{'class_name':'number','limit':600,'row_cap':600}"), "truncated"));
}

TEST_F(Export, ReadsMoreRowsThanOneBatch) {
  const std::string text = output("{'class_name':'number','row_cap':10000,'columns':['text']}");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10001);
  EXPECT_TRUE(has(text, "\r\nnumber 513\r\n"));
  EXPECT_TRUE(text.ends_with("\r\nnumber 10000\r\n"));
}

TEST_F(Export, TakesAPipelineBeyondItsUsualBound) {
  const std::string cut = meta(
      "{'class_name':'number','pipeline':[{'$match':{'n':{'$gt':100}}}],'columns':['n'],"
      "'row_cap':300}");
  EXPECT_TRUE(has(cut, "'row_count':300,")) << cut;
  EXPECT_TRUE(has(cut, "'available_rows':11900,")) << cut;
  EXPECT_EQ(output("{'class_name':'person','pipeline':[{'$group':{'_id':'$active',"
                   "'n':{'$sum':1}}},{'$sort':{'n':1}}],'columns':[{'_id':'active'},'n']}"),
            "active,n\r\nfalse,1\r\ntrue,2\r\n");
  EXPECT_EQ(output("{'pipeline':[{'$documents':[{'a':1},{'a':'x'}]}]}"), "a\r\n1\r\nx\r\n");
}

TEST_F(Export, KnowsAClassesIdByBothNamesInPipelines) {
  const std::string stages = "'class_name':'city','pipeline':[{'$sort':{'code':1}}]";
  EXPECT_EQ(output("{" + stages + ",'columns':['_id','name'],'row_cap':1}"),
            "_id,name\r\nber,Berlin\r\n");
  EXPECT_EQ(output("{" + stages + ",'columns':['objectId'],'row_cap':1}"), "objectId\r\nber\r\n");
}

TEST_F(Export, NamesFieldsThatOnlyLaterRowsHave) {
  const std::string text = meta("{'pipeline':[{'$documents':[{'a':1},{'a':2,'b':3}]}]}");
  EXPECT_TRUE(has(text, "'headers':['a']")) << text;
  EXPECT_TRUE(has(text, "also have b; name columns")) << text;
}

TEST_F(Export, OfNoRowsIsEmptyOrAHeader) {
  const std::string none = "'class_name':'city','where':{'code':'nowhere'}";
  EXPECT_TRUE(has(meta("{" + none + "}"), "'headers':[],'row_count':0,'output':''}"));
  EXPECT_EQ(output("{" + none + ",'columns':['code',{'name':'City'}]}"), "code,City\r\n");
}

TEST_F(Export, RefusesInvalidArguments) {
  const std::pair<const char*, const char*> cases[] = {
      {"'class_name':'city','format':'xlsx'", "csv, markdown, table or jsonl"},
      {"'class_name':'city','row_cap':10001", "'row_cap' must be an integer from 1 to 10000"},
      {"'class_name':'city','row_cap':0", "'row_cap'"},
      {"'class_name':'city','limit':0", "'limit'"},
      {"'class_name':'city','columns':[]", "at least one path"},
      {"'class_name':'city','columns':[1]", "{path: header}"},
      {"'class_name':'city','columns':[{}]", "{path: header}"},
      {"'class_name':'city','columns':[{'name':1}]", "header of 'name' must be a string"},
      {"'class_name':'city','columns':['name.']", "is no path"},
      {"'class_name':'city','columns':['a','a']", "two of them have the header 'a'"},
      {"'class_name':'city','columns':['nme']", "nme"},
      {"'class_name':'city','columns':['createdAt']", "createdAt"},
      {"'class_name':'city','columns':['name.x']", "Nothing lies below field 'name'"},
      {"'class_name':'person','columns':['password']", "password"},
      {"'class_name':'nowhere'", "nowhere"},
      {"'format':'csv'", "'class_name' is missing"},
      {"'class_name':'city','pipeline':[],'where':{}", "'pipeline' and 'where'"},
      {"'class_name':'city','pipeline':[],'limit':1", "$limit stage"},
      {"'class_name':'city','pipeline':{}", "array of stages"},
      {"'class_name':'city','pipeline':[],'columns':['nme']", "nme"},
      {"'class_name':'city','pipeline':[{'$out':'x'}]", "$out"},
      {"'class_name':'city','order':'nme'", "nme"}};
  for (const auto& [args, part] : cases) {
    const std::string text = meta("{" + std::string(args) + "}");
    EXPECT_TRUE(text.starts_with("ERROR ")) << args << ": " << text;
    EXPECT_TRUE(has(text, part)) << args << ": " << text;
  }
}

TEST_F(Export, RefusesLargeExportsWithARankingOfColumns) {
  for (const char* format : {"csv", "markdown", "table", "jsonl"}) {
    const auto reply = run("{'class_name':'number','row_cap':10000,'format':'" +
                               std::string(format) + "','columns':['n',{'text':'T'}]}",
                           100'000);
    ASSERT_FALSE(reply) << format;
    EXPECT_EQ(reply.error().code, "invalid_argument") << format;
    const std::string details = error_details(reply.error());
    EXPECT_TRUE(has(details, R"("kind":"response_too_large")")) << details;
    EXPECT_TRUE(has(details, R"("largest_fields":[{"name":"text")")) << details;
  }
}

TEST_F(Export, StopsWhenItsTimeIsUp) {
  Budget budget = Budget::for_ms(30);
  const auto reply =
      service_->run(R"({"op":"export","args":{"class_name":"number","row_cap":10000,"pipeline":[
          {"$lookup":{"from":"number","pipeline":[{"$match":{"text":{"$regex":"9.*9"}}}],"as":"all"}}
      ]}})",
                    {budget, 4u << 20, nullptr});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, "timeout");
}

}  // namespace
}  // namespace gantry::data::export_test
