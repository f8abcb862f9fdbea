// What a model does to answers: descriptions and echoes of get_schema, and narrowed includes.
#include <gtest/gtest.h>

#include <fstream>

#include "catalog/floor.hpp"
#include "model/source.hpp"
#include "ops/model_check.hpp"
#include "small_database.hpp"

namespace gantry::data {
namespace {

namespace fs = std::filesystem;

class ModelOfAnswers : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, email TEXT, photo TEXT, age INT);
      CREATE TABLE orders(number INTEGER PRIMARY KEY, status TEXT, size INTEGER, live INTEGER,
                          customer_id INTEGER REFERENCES customers(id));
      CREATE TABLE notes(doc TEXT);
      INSERT INTO customers VALUES(1,'Ada','ada@x','PPP',36);
      INSERT INTO orders VALUES(10,'open',1,1,1),(11,'paid',2,0,1);
      INSERT INTO notes VALUES('{"_id":"n","text":"long","title":"T","of":{"__type":"Pointer",
        "className":"Customer","objectId":"1"}}');)sql");
  }
  void TearDown() override {
    SmallDatabase::TearDown();
    fs::remove_all(directory());
  }
  fs::path directory() const { return path_.string() + ".model"; }

  void model(const std::string& name, const std::string& text) {
    fs::create_directories(directory());
    std::ofstream(directory() / (name + ".json")) << text;
  }
  Status open(StoreOptions options = {}) {
    fs::create_directories(directory());
    auto source = model::Source::open(directory(), [](const std::string&) {});
    if (!source) return source.status();
    (*source)->check_with(refused_canonical_filters);
    options.model = std::move(*source);
    auto service = Service::open(path_.string(), std::move(options));
    if (!service) return service.status();
    service_ = std::move(*service);
    configure({}, JsonDialect::plain);
    return {};
  }
  void serve() {
    const Status opened = open();
    ASSERT_TRUE(opened) << opened.message();
  }
  void serve_shop(const std::string& of_customer) {
    model("customer", R"({"class":"Customer","table":"customers",)" + of_customer + "}");
    model("order", R"({"class":"Order","table":"orders",
        "pointers":{"customer":{"column":"customer_id"}}})");
    serve();
  }
  std::string query(const std::string& members) {
    return ask("query", R"({"class_name":"Order","limit":1,)" + members + "}");
  }
};

bool shows(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ModelOfAnswers, DescribesClassesAndFields) {
  model("order", R"({"class":"Order","table":"orders","description":"Orders since 2019",
      "large_fields":["status"],"fields":{"status":{"description":"State","enum":
      ["open",{"value":"paid","description":"money is in"}]},"size":{"enum":[1,2]}}})");
  serve();
  const std::string text = ask("schema", R"({"class_name":"Order"})");
  EXPECT_TRUE(shows(text, R"("type":"custom","description":"Orders since 2019")")) << text;
  EXPECT_TRUE(shows(text, R"("name":"status","type":"String","required":false,)"
                          R"("description":"State","allowed_values":[{"value":"open"},)"
                          R"({"value":"paid","description":"money is in"}],"large_field":true})"))
      << text;
  EXPECT_TRUE(shows(text, R"("allowed_values":[{"value":1},{"value":2}])")) << text;
  EXPECT_TRUE(shows(ask("schemas", "{}"),
                    R"({"name":"Order","description":"Orders since 2019","fields":6})"));
  EXPECT_FALSE(shows(text, "agent_fields"));
  EXPECT_FALSE(shows(text, "canonical_filter"));
}

TEST_F(ModelOfAnswers, EchoesTheDeclarationsOfTheModel) {
  model("order", R"({"class":"Order","table":"orders",
      "agent_fields":["number","status","live","objectId"],"agent_join_fields":["status"],
      "canonical_filter":{"$or":[{"live":1},{"status":"open"}]}})");
  serve();
  const std::string text = ask("schema", R"({"class_name":"Order"})");
  EXPECT_TRUE(shows(text, R"("agent_fields":["number","status","live"],)"
                          R"("agent_join_fields":["status"],)"
                          R"("canonical_filter":{"$or":[{"live":1},{"status":"open"}]})"))
      << text;
}

TEST_F(ModelOfAnswers, DescribesTheFieldsOfDocuments) {
  model("notes", R"({"class":"notes","document":"doc","large_fields":["text"],
      "fields":{"title":{"description":"Heading","enum":["T","U"]}}})");
  serve();
  const std::string text = ask("schema", R"({"class_name":"notes"})");
  EXPECT_TRUE(shows(text, R"("name":"title","type":"String","required":false,)"
                          R"("description":"Heading","allowed_values":[{"value":"T"})"))
      << text;
  EXPECT_TRUE(shows(text, R"("name":"text","type":"String","required":false,"large_field":true)"))
      << text;
}

TEST_F(ModelOfAnswers, NarrowsABareIncludeToTheJoinFields) {
  serve_shop(R"("agent_join_fields":["name"])");
  const std::string text = query(R"("keys":["number","customer"],"include":["customer"])");
  EXPECT_TRUE(shows(text, R"({"number":10,"customer":{"id":1,"name":"Ada"}})")) << text;
  EXPECT_TRUE(shows(text, R"("truncated_include_fields":{"customer":["email","photo","age"]})"))
      << text;
  const std::string one = ask("get", R"({"class_name":"Order","object_id":"10","keys":["customer"],
          "include":["customer"]})");
  EXPECT_TRUE(shows(one, R"({"truncated_include_fields":{"customer":[)")) << one;
  const std::string some =
      ask("get_many", R"({"class_name":"Order","ids":["10"],"keys":["customer"],
          "include":["customer"]})");
  EXPECT_TRUE(shows(some, R"("found":1,"truncated_include_fields":{"customer":[)")) << some;
}

TEST_F(ModelOfAnswers, NarrowsABareIncludeByItsLargeFields) {
  serve_shop(R"("large_fields":["photo"])");
  const std::string text = query(R"("keys":["customer"],"include":["customer"])");
  EXPECT_TRUE(shows(text, R"("customer":{"id":1,"name":"Ada","email":"ada@x","age":36})")) << text;
  EXPECT_TRUE(shows(text, R"("truncated_include_fields":{"customer":["photo"]})")) << text;
}

TEST_F(ModelOfAnswers, IncludesWholeObjectsWhereTheCallerSaysMore) {
  serve_shop(R"("agent_join_fields":["name"])");
  for (const char* members :
       {R"("include":["customer"])", R"("keys":["number","customer.photo"],"include":["customer"])",
        R"("keys":["customer","customer.photo"],"include":["customer"])"}) {
    const std::string text = query(members);
    EXPECT_TRUE(shows(text, "PPP")) << text;
    EXPECT_FALSE(shows(text, "truncated_include_fields")) << text;
  }
  serve_shop(R"("description":"no lists")");
  const std::string text = query(R"("keys":["customer"],"include":["customer"])");
  EXPECT_TRUE(shows(text, "PPP") && !shows(text, "truncated_include_fields")) << text;
}

TEST_F(ModelOfAnswers, NarrowsIncludesOfDocumentsToo) {
  model("notes", R"({"class":"notes","document":"doc"})");
  serve_shop(R"("agent_join_fields":["name"])");
  const std::string text = ask("query", R"({"class_name":"notes","keys":["of"],"include":["of"]})");
  EXPECT_TRUE(shows(text, "Ada") && !shows(text, "PPP")) << text;
  EXPECT_TRUE(shows(text, R"("truncated_include_fields":{"of":["email","photo","age"]})")) << text;
  const std::string whole = ask("query", R"({"class_name":"notes","include":["of"]})");
  EXPECT_TRUE(shows(whole, "PPP") && !shows(whole, "truncated_include_fields")) << whole;
}

TEST_F(ModelOfAnswers, IsRefusedForAFilterThatIsNoWhere) {
  const auto refusal = [this](const std::string& filter) {
    model("order", R"({"class":"Order","table":"orders",
"canonical_filter":)" + filter +
                       "}");
    const Status opened = open();
    return opened ? "accepted" : opened.message();
  };
  for (const char* good : {R"({"live":1})", R"({"$or":[{"live":{"$ne":0}},{"status":"open"}]})",
                           R"({"$expr":{"$gt":["$size",1]}})"}) {
    EXPECT_EQ(refusal(good), "accepted") << good;
  }
  for (const auto& [filter, words] : std::vector<std::pair<std::string, std::string>>{
           {R"({"live":{"$nee":1}})", "order.json:2: the filter is no valid where: "},
           {R"({"live":"yes"})", "order.json:2: the filter is no valid where: "},
           {R"({"$where":"1"})", "no valid where"}}) {
    EXPECT_TRUE(shows(refusal(filter), words)) << refusal(filter);
  }
  model("order", R"({"class":"notes","document":"doc","canonical_filter":{"a":{"$nee":1}}})");
  EXPECT_TRUE(shows(open().message(), "no valid where")) << open().message();
}

TEST_F(ModelOfAnswers, AppliesTheCanonicalFilterUnlessToldOtherwise) {
  model("order", R"({"class":"Order","table":"orders","canonical_filter":{"live":1}})");
  serve();
  const std::string off = R"("apply_canonical_filter":false)";
  EXPECT_EQ(ask("count", R"({"class_name":"Order"})"), R"({"count":1})");
  EXPECT_EQ(ask("count", R"({"class_name":"Order",)" + off + "}"), R"({"count":2})");
  EXPECT_FALSE(shows(ask("query", R"({"class_name":"Order"})"), "paid"));
  EXPECT_TRUE(shows(ask("query", R"({"class_name":"Order",)" + off + "}"), "paid"));
  const std::string pipeline = R"({"class_name":"Order","pipeline":[{"$count":"n"}])";
  EXPECT_TRUE(shows(ask("aggregate", pipeline + "}"), R"([{"n":1}])"));
  EXPECT_TRUE(shows(ask("aggregate", pipeline + "," + off + "}"), R"([{"n":2}])"));
  EXPECT_TRUE(shows(ask("get", R"({"class_name":"Order","object_id":"11"})"), "paid"));
  EXPECT_FALSE(shows(ask("samples", R"({"class_name":"Order"})"), "paid"));
}

TEST_F(ModelOfAnswers, ShowsTheCanonicalFilterInPlans) {
  model("order", R"({"class":"Order","table":"orders","canonical_filter":{"live":1}})");
  serve();
  const std::string plan =
      R"({"class_name":"Order","pipeline":[{"$match":{"size":1}},{"$limit":5}],"plan":true)";
  EXPECT_TRUE(shows(ask("aggregate", plan + "}"),
                    R"("pushed":[{"$match":{"live":1}},{"$match":{"size":1}})"))
      << ask("aggregate", plan + "}");
  EXPECT_FALSE(shows(ask("aggregate", plan + R"(,"apply_canonical_filter":false})"), "live"));
  const std::string groups = ask("group_by", R"({"class_name":"Order","field":"status",
      "dry_run":true})");
  EXPECT_TRUE(shows(groups, R"("pipeline":[{"$match":{"live":1}},)")) << groups;
}

TEST_F(ModelOfAnswers, WarnsOfValuesThatAFieldNeverHas) {
  model("order", R"({"class":"Order","table":"orders","fields":{"status":{"enum":["open","paid"]},
      "size":{"enum":[1,2]}}})");
  serve();
  const auto warnings = [this](const std::string& op, const std::string& args) {
    auto reply = service_->run(R"({"op":")" + op + R"(","args":)" + args + "}",
                               {Budget::for_ms(60'000), 4u << 20, rules_});
    return reply ? reply->warnings : reply.error().message;
  };
  const std::string said = R"('status' never is \"opne\". Did you mean \"open\"? )"
                           R"(Its values are \"open\", \"paid\".)";
  EXPECT_TRUE(shows(warnings("query", R"({"class_name":"Order","where":{"status":"opne"}})"), said))
      << warnings("query", R"({"class_name":"Order","where":{"status":"opne"}})");
  EXPECT_TRUE(shows(warnings("aggregate", R"({"class_name":"Order","pipeline":[
      {"$match":{"status":{"$in":["paid","opne"]}}}]})"),
                    said));
  EXPECT_TRUE(shows(warnings("count", R"({"class_name":"Order","where":{"size":{"$ne":3}}})"),
                    "'size' never is this number. Its values are 1, 2."));
  for (const char* where :
       {R"({"status":"open"})", R"({"size":{"$gt":5}})", R"({"size":2})", R"({"status":null})"}) {
    EXPECT_EQ(warnings("query", R"({"class_name":"Order","where":)" + std::string(where) + "}"),
              "");
  }
}

TEST_F(ModelOfAnswers, OpensAnInternalColumnThatTheModelAllows) {
  run_sql(
      "CREATE TABLE network(id INTEGER PRIMARY KEY, password TEXT, password_hash TEXT);"
      "INSERT INTO network VALUES(1,'guest1','h1'),(2,'guest2','h2')");
  serve();
  EXPECT_FALSE(shows(ask("query", R"({"class_name":"network"})"), "guest"));
  model("network", R"({"class":"network","allow_internal":["password"]})");
  serve();
  const std::string rows =
      ask("query", R"({"class_name":"network","where":{"password":"guest1"}})");
  EXPECT_TRUE(shows(rows, R"([{"id":1,"password":"guest1"}])")) << rows;
  const std::string groups = ask("aggregate", R"({"class_name":"network","pipeline":[
      {"$match":{"password":{"$gt":"guest1"}}},{"$project":{"_id":0,"p":"$password"}}]})");
  EXPECT_TRUE(shows(groups, R"([{"p":"guest2"}])")) << groups;
  EXPECT_TRUE(shows(ask("query", R"({"class_name":"network","keys":["password_hash"]})"),
                    "ERROR access_denied"));
}

TEST_F(ModelOfAnswers, OpensAHiddenTableThatTheModelOpens) {
  run_sql("CREATE TABLE schema_migrations(version TEXT); INSERT INTO schema_migrations VALUES(7)");
  serve();
  EXPECT_TRUE(shows(ask("count", R"({"class_name":"schema_migrations"})"), "ERROR access_denied"));
  model("migrations", R"({"class":"schema_migrations","hidden":false})");
  serve();
  EXPECT_EQ(ask("count", R"({"class_name":"schema_migrations"})"), R"({"count":1})");
}

TEST_F(ModelOfAnswers, ListsTheOperatorsBuiltInClassesApart) {
  ASSERT_TRUE(open({.built_in = {"orders", "nothing"}}));
  const std::string text = ask("schemas", "{}");
  EXPECT_TRUE(shows(text, R"("built_in":[{"name":"orders","fields":6}])")) << text;
}

TEST_F(ModelOfAnswers, HasNoneOfTheOperatorsInternalFields) {
  set_internal_fields({"EMAIL", "text"});
  serve();
  EXPECT_FALSE(shows(ask("query", R"({"class_name":"customers"})"), "ada@x"));
  EXPECT_FALSE(shows(ask("query", R"({"class_name":"notes"})"), "long"));
  set_internal_fields({});
  serve();
  EXPECT_TRUE(shows(ask("query", R"({"class_name":"customers"})"), "ada@x"));
}

}  // namespace
}  // namespace gantry::data
