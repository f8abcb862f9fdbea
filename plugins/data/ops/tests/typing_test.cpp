// Classes with columns in the row form plain: pointers, keys and dates in every operation, and what
// answers say of requests that surely were not meant.
#include "small_database.hpp"

namespace gantry::data::typing_test {
namespace {

constexpr const char* kShop = R"(
  CREATE TABLE country(code TEXT PRIMARY KEY NOT NULL, name TEXT);
  CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, country TEXT REFERENCES country,
                        vip BOOLEAN, created_at TEXT NOT NULL);
  CREATE TABLE sale(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer,
                    status TEXT, total INTEGER, ordered_at TEXT NOT NULL, shipped_at TEXT,
                    photo BLOB, more JSON);
  CREATE TABLE part(sale_id INTEGER REFERENCES sale, n INTEGER, PRIMARY KEY(sale_id, n));
  INSERT INTO country VALUES('DE','Germany'),('FR','France');
  INSERT INTO customer VALUES(10,'Ada','DE',1,'2026-01-02T03:04:05Z'),
                             (11,'Bob','FR',0,'2026-02-02T03:04:05.5Z'),
                             (12,'Cid',NULL,0,'2026-03-02T03:04:05Z');
  INSERT INTO sale VALUES(1,10,'paid',5,'2026-08-25T10:00:00Z','2026-08-26T10:00:00Z',x'01','{"a":"Red"}'),
                         (2,10,'open',7,'2026-08-26T10:00:00Z',NULL,NULL,'{"a":"Blue"}'),
                         (3,11,'paid',9,'2026-09-01T10:00:00Z',NULL,NULL,
                          '{"seen":{"$date":"2026-09-01T10:00:00Z"}}'),
                         (4,NULL,'paid',1,'2026-09-02T10:00:00Z',NULL,NULL,NULL);
  INSERT INTO part VALUES(1,1),(1,2),(3,1);)";

struct Case {
  const char* op;
  const char* args;
  const char* said;  // a part of the answer: its rows, then its meta, then its warnings
};

class Typing : public SmallDatabase {
 protected:
  void SetUp() override {
    make(kShop);
    configure({}, JsonDialect::plain);
  }
  std::string answer(const Case& one) {
    const auto reply =
        service_->run(R"({"op":")" + std::string(one.op) + R"(","args":)" + one.args + "}",
                      {Budget::for_ms(60'000), 4u << 20, nullptr});
    if (reply) return reply->rows + reply->meta + reply->warnings;
    return "ERROR " + reply.error().code + ": " + reply.error().message;
  }
  template <std::size_t N>
  void check(const Case (&cases)[N]) {
    for (const Case& one : cases) {
      const std::string given = answer(one);
      EXPECT_NE(given.find(one.said), std::string::npos) << one.args << " gave " << given;
    }
  }
};

TEST_F(Typing, RowsAreThoseOfTheTable) {
  check(
      {{"get", R"({"class_name":"sale","object_id":"1"})",
        R"({"id":1,"customer_id":10,"status":"paid","total":5,"ordered_at":"2026-08-25T10:00:00Z",)"
        R"("shipped_at":"2026-08-26T10:00:00Z","photo":{"$base64":"AQ=="},"more":{"a":"Red"}}{)"},
       {"get", R"({"class_name":"sale","object_id":"4"})",
        R"({"id":4,"status":"paid","total":1,"ordered_at":"2026-09-02T10:00:00Z"}{)"},
       {"query", R"({"class_name":"sale","where":{"id":4},"keys":["objectId","customer_id"]})",
        R"([{"objectId":4,"customer_id":null}])"},
       {"query", R"({"class_name":"customer","where":{"id":11},"keys":["createdAt"]})",
        R"([{"createdAt":"2026-02-02T03:04:05.500Z"}])"},
       {"query", R"({"class_name":"part","limit":1})", R"([{"objectId":"1,1","sale_id":1,"n":1}])"},
       {"query",
        R"({"class_name":"sale","where":{"id":1},"keys":["id"],"include":["customer_id"]})",
        R"([{"id":1,"customer_id":{"id":10,"name":"Ada","country":"DE","vip":true,)"},
       {"query", R"({"class_name":"sale","limit":2,"keys":["status , total"]})",
        R"([{"status":"paid","total":5},)"},
       {"aggregate", R"({"class_name":"sale","pipeline":[{"$match":{"id":4}}]})",
        R"([{"id":4,"status":"paid","total":1,"ordered_at":"2026-09-02T10:00:00Z"}])"}});
}

TEST_F(Typing, TheFormParseIsThereOnRequest) {
  check(
      {{"get",
        R"({"class_name":"sale","object_id":"4","rows":"parse","keys":["customer_id","ordered_at"]})",
        R"({"objectId":"4","customer_id":null,"ordered_at":{"__type":"Date","iso":"2026-09-02T10:00:00.000Z"}})"},
       {"aggregate",
        R"({"class_name":"sale","rows":"parse","compact_pointers":false,)"
        R"("pipeline":[{"$match":{"id":1}},{"$project":{"customer_id":1}}]})",
        R"([{"objectId":"1","customer_id":{"__type":"Pointer","className":"customer","objectId":"10"}}])"},
       {"aggregate",
        R"({"class_name":"sale","rows":"parse","pipeline":[{"$group":{"_id":"$customer_id"}},)"
        R"({"$match":{"_id":10}}]})",
        R"([{"_id":"10"}]{"pipeline_stages":2,"result_count":1,"pointer_classes":{"_id":"customer"}})"},
       {"query", R"({"class_name":"sale","rows":"table"})", "'rows' must be plain or parse"}});
}

TEST_F(Typing, PointersAreTheKeysThatTheyEqual) {
  for (const char* field : {"id", "objectId", "_id"}) {
    const std::string args =
        R"({"class_name":"customer","pipeline":[{"$lookup":{"from":"sale","localField":")" +
        std::string(field) +
        R"(","foreignField":"customer_id","as":"s"}},{"$project":{"n":{"$size":"$s"}}}]})";
    EXPECT_NE(answer({"aggregate", args.c_str(), ""})
                  .find(R"([{"id":10,"n":2},{"id":11,"n":1},{"id":12,"n":0}])"),
              std::string::npos)
        << args << answer({"aggregate", args.c_str(), ""});
  }
  check(
      {{"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"customer_id":"10"}},{"$count":"n"}]})",
        R"([{"n":2}])"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"customer_id":{"__type":"Pointer",)"
        R"("className":"customer","objectId":"10"}}},{"$count":"n"}]})",
        R"([{"n":2}])"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"$expr":{"$eq":["$objectId","3"]}}},)"
        R"({"$project":{"status":1}}]})",
        R"([{"id":3,"status":"paid"}])"},
       {"aggregate",
        R"({"class_name":"customer","pipeline":[{"$lookup":{"from":"sale","let":{"c":"$_id"},)"
        R"("pipeline":[{"$match":{"$expr":{"$eq":["$customer_id","$$c"]}}}],"as":"s"}},)"
        R"({"$project":{"_id":0,"n":{"$size":"$s"}}}]})",
        R"([{"n":2},{"n":1},{"n":0}])"},
       {"query", R"({"class_name":"sale","where":{"id":"3"},"keys":["id"]})", R"([{"id":3}])"},
       {"query",
        R"({"class_name":"country","where":{"objectId":{"__type":"Pointer","className":"country",)"
        R"("objectId":"DE"}}})",
        "[{\"code\":\"DE\""}});
}

TEST_F(Typing, PathsFollowPointers) {
  check(
      {{"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"customer_id.country.name":"Germany"}},)"
        R"({"$group":{"_id":"$customer_id.name","sum":{"$sum":"$total"}}}]})",
        R"([{"_id":"Ada","sum":12}])"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$sort":{"customer_id.name":-1,"id":1}},)"
        R"({"$project":{"customer_id.name":1}}]})",
        R"([{"id":3,"customer_id":{"name":"Bob"}},{"id":1,"customer_id":{"name":"Ada"}},)"},
       {"aggregate",
        R"({"class_name":"part","pipeline":[{"$match":{"sale_id.customer_id.name":"Bob"}},)"
        R"({"$group":{"_id":null,"all":{"$push":"$$ROOT"}}}]})",
        R"("all":[{"objectId":"3,1","sale_id":3,"n":1}])"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$group":{"_id":"$customer_id"}},)"
        R"({"$match":{"_id.country":"FR"}}]})",
        R"([{"_id":11}])"},
       {"group_by", R"({"class_name":"sale","field":"customer_id.country.name"})",
        R"({"key":"Germany","value":2})"},
       {"distinct",
        R"({"class_name":"sale","field":"customer_id.name","where":{"customer_id.vip":true}})",
        R"(["Ada"])"},
       {"query",
        R"({"class_name":"sale","where":{"customer_id.country":{"$ne":"DE"}},"keys":["id"]})",
        R"([{"id":3},{"id":4}])"},
       {"query", R"({"class_name":"sale","where":{"customer_id.objectId":11},"keys":["id"]})",
        R"([{"id":3}])"},
       {"query", R"({"class_name":"sale","order":"-customer_id.country.name,id","keys":["id"]})",
        R"([{"id":1},{"id":2},{"id":3},{"id":4}])"},
       {"query", R"({"class_name":"sale","order":"total desc","limit":1,"keys":["id"]})",
        R"([{"id":3}])"},
       {"export",
        R"({"class_name":"sale","columns":["id",{"customer_id.name":"customer"},"customer_id"],"limit":1})",
        R"("output":"id,customer,customer_id\r\n1,Ada,10\r\n")"},
       {"aggregate", R"({"class_name":"sale","pipeline":[{"$group":{"_id":"$customer_id.nme"}}]})",
        "Did you mean 'name'?"},
       {"aggregate", R"({"class_name":"sale","pipeline":[{"$group":{"_id":"$status.name"}}]})",
        "Nothing lies below field 'status'"},
       {"aggregate",
        R"({"class_name":"part","pipeline":[{"$group":{"_id":"$sale_id.customer_id.country.name"}}]})",
        R"({"_id":"Germany"})"}});
}

TEST_F(Typing, LiteralsBesideDatesAreDates) {
  check(
      {{"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"$expr":{"$gte":["$ordered_at","2026-09-01"]}}},)"
        R"({"$count":"n"}]})",
        R"([{"n":2}])"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$group":{"_id":"$status","last":{"$max":"$ordered_at"}}},)"
        R"({"$match":{"last":{"$lt":"2026-09-01T00:00:00Z"}}}]})",
        R"([{"_id":"open","last":"2026-08-26T10:00:00Z"}])"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"ordered_at":{"$regex":"^2026-08"}}},{"$count":"n"}]})",
        R"([{"n":2}])"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"id":1}},{"$project":{"_id":0,"y":{"$year":)"
        R"({"$dateFromString":{"dateString":"$ordered_at"}}}}}]})",
        R"([{"y":2026}])"},
       {"count", R"({"class_name":"sale","where":{"$expr":{"$gte":["$ordered_at","2026-09-01"]}}})",
        R"({"count":2})"}});
}

TEST_F(Typing, LikelyMistakesGetAHint) {
  check(
      {{"aggregate", R"({"class_name":"sale","pipeline":[{"$match":{"total":"5"}}]})",
        "did you mean 5"},
       {"aggregate", R"({"class_name":"customer","pipeline":[{"$match":{"vip":1}}]})", "true"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"ordered_at":{"$gte":"last month"}}}]})",
        "ISO 8601"},
       {"count", R"({"class_name":"sale","where":{"ordered_at":{"$lte":"2026-08-26"}}})",
        R"({\"$lt\":\"2026-08-27\"})"},
       {"count", R"({"class_name":"sale","where":{"status":"Paid"}})", "did you mean 'paid'?"},
       {"count", R"({"class_name":"sale","where":{"more.a":"red"}})", "did you mean 'Red'?"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"more.seen":{"$gt":"2026-08-01"}}}]})",
        "which compare with no text such as '2026-08-01'; did you mean {\\\"$date\\\":"},
       {"count", R"({"class_name":"customer","where":{"country":"Germany"}})",
        "it holds 'DE', 'FR'"},
       {"count", R"({"class_name":"customer","where":{"country":"de"}})", "did you mean 'DE'?"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"customer_id.country":"Germany"}}]})",
        "it holds 'DE', 'FR'"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"ordered_at":{"$gte":"2026-07"}}}]})",
        "did you mean '2026-07-01'?"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$group":{"_id":null,"n":{"$sum":{"$cond":)"
        R"([{"$eq":["$status","opne"]},1,0]}}}}]})",
        "did you mean 'open'?"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$group":{"_id":null,"n":{"$sum":{"$cond":)"
        R"([{"$in":["$status",["Paid"]]},1,0]}}}}]})",
        "did you mean 'paid'?"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"$expr":{"$lt":["$shipped_at","$ordered_at"]}}}]})",
        "NULL for smaller"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$match":{"$expr":{"$eq":["$shipped_at",null]}}}]})",
        "does not equal null"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$group":{"_id":"$customer_id"}},{"$match":{"customer_id":10}}]})",
        "did you mean '_id'?"},
       {"aggregate",
        R"({"class_name":"sale","pipeline":[{"$lookup":{"from":"customer","localField":"id",)"
        R"("foreignField":"id","as":"c"}}]})",
        "different classes"},
       {"aggregate", R"({"class_name":"sale","pipeline":[{"$match":{"status":{"eq":"paid"}}}]})",
        "did you mean '$eq'?"}});
  for (const char* args :
       {R"({"class_name":"sale","where":{"status":"paid"}})",
        R"({"class_name":"sale","where":{"ordered_at":{"$gte":"2026-08-26"}}})"}) {
    EXPECT_EQ(answer({"count", args, ""}).find("\"]"), std::string::npos) << args;
  }
  // A bound that no object equals is a good one.
  for (const char* stage : {R"({"$match":{"status":{"$gt":"2026-08-26"}}})",
                            R"({"$match":{"$expr":{"$lt":["$status","zzz"]}}})"}) {
    const std::string args = R"({"class_name":"sale","pipeline":[)" + std::string(stage) + "]}";
    EXPECT_EQ(answer({"aggregate", args.c_str(), ""}).find("No '"), std::string::npos) << stage;
  }
}

}  // namespace
}  // namespace gantry::data::typing_test
