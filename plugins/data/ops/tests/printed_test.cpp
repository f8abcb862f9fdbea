// Answers printed directly from the database's rows have the same bytes as those made of documents:
// random joins over random tables, with pushdown and without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ops/service.hpp"
#include "plan/printed_pipeline.hpp"
#include "pushdown_random.hpp"
#include "tests/test_database.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kRoom = 1u << 20;

std::string json_of(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

std::string in_quotes(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

class PrintedRows {
 public:
  explicit PrintedRows(const std::string& sql) : database_(sql.c_str()) {
    printed_ = Service::open(database_.path()).value();
    made_ = Service::open(database_.path()).value();
    made_->configure({false, false, false});
  }

  std::string printed(const std::string& arguments, std::size_t room = kRoom) {
    return answer(*printed_, arguments, room);
  }
  std::string made(const std::string& arguments, std::size_t room = kRoom) {
    return answer(*made_, arguments, room);
  }

  void change(const std::string& sql) { testing::Writer(database_.path()).run(sql); }

  struct Printing final : DocumentList {
    Printing(const ReadContext& what, const ClassView* view)
        : DocumentList(what, 200), context(what), cls(view) {}
    bool take(ClassSource& source, const Plan& plan) override {
      is_printed = direct_aggregate(context, cls, source, plan, 200).has_value();
      return is_printed;
    }
    const ReadContext& context;
    const ClassView* cls;
    bool is_printed = false;
  };

  // Whether the rows of a pipeline over a class are printed directly.
  bool is_printed(const std::string& class_name, const std::string& stages) {
    auto catalog = printed_->store().catalog({});
    const ReadContext request{printed_->store(), Scope(*catalog), Budget::for_ms(60'000), kRoom};
    Read read;
    read.view = request.scope.open(class_name);
    read.stages = *read_extended(json_of(stages), {.parse_types = true});
    Printing sink(request, read.view);
    run_read(request, read, sink, 200);
    return sink.is_printed;
  }

 private:
  static std::string answer(Service& service, const std::string& arguments, std::size_t room) {
    const std::string request = R"({"op":"aggregate","args":)" + json_of(arguments) + "}";
    const auto reply = service.run(request, {Budget::for_ms(60'000), room, nullptr});
    if (reply) return in_quotes(reply->rows + reply->meta);
    const DataError& error = reply.error();
    return "ERROR " + error.code + ": " + error.message + in_quotes(error.details_json);
  }

  testing::TestDatabase database_;
  std::unique_ptr<Service> printed_, made_;
};

// A $lookup between any two classes, with optional stages before and after it.
std::string random_join(Chance& chance) {
  struct Foreign {
    const char *from, *field;
  };
  constexpr Foreign kForeign[] = {{"target", "objectId"},     {"target", "_id"}, {"sloppy", "txt"},
                                  {"sloppy", "iso_at"},       {"strict", "low"}, {"strict", "_id"},
                                  {"keyed", "objectId"},      {"strict", "num"}, {"sloppy", "ptr"},
                                  {"sloppy", "ptr.objectId"}, {"keyed", "dbl"},  {"sloppy", "num"}};
  const Foreign foreign = kForeign[chance.below(std::size(kForeign))];
  std::string stages = chance.of({"", "", "{'$match':{'num':{'$gt':0}}},", "{'$sort':{'num':-1}},",
                                  "{'$limit':40},", "{'$skip':3},{'$limit':9},"});
  stages += "{'$lookup':{'from':'" + std::string(foreign.from) + "','localField':'" +
            chance.of({"txt", "num", "dbl", "low", "doc", "doc.b", "ptr", "ptr.objectId", "_id",
                       "flag", "iso_at", "objectId"}) +
            "','foreignField':'" + foreign.field + "','as':'" +
            chance.of({"more", "more", "more", "more", "txt", "a.b", "objectId", "createdAt"}) +
            "'}}";
  stages +=
      chance.of({"", "", "", ",{'$unwind':'$more'}",
                 ",{'$unwind':{'path':'$more','preserveNullAndEmptyArrays':true}}",
                 ",{'$unwind':{'path':'$more','preserveNullAndEmptyArrays':false}}",
                 ",{'$unwind':{'path':'$more','includeArrayIndex':'at'}}", ",{'$unwind':'$txt'}"});
  stages += chance.of({"", "", ",{'$limit':7}", ",{'$skip':2}", ",{'$limit':9},{'$skip':4}",
                       ",{'$skip':4},{'$limit':2}", ",{'$skip':500}", ",{'$count':'n'}",
                       ",{'$project':{'more':1}}", ",{'$limit':1000}"});
  return "{'class_name':'" + chance.of({"strict", "sloppy", "keyed"}) + "','pipeline':[" + stages +
         "],'compact_pointers':" + chance.of({"true", "false"}) + "}";
}

class RandomJoins : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomJoins, ArePrintedAsTheyWouldBeMade) {
  Chance chance(GetParam());
  PrintedRows rows(random_tables(chance, 60) +
                   "CREATE INDEX ptr_sloppy ON sloppy(ptr); CREATE INDEX num_sloppy ON sloppy(num);"
                   "CREATE INDEX dbl_keyed ON keyed(dbl);");
  int wrong = 0, answered = 0;
  for (int i = 0; i < 250 && wrong < 5; ++i) {
    const std::string arguments = random_join(chance);
    // Sometimes the answer's limit is exceeded, before the joined documents or among them.
    const std::size_t room = chance.once_in(6) ? 40'000 + chance.below(60'000) : kRoom;
    const std::string expected = rows.made(arguments, room);
    const std::string given = rows.printed(arguments, room);
    if (given != expected) ++wrong;
    if (given.starts_with("[{")) ++answered;
    EXPECT_EQ(given, expected) << arguments;
  }
  EXPECT_GT(answered, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomJoins, ::testing::Range(1u, 5u));

constexpr const char* kShop = R"sql(
  CREATE TABLE _Session(id TEXT PRIMARY KEY);
  CREATE TABLE buyer(id TEXT PRIMARY KEY, name TEXT COLLATE NOCASE, password TEXT, more JSON,
                     createdAt DATETIME, home TEXT REFERENCES _Session(id));
  CREATE INDEX by_name ON buyer(name);
  CREATE TABLE sale(id INTEGER PRIMARY KEY, buyer TEXT REFERENCES buyer(id), label TEXT, more JSON,
                    session TEXT REFERENCES _Session(id), createdAt DATETIME, updatedAt DATETIME);
  CREATE TABLE own(_id TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE odd("q""uote" TEXT, n INTEGER);
  CREATE INDEX by_n ON odd(n);
  INSERT INTO buyer VALUES
    ('a','Ann','secret','{"_session_token":"x","n":1}','2026-01-02T03:04:05Z','s'),
    ('b','ann',NULL,'{"_id":"x","objectId":"x","createdAt":{"__type":"Date","iso":"2026-01-02T03:04:05Z"}}',
     'never',NULL),
    ('c',NULL,NULL,'not json \u0070assword','2026-01-02',NULL);
  INSERT INTO sale VALUES
    (1,'a','ann','["ann","Ann","ann",null]','s','2026-01-02T03:04:05Z','2026-01-02 03:04:05'),
    (2,'b','Ann','{"list":[{"name":"Ann"},{"name":"ann"},{}]}',NULL,NULL,'5'),
    (3,NULL,NULL,NULL,NULL,NULL,NULL),
    (4,'gone','ANN','[]',x'00ff',x'00ff',7),
    (5,'c',x'416e6e','"ann"','s','2026-01-02T03:04:05Z',NULL);
  INSERT INTO own VALUES('a','Ann');
  INSERT INTO odd VALUES('x',1),('y',1),(NULL,2);)sql";

std::string lookup(const std::string& from, const std::string& local, const std::string& foreign) {
  return "{'$lookup':{'from':'" + from + "','localField':'" + local + "','foreignField':'" +
         foreign + "','as':'found'}}";
}

TEST(PrintedPipeline, JoinsPointersCollationsListsAndMissingValues) {
  PrintedRows rows(kShop);
  const std::string by_id = lookup("sale", "_id", "objectId");
  const std::string printed[] = {
      lookup("buyer", "buyer", "objectId"),
      lookup("buyer", "buyer.objectId", "_id"),
      lookup("buyer", "label", "name"),
      lookup("buyer", "more.list.name", "name"),
      lookup("buyer", "createdAt", "name"),
      by_id,
      by_id + ",{'$unwind':{'path':'$found','preserveNullAndEmptyArrays':true}}"};
  for (const std::string& stages : printed) {
    EXPECT_TRUE(rows.is_printed("sale", "[" + stages + "]")) << stages;
  }
  // Values for which an index search is impossible: missing, one of several, not stored in a
  // column.
  const std::string made[] = {lookup("buyer", "more", "name"), lookup("buyer", "more.list", "name"),
                              lookup("buyer", "session", "name")};
  std::vector<std::string> all(std::begin(printed), std::end(printed));
  all.insert(all.end(), std::begin(made), std::end(made));
  for (const std::string& stages : all) {
    for (const char* pointers : {"true", "false"}) {
      const std::string arguments =
          "{'class_name':'sale','pipeline':[" + stages + "],'compact_pointers':" + pointers + "}";
      const std::string given = rows.printed(arguments);
      EXPECT_EQ(given, rows.made(arguments)) << arguments;
      EXPECT_TRUE(given.starts_with("[{")) << given;
      EXPECT_EQ(given.find("secret"), std::string::npos) << given;
      EXPECT_EQ(given.find("assword"), std::string::npos) << given;
      EXPECT_EQ(given.find("_session_token"), std::string::npos) << given;
    }
  }
  const std::string by_name =
      "{'class_name':'sale','pipeline':[" + lookup("buyer", "label", "name") + ",{'$limit':1}]}";
  EXPECT_NE(rows.printed(by_name).find("'found':[{'id':'b'"), std::string::npos);
  EXPECT_EQ(rows.printed(by_name).find("'id':'a'"), std::string::npos) << "Ann is not ann";
}

TEST(PrintedPipeline, RowsWithoutAJoinToo) {
  PrintedRows rows(kShop);
  for (const char* stages : {"", "{'$sort':{'_id':-1}},{'$limit':3}", "{'$match':{'buyer':'a'}}"}) {
    for (const char* name : {"sale", "buyer", "odd", "own"}) {
      const std::string arguments =
          "{'class_name':'" + std::string(name) + "','pipeline':[" + stages + "]}";
      EXPECT_EQ(rows.printed(arguments), rows.made(arguments)) << arguments;
    }
  }
  EXPECT_TRUE(rows.is_printed("sale", "[{'$sort':{'_id':-1}}]"));
}

// Data cached for a class is not used after the schema has changed.
TEST(PrintedPipeline, FollowsTheSchema) {
  PrintedRows rows(kShop);
  const std::string arguments = "{'class_name':'odd','pipeline':[{'$sort':{'n':1}},{'$limit':1}]}";
  EXPECT_EQ(rows.printed(arguments).find("later"), std::string::npos);
  for (int i = 0; i < 20; ++i) {
    const std::string name = "later" + std::to_string(i);
    rows.change("ALTER TABLE odd ADD COLUMN " + name + " TEXT DEFAULT 'new';");
    const std::string given = rows.printed(arguments);
    EXPECT_NE(given.find("'" + name + "':'new'"), std::string::npos) << given;
    EXPECT_EQ(given, rows.made(arguments));
  }
  rows.change(
      "DROP TABLE odd; CREATE TABLE odd(n INTEGER, password TEXT, only TEXT);"
      "INSERT INTO odd VALUES(1,'secret','this')");
  EXPECT_NE(rows.printed(arguments).find("'n':1,'only':'this'}"), std::string::npos);
  EXPECT_EQ(rows.printed(arguments), rows.made(arguments));
}

TEST(PrintedPipeline, LeavesUnprintableStagesToDocuments) {
  PrintedRows rows(std::string(kShop) +
                   "CREATE VIEW shown AS SELECT * FROM buyer;"
                   "INSERT INTO sale VALUES(6,NULL,NULL,'{\"__type\":\"Pointer\",\"className\":"
                   "\"buyer\",\"objectId\":\"a\"}',NULL,NULL,NULL);");
  const std::string plain = lookup("odd", "label", "n");
  EXPECT_TRUE(rows.is_printed("buyer", "[" + lookup("odd", "name", "n") + "]"));
  EXPECT_TRUE(rows.is_printed("sale", "[" + plain + "]"));
  for (const std::string& stages :
       {lookup("odd", "name", "q\\u0022uote"),  // no index
        lookup("buyer", "name", "createdAt"),   // no search for dates
        lookup("own", "name", "name"), lookup("shown", "name", "name"),
        lookup("odd", "name", "n") + ",{'$unwind':'$name'}",
        lookup("odd", "name", "n") + ",{'$match':{'found':[]}}", std::string("{'$set':{'x':1}}"),
        std::string("{'$lookup':{'from':'odd','localField':'name','foreignField':'n','pipeline':[],"
                    "'as':'found'}}"),
        std::string(
            "{'$lookup':{'from':'odd','localField':'name','foreignField':'n','as':'name'}}")}) {
    EXPECT_FALSE(rows.is_printed("buyer", "[" + stages + "]")) << stages;
    const std::string arguments = "{'class_name':'buyer','pipeline':[" + stages + "]}";
    EXPECT_EQ(rows.printed(arguments), rows.made(arguments)) << arguments;
  }
}

TEST(PrintedPipeline, AnswersThatAreTooLargeAreRefusedInTheSameWords) {
  std::string sql =
      "CREATE TABLE one(id INTEGER PRIMARY KEY, k INTEGER, t TEXT);"
      "CREATE INDEX by_k ON one(k); BEGIN;";
  for (int i = 0; i < 60; ++i) {
    sql += "INSERT INTO one VALUES(" + std::to_string(i) + "," + std::to_string(i % 2) +
           ",printf('%.*c',100,'x'));";
  }
  PrintedRows rows(sql + "COMMIT;");
  const std::string arguments = "{'class_name':'one','pipeline':[" + lookup("one", "k", "k") + "]}";
  const std::string given = rows.printed(arguments, 100'000);
  EXPECT_TRUE(given.starts_with("ERROR invalid_argument: The answer would be ")) << given;
  EXPECT_NE(given.find("'name':'found'"), std::string::npos) << given;
  EXPECT_EQ(given, rows.made(arguments, 100'000));
  EXPECT_TRUE(rows.printed(arguments).starts_with("[{"));
}

}  // namespace
}  // namespace gantry::data
