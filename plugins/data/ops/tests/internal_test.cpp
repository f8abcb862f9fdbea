// Data computed from internal columns, or stored elsewhere by the database, is hidden too.
#include <gmock/gmock.h>

#include <utility>

#include "ops/tests/small_database.hpp"

namespace gantry::data {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Internal : public SmallDatabase {
 protected:
  std::string schema(const std::string& cls) {
    return ask("schema", R"({"class_name":")" + cls + "\"}");
  }
  std::string rows(const std::string& cls, const std::string& more = "") {
    return ask("query", R"({"class_name":")" + cls + '"' + more + "}");
  }
};

TEST_F(Internal, IndexesThatTellOfAnInternalColumnAreNotNamed) {
  make(R"(CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, sessionToken TEXT, d TEXT);
    CREATE INDEX plain ON users(name);
    CREATE INDEX secret_a ON users(sessionToken);
    CREATE INDEX secret_b ON users(name, sessionToken);
    CREATE INDEX secret_c ON users(lower(sessionToken));
    CREATE INDEX secret_d ON users(name) WHERE sessionToken IS NOT NULL;
    CREATE INDEX secret_e ON users(json_extract(d, '$.password'));
    INSERT INTO users VALUES(1,'a','x','{}');
    CREATE TABLE logins(id INTEGER PRIMARY KEY, name TEXT, sessionToken TEXT);
    CREATE INDEX secret_f ON logins(name, sessionToken);)");
  configure({true, false, true, 0});
  const std::string used = ask("explain", R"({"class_name":"logins","where":{"name":"a"}})");
  EXPECT_THAT(used, AllOf(HasSubstr("SEARCH"), Not(HasSubstr("secret"))));
  EXPECT_THAT(schema("users"), HasSubstr(R"("name":"plain")"));
  EXPECT_THAT(schema("users"), Not(HasSubstr("secret")));
  const std::string plan = ask("explain", R"({"class_name":"users","where":{"name":"a"}})");
  EXPECT_THAT(plan, Not(HasSubstr("secret"))) << plan;
  EXPECT_THAT(plan, HasSubstr(R"("full_scan":false)"));
  const std::string pipeline = ask(
      "aggregate", R"({"class_name":"users","plan":true,"pipeline":[{"$match":{"name":"a"}}]})");
  EXPECT_THAT(pipeline, Not(HasSubstr("secret"))) << pipeline;
}

TEST_F(Internal, AKeyThatIsInternalIsNoObjectIdAndNoRowNumber) {
  make(R"(CREATE TABLE keyed(password INTEGER PRIMARY KEY, label TEXT);
    INSERT INTO keyed VALUES(777,'a'),(555,'b');
    CREATE VIRTUAL TABLE boxes USING rtree(password, x0, x1);
    INSERT INTO boxes VALUES(888, 1, 2);
    CREATE VIRTUAL TABLE texts USING fts5(label, content='keyed', content_rowid='password');)");
  for (const char* cls : {"keyed", "boxes"}) {
    EXPECT_THAT(rows(cls), Not(HasSubstr("objectId"))) << cls;
    EXPECT_THAT(schema(cls), Not(HasSubstr("objectId"))) << cls;
    for (const char* number : {"777", "888"}) EXPECT_THAT(rows(cls), Not(HasSubstr(number)));
    const std::string by_id =
        ask("get", R"({"class_name":")" + std::string(cls) + R"(","object_id":"777"})");
    EXPECT_THAT(by_id, HasSubstr("ERROR invalid_argument")) << by_id;
  }
  EXPECT_THAT(rows("keyed"), HasSubstr(R"([{"label":"a"},{"label":"b"}])")) << "by label";
  const std::string grouped = ask("aggregate", R"({"class_name":"keyed","pipeline":[
      {"$project":{"_id":1,"label":1,"rowid":1}}]})");
  EXPECT_THAT(grouped, Not(HasSubstr("777"))) << grouped;
}

TEST_F(Internal, ReferencesToAnInternalColumnAreInternal) {
  make(R"(CREATE TABLE keyed(password INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE refers(id INTEGER PRIMARY KEY, owner INTEGER REFERENCES keyed(password), t TEXT);
    CREATE TABLE again(id INTEGER PRIMARY KEY, up INTEGER REFERENCES refers(owner));
    INSERT INTO keyed VALUES(777,'a'); INSERT INTO refers VALUES(1,777,'x');
    INSERT INTO again VALUES(1,777);)");
  EXPECT_THAT(rows("refers"), HasSubstr(R"([{"objectId":"1","id":1,"t":"x"}])"));
  EXPECT_THAT(rows("again"), HasSubstr(R"([{"objectId":"1","id":1}])"));
  EXPECT_THAT(schema("refers"), Not(HasSubstr("owner")));
  EXPECT_THAT(rows("refers", R"(,"where":{"owner":777})"), HasSubstr("ERROR"));
  EXPECT_THAT(ask("distinct", R"({"class_name":"refers","field":"owner"})"), HasSubstr("ERROR"));
}

TEST_F(Internal, ColumnsGeneratedFromAnInternalColumnAreInternal) {
  make(R"(CREATE TABLE made(id INTEGER PRIMARY KEY, password TEXT, title TEXT,
      hint TEXT GENERATED ALWAYS AS (substr(password, 1, 2)) VIRTUAL,
      size INTEGER AS (length(hint)) STORED, loud TEXT AS (upper(title)));
    INSERT INTO made(id,password,title) VALUES(1,'zz9','t');)");
  EXPECT_THAT(rows("made"), HasSubstr(R"([{"objectId":"1","id":1,"title":"t","loud":"T"}])"));
  EXPECT_THAT(schema("made"), Not(HasSubstr("hint")));
}

TEST_F(Internal, VocabulariesShadowsAndPagesAreNoClasses) {
  make(R"(CREATE VIRTUAL TABLE notes USING fts5(title, sessionToken);
    INSERT INTO notes VALUES('hello','abc');
    CREATE VIRTUAL TABLE words USING fts5vocab(notes, 'instance');
    CREATE VIRTUAL TABLE old USING fts4(title, password);
    CREATE VIRTUAL TABLE terms USING fts4aux(old);
    CREATE VIRTUAL TABLE pages USING dbstat;
    CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);)");
  const std::string all = ask("schemas", "{}");
  EXPECT_THAT(all, HasSubstr(R"("total":3)")) << all;
  for (const char* cls : {"words", "terms", "pages", "notes_content", "notes_data", "old_content",
                          "old_segments", "boxes_node"}) {
    EXPECT_THAT(rows(cls), HasSubstr("ERROR access_denied")) << cls;
  }
  EXPECT_THAT(rows("notes"), HasSubstr("hello"));
}

// A pointer to a class that is not visible.
class Redacted : public Internal {
 protected:
  void SetUp() override {
    make(R"(CREATE TABLE _Session(id TEXT PRIMARY KEY);
      CREATE TABLE guess(id INTEGER PRIMARY KEY, word TEXT);
      CREATE TABLE t(id INTEGER PRIMARY KEY, label TEXT, session TEXT REFERENCES _Session);
      CREATE INDEX by_session ON t(session);
      INSERT INTO _Session VALUES('s1'),('s2'); INSERT INTO guess VALUES(1,'s1'),(2,'s9');
      INSERT INTO t VALUES(1,'a','s2'),(2,'b','s1'),(3,'c',NULL);)");
  }
  std::string labels(const std::string& where) {
    return ask("query", R"({"class_name":"t","keys":["label"],"where":)" + where + "}");
  }
  std::string run(const std::string& pipeline) {
    return ask("aggregate", R"({"class_name":"t","pipeline":)" + pipeline + "}");
  }
};

TEST_F(Redacted, PointersAreNotComparedWithIds) {
  for (
      const char* where :
      {R"({"session":"s1"})", R"({"session":{"$ne":"s1"}})", R"({"session":{"$in":["s1",null]}})",
       R"({"session":{"$nin":["s1"]}})", R"({"session":{"$gt":"s1"}})",
       R"({"session":{"$regex":"^s1"}})", R"({"session":{"$not":{"$eq":"s1"}}})",
       R"({"session":{"$type":"string"}})", R"({"session":{"$all":["s1"]}})",
       R"({"session":{"__type":"Pointer","className":"_Session","objectId":"s1"}})",
       R"({"$or":[{"label":"a"},{"session":"s1"}]})",
       R"({"session":{"$select":{"query":{"className":"guess"},"key":"word"}}})",
       R"({"label":{"$dontSelect":{"query":{"className":"t"},"key":"session"}}})",
       R"({"label":{"$select":{"query":{"className":"t","limit":1,"order":"session"},"key":"label"}}})"}) {
    for (const char* op : {"query", "count", "export"}) {
      const std::string answer =
          ask(op, R"({"class_name":"t","where":)" + std::string(where) + "}");
      EXPECT_THAT(answer, HasSubstr("invalid_query")) << op << where;
      EXPECT_THAT(answer, HasSubstr("'session' points to a class that is not visible")) << where;
    }
  }
}

TEST_F(Redacted, PointersAreNullOrNot) {
  for (const char* null :
       {R"({"session":null})", R"({"session":{"$exists":false}})", R"({"session":{"$eq":null}})",
        R"({"session":{"$in":[null]}})", R"({"session":{"$not":{"$ne":null}}})"})
    EXPECT_THAT(labels(null), HasSubstr(R"("label":"c")")) << null;
  for (const char* set : {R"({"session":{"$ne":null}})", R"({"session":{"$exists":true}})",
                          R"({"session":{"$nin":[null]}})"})
    EXPECT_THAT(labels(set), AllOf(HasSubstr(R"("label":"a")"), HasSubstr(R"("label":"b")"),
                                   Not(HasSubstr(R"("label":"c")"))))
        << set;
}

TEST_F(Redacted, PointersAreNotSorted) {
  for (const char* order : {"session", "-session", "label,session"}) {
    EXPECT_THAT(rows("t", R"(,"order":")" + std::string(order) + '"'),
                HasSubstr("'session' points to a class that is not visible"));
  }
  EXPECT_THAT(run(R"([{"$sort":{"session":1,"label":-1}},{"$match":{"session":{"$ne":null}}},
      {"$project":{"label":1}}])"),
              HasSubstr(R"([{"objectId":"2","label":"b"},{"objectId":"1","label":"a"}])"));
}

TEST_F(Redacted, PointersAreOneKeyAndJoinNothing) {
  EXPECT_THAT(run(R"([{"$match":{"session":"s1"}}])"), HasSubstr("[]"));
  EXPECT_THAT(run(R"([{"$match":{"$expr":{"$eq":["$session.objectId","s1"]}}}])"), HasSubstr("[]"));
  EXPECT_THAT(labels(R"({"$expr":{"$eq":["$session.objectId","s1"]}})"), HasSubstr("[]"));
  EXPECT_THAT(run(R"([{"$group":{"_id":"$session","n":{"$sum":1}}},{"$sort":{"n":-1}}])"),
              AllOf(HasSubstr(R"("n":2)"), HasSubstr("__redacted"), Not(HasSubstr("s1"))));
  for (const char* local : {"$session", "$session.objectId"}) {
    const std::string field = std::string(local).substr(1);
    EXPECT_THAT(run(R"([{"$lookup":{"from":"guess","localField":")" + field +
                    R"(","foreignField":"word","as":"g"}},{"$match":{"g.word":"s1"}}])"),
                HasSubstr("[]"))
        << field;
  }
  EXPECT_THAT(ask("aggregate", R"({"class_name":"guess","pipeline":[{"$lookup":{"from":"t",
      "localField":"word","foreignField":"session","as":"t"}},{"$match":{"t.label":"b"}}]})"),
              HasSubstr("[]"));
}

// Pointers inside stored JSON and documents.
class RedactedJson : public Internal {
 protected:
  static constexpr const char* kJson =
      R"({"n":1.50,"by":{"__type":"Pointer","className":"_Session","objectId":"s1"},)"
      R"("list":[{"objectId":"s2","x":[1],"className":"_session","__type":"Point\u0065r"}],)"
      R"("home":{"__type":"Pointer","className":"homes","objectId":"h1"},"z":"é"})";
  void SetUp() override {
    make(("CREATE TABLE t(id INTEGER PRIMARY KEY, j JSON); INSERT INTO t VALUES(1,'" +
          std::string(kJson) + "');")
             .c_str());
  }
};

TEST_F(RedactedJson, IsShownWithoutIds) {
  EXPECT_THAT(rows("t"),
              HasSubstr(R"("j":{"n":1.50,"by":{"className":"_Session","__redacted":true},)"
                        R"("list":[{"className":"_session","__redacted":true}],)"
                        R"("home":{"__type":"Pointer","className":"homes","objectId":"h1"},)"
                        R"("z":"é"})"));
  for (const char* more : {R"(,"keys":["j.by","j.list"])", R"(,"format":"csv")"}) {
    EXPECT_THAT(rows("t", more), HasSubstr("redacted")) << more;
    EXPECT_THAT(rows("t", more), AllOf(Not(HasSubstr("s1")), Not(HasSubstr("s2")))) << more;
  }
  for (const char* pipeline : {"[]", R"([{"$project":{"j":1}}])", R"([{"$unwind":"$j.list"}])",
                               R"([{"$group":{"_id":"$j.by"}}])"}) {
    const std::string answer =
        ask("aggregate", R"({"class_name":"t","pipeline":)" + std::string(pipeline) + "}");
    EXPECT_THAT(answer, AllOf(HasSubstr("redacted"), Not(HasSubstr("s1")), Not(HasSubstr("s2"))))
        << pipeline;
  }
  EXPECT_THAT(ask("export", R"({"class_name":"t","columns":["j"]})"), Not(HasSubstr("s1")));
}

TEST_F(RedactedJson, IsNotComparedWithIds) {
  for (const char* where :
       {R"({"j.by.objectId":"s1"})", R"({"j.list.objectId":"s2"})",
        R"({"j.by":{"__type":"Pointer","className":"_Session","objectId":"s1"}})",
        R"({"j.list":{"$elemMatch":{"objectId":{"$regex":"^s"}}}})",
        R"({"$expr":{"$eq":["$j.by.objectId","s1"]}})"}) {
    EXPECT_THAT(rows("t", R"(,"where":)" + std::string(where)), HasSubstr("[]")) << where;
    EXPECT_THAT(ask("aggregate",
                    R"({"class_name":"t","pipeline":[{"$match":)" + std::string(where) + "}]}"),
                HasSubstr("[]"))
        << where;
  }
  EXPECT_THAT(rows("t", R"(,"where":{"j.home.objectId":"h1"})"), HasSubstr("h1"));
}

// An agent with a list of classes.
class Listed : public Internal {
 protected:
  void SetUp() override {
    make(R"(CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer,
                          note JSON, word TEXT);
      INSERT INTO customer VALUES(41,'Ann'),(42,'Bob');
      INSERT INTO orders VALUES
        (1,42,'{"by":{"__type":"Pointer","className":"customer","objectId":"42"}}','41'),
        (2,41,'{"n":1}','x');)");
    rules_ = std::make_shared<const Rules>(
        std::make_shared<const ClassFilter>(std::nullopt, std::vector<std::string>{"customer"}));
  }
  std::string run(const std::string& pipeline) {
    return ask("aggregate", R"({"class_name":"orders","pipeline":)" + pipeline + "}");
  }
};

TEST_F(Listed, ClassesThatAreLeftOutAreAbsent) {
  const auto absent = [](std::string answer, const std::string& name) {
    for (auto at = answer.find(name); at != answer.npos; at = answer.find(name))
      answer.replace(at, name.size(), "X");
    return answer;
  };
  for (const char* op : {"query", "count", "samples", "schema", "explain", "export"}) {
    const std::string hidden = ask(op, R"({"class_name":"customer"})");
    EXPECT_THAT(hidden, HasSubstr("access_denied")) << op;
    EXPECT_EQ(absent(hidden, "customer"),
              absent(ask(op, R"({"class_name":"nothing1"})"), "nothing1"));
  }
  EXPECT_THAT(ask("schemas", "{}"), AllOf(HasSubstr("orders"), Not(HasSubstr("customer\""))));
  EXPECT_THAT(schema("orders"), Not(HasSubstr(R"("target_class")")));
  for (
      const char* stage :
      {R"({"$lookup":{"from":"customer","localField":"customer_id","foreignField":"id","as":"c"}})",
       R"({"$unionWith":"customer"})",
       R"({"$graphLookup":{"from":"customer","startWith":"$id","connectFromField":"id",
            "connectToField":"id","as":"c"}})"})
    EXPECT_THAT(run("[" + std::string(stage) + "]"), HasSubstr("access_denied")) << stage;
  EXPECT_THAT(rows("orders", R"(,"where":{"customer_id":{"$inQuery":{"className":"customer",
      "where":{"name":"Bob"}}}})"),
              HasSubstr("not visible"));
  for (const char* more : {R"(,"include":["customer_id"])", R"(,"keys":["customer_id.name"])"})
    EXPECT_THAT(rows("orders", more), AllOf(HasSubstr("redacted"), Not(HasSubstr("Bob")))) << more;
}

TEST_F(Listed, PointersToThemAreRedacted) {
  for (const std::string& answer :
       {rows("orders"), run("[]"), run(R"([{"$match":{"id":1}}])"),
        ask("get", R"({"class_name":"orders","object_id":"1"})"),
        rows("orders", R"(,"keys":["note.by","customer_id"])"),
        ask("group_by", R"({"class_name":"orders","field":"customer_id"})"),
        ask("distinct", R"({"class_name":"orders","field":"customer_id"})")}) {
    EXPECT_THAT(answer, AllOf(HasSubstr("redacted"), Not(HasSubstr("42")))) << answer;
  }
  EXPECT_THAT(rows("orders", R"(,"where":{"customer_id":42})"), HasSubstr("not visible"));
  EXPECT_THAT(rows("orders", R"(,"order":"customer_id")"), HasSubstr("not visible"));
  EXPECT_THAT(rows("orders", R"(,"where":{"note.by.objectId":"42"})"), HasSubstr("[]"));
  EXPECT_THAT(run(R"([{"$match":{"note.by.objectId":"42"}}])"), HasSubstr("[]"));
}

TEST_F(Listed, OnlyTheNamedClassesExist) {
  rules_ = std::make_shared<const Rules>(std::make_shared<const ClassFilter>(
      std::vector<std::string>{"customer"}, std::vector<std::string>{}));
  EXPECT_THAT(rows("customer"), HasSubstr("Bob"));
  EXPECT_THAT(rows("orders"), HasSubstr("access_denied"));
  EXPECT_THAT(ask("schemas", "{}"), Not(HasSubstr("orders")));
}

TEST_F(Listed, AnswersAreNotSharedWithAnotherList) {
  const RulesPtr narrow = std::exchange(rules_, nullptr);
  for (const char* op : {"query", "count", "aggregate"}) {
    const char* args = R"({"class_name":"customer"})";
    const std::string whole = op == std::string("aggregate")
                                  ? R"({"class_name":"customer","pipeline":[]})"
                                  : std::string(args);
    const std::string seen =
        R"({"class_name":"orders")" +
        std::string(op == std::string("aggregate") ? R"(,"pipeline":[]})" : "}");
    rules_ = nullptr;
    for (int i = 0; i < 4; ++i) {
      EXPECT_THAT(ask(op, whole), Not(HasSubstr("ERROR")));
      (void)ask(op, seen);
    }
    const std::string open = ask(op, seen);
    rules_ = narrow;
    EXPECT_THAT(ask(op, whole), HasSubstr("access_denied")) << op;
    for (int i = 0; i < 4; ++i) EXPECT_THAT(ask(op, seen), Not(HasSubstr("42"))) << op;
    rules_ = nullptr;
    EXPECT_EQ(ask(op, seen), open) << op;
  }
}

TEST_F(Internal, RowsAreSortedByVisibleValues) {
  make(R"(CREATE TABLE users(id INTEGER PRIMARY KEY, tenant TEXT, sessionToken TEXT);
    CREATE INDEX i ON users(tenant, sessionToken); CREATE INDEX j ON users(sessionToken);
    INSERT INTO users VALUES(1,'t','z'),(2,'t','a'),(3,'t','m');
    CREATE TABLE coded(sessionToken TEXT, label TEXT, PRIMARY KEY(sessionToken)) WITHOUT ROWID;
    INSERT INTO coded VALUES('z','1'),('a','2'),('m','3');
    CREATE VIEW seen AS SELECT label FROM coded;
    CREATE VIEW told AS SELECT tenant, id FROM users ORDER BY sessionToken;)");
  const std::string users =
      R"([{"objectId":"1","id":1},{"objectId":"2","id":2},{"objectId":"3","id":3}])";
  for (const char* more : {R"(,"keys":["id"])", R"(,"keys":["id"],"where":{"tenant":"t"})",
                           R"(,"keys":["id"],"order":"tenant")"}) {
    EXPECT_THAT(rows("users", more), HasSubstr(users)) << more;
  }
  for (const char* cls : {"coded", "seen"}) {
    EXPECT_THAT(rows(cls), HasSubstr(R"([{"label":"1"},{"label":"2"},{"label":"3"}])")) << cls;
    const std::string piped = ask(
        "aggregate", R"({"class_name":")" + std::string(cls) + R"(","pipeline":[{"$limit":1}]})");
    EXPECT_THAT(piped, HasSubstr(R"("label":"1")")) << cls;
    EXPECT_THAT(ask("samples", R"({"class_name":")" + std::string(cls) + R"(","limit":1})"),
                HasSubstr(R"("label":"1")"));
  }
  EXPECT_THAT(rows("told", R"(,"limit":1)"), HasSubstr(R"("id":1)"));
  EXPECT_THAT(ask("query", R"({"class_name":"coded","where":{"label":{"$select":{"query":
      {"className":"coded","limit":1},"key":"label"}}}})"),
              HasSubstr(R"([{"label":"1"}])"));
}

}  // namespace
}  // namespace gantry::data
