// What operators are told of a model: every layer of a class as a profile meets it, and what its
// rules cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/layers_ops.hpp"
#include "ops/tests/ruled_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLayeredSql =
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, tenant TEXT, seller TEXT, note TEXT, total REAL,"
    " readers TEXT, state TEXT);"
    "CREATE TABLE staff(code TEXT PRIMARY KEY, name TEXT);"
    "CREATE TABLE secrets(id INTEGER PRIMARY KEY);"
    "CREATE TABLE plain(id INTEGER PRIMARY KEY);"
    "CREATE VIEW totals AS SELECT seller, total FROM orders;"
    "CREATE VIEW ruled_totals AS SELECT seller, total FROM orders;"
    "CREATE VIEW plain_ids AS SELECT id FROM plain;";

const std::string kLayeredOrders =
    R"({"class":"orders","agent_fields":["seller","note","total","state"],"agent_join_fields":["total"],)"
    R"("protected_fields":{"*":["note"]},"tenant_scope":{"field":"tenant","bypass":"admin"},)"
    R"("acl":{"read":"readers"},"canonical_filter":{"$or":[{"state":"open"},)"
    R"({"state":null,"total":{"$gt":0}}]},)"
    R"("class_permissions":{"find":["*"],"get":["field:seller"],"count":["u2"]}})";

class Layers : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(kLayeredSql, {kLayeredOrders, R"({"class":"secrets","hidden":true})",
                             R"({"class":"ruled_totals","agent_fields":["total"]})"});
  }
  std::string told(const Service::Operation& operation, const std::string& args = "{}") {
    const auto reply = service_->run(R"({"op":"access","args":)" + args + "}", operation,
                                     {Budget{}, kDefaultAnswerBytes, rules_});
    return reply ? reply->meta : reply.error().message;
  }
  std::string layers(const std::string& cls) {
    return told(describe_layers, R"({"class_name":")" + cls + R"("})");
  }
};

TEST_F(Layers, AreAllRulesOfAClassAsTheProfileMeetsThem) {
  act_as(R"("agent":"a","depth":0,"permissions":"readonly","user":"u1","tenant_id":"t1")");
  EXPECT_EQ(layers("orders"),
            R"({"hidden":[{"class":"secrets","by":"hidden"},)"
            R"({"class":"totals","by":"view_of_ruled"}],)"
            R"("class":{"class_name":"orders","shown":true,)"
            R"("class_permissions":{"find":"allowed","get":{"own_rows_by":["seller"]},)"
            R"("count":"denied","create":"denied","update":"denied","delete":"denied"},)"
            R"("agent_fields":["seller","note","total","state"],"agent_join_fields":["total"],)"
            R"("protected_fields":["note"],"canonical_filter":["state","total"],)"
            R"("tenant_scope":{"field":"tenant","bypass":"admin","applies":true},)"
            R"("acl":{"read":"readers","null":"denied","applies":true}}})");
}

TEST_F(Layers, MarkTheLayersThatDoNotApplyToAMaster) {
  act_as(R"("agent":"a","depth":0,"permissions":"admin")");
  const std::string text = layers("orders");
  EXPECT_THAT(text, HasSubstr(R"("applies":false},"acl")"));
  EXPECT_THAT(text, HasSubstr(R"("null":"denied","applies":false)"));
  EXPECT_THAT(text, HasSubstr(R"("protected_fields":[])"));
  EXPECT_THAT(text, HasSubstr(R"("delete":"allowed")"));
  act_as(R"("agent":"a","depth":0,"permissions":"readonly")");
  EXPECT_THAT(layers("orders"), HasSubstr(R"("applies":true,"denied":"the agent has no tenant")"));
}

TEST_F(Layers, NameNoUserOfTheModel) {
  act_as(R"("agent":"a","depth":0,"permissions":"readonly","user":"u1","tenant_id":"t1")");
  EXPECT_THAT(layers("orders"), Not(HasSubstr("u2")));
  EXPECT_THAT(layers("orders"), Not(HasSubstr("open")));
}

TEST_F(Layers, SayWhyAClassIsNotShown) {
  act_as(R"("agent":"a","depth":0,"permissions":"readonly","classes":{"except":["plain"]})");
  EXPECT_THAT(
      layers("secrets"),
      HasSubstr(R"("class_name":"secrets","shown":false,"hidden_by":"hidden","hidden":true)"));
  EXPECT_THAT(layers("totals"), HasSubstr(R"("shown":false,"hidden_by":"view_of_ruled"})"));
  EXPECT_THAT(layers("plain"), HasSubstr(R"("shown":false,"hidden_by":"class_filter"})"));
  EXPECT_THAT(layers("plain_ids"), HasSubstr(R"("shown":false,"hidden_by":"view_of_ruled"})"));
  EXPECT_THAT(layers("ruled_totals"), HasSubstr(R"("shown":true)"));
  EXPECT_THAT(layers("nothing"), HasSubstr(R"("shown":false,"hidden_by":"absent"})"));
}

TEST_F(Layers, AreNamedForTheLogWhereTheyHideViews) {
  EXPECT_THAT(told(name_hidden_views), HasSubstr("limit an agent: totals over orders; state"));
  make_ruled(kLayeredSql, {});
  EXPECT_EQ(told(name_hidden_views), "");
}

TEST_F(Layers, HaveNotesOnHiddenViewsAndMissingIndexes) {
  const std::string notes = told(note_model);
  EXPECT_THAT(notes,
              HasSubstr("The view totals is absent for every agent that the rules of orders"));
  EXPECT_THAT(notes, HasSubstr("No index serves the tenant column 'tenant' of orders"));
  EXPECT_THAT(notes, HasSubstr("No index serves the access list 'readers' of orders"));
  EXPECT_THAT(notes, HasSubstr("The ids of orders number all rows"));
  for (const char* other : {"ruled_totals", "plain", "secrets"}) {
    EXPECT_THAT(notes, Not(HasSubstr(other)));
  }
  const std::string sql = kLayeredSql;
  make_ruled((sql + "CREATE INDEX both ON orders(tenant, readers);").c_str(), {kLayeredOrders});
  EXPECT_THAT(told(note_model), Not(HasSubstr("No index")));
  make_ruled((sql + "CREATE INDEX other ON orders(readers, tenant) WHERE state = 'open';").c_str(),
             {kLayeredOrders});
  EXPECT_THAT(told(note_model), HasSubstr("the tenant column"));
  EXPECT_THAT(told(note_model), HasSubstr("the access list"));
}

TEST_F(Layers, HaveNoNoteOnIdsThatDoNotNumberRows) {
  make_ruled(kLayeredSql, {R"({"class":"staff","tenant_scope":{"field":"name"}})",
                           R"({"class":"plain","agent_fields":["id"]})"});
  EXPECT_THAT(told(note_model), Not(HasSubstr("number all rows")));
}

}  // namespace
}  // namespace gantry::data
