// The keys of a model file: what they set, and which values are refused.
#include <gtest/gtest.h>

#include "model/model.hpp"

namespace gantry::data {
namespace {

using model::ModelClass;
using model::parse_class;

ModelClass parsed(const std::string& members) {
  const auto cls = parse_class("o.json", R"({"class":"Order",)" + members + "}");
  EXPECT_TRUE(cls) << cls.message();
  return cls ? *cls : ModelClass{};
}

std::string refusal_of(const std::string& members) {
  const auto cls = parse_class("o.json", R"({"class":"Order",)" + members + "}");
  return cls ? "accepted" : cls.message();
}

using Names = std::vector<std::string>;

TEST(ModelKeys, DescribeTheClassAndItsFields) {
  const ModelClass cls = parsed(R"("description":"Orders","fields":{"status":
      {"description":"State","enum":["open",{"value":"paid","description":"money is in"}]},
      "n":{"enum":[1,2.5]}})");
  EXPECT_EQ(cls.rules.description, "Orders");
  const auto& status = cls.fields.at("status");
  EXPECT_EQ(status.description, "State");
  ASSERT_EQ(status.allowed.size(), 2u);
  EXPECT_EQ(std::get<std::string>(status.allowed[1]), "paid");
  EXPECT_EQ(status.allowed_descriptions, (Names{"", "money is in"}));
  EXPECT_EQ(std::get<double>(cls.fields.at("n").allowed[1]), 2.5);
  EXPECT_TRUE(cls.fields.at("n").allowed_descriptions.empty());
}

TEST(ModelKeys, SetTheVisibilityForAgents) {
  using Hidden = ClassRules::Hidden;
  EXPECT_EQ(parsed(R"("hidden":true)").rules.hidden, Hidden::yes);
  EXPECT_EQ(parsed(R"("hidden":false)").rules.hidden, Hidden::no);
  EXPECT_EQ(parsed(R"("hidden":{"except":"master"})").rules.hidden, Hidden::except_master);
  EXPECT_FALSE(parsed(R"("visible":true)").rules.hidden.has_value());
  EXPECT_EQ(parsed(R"("visible":true)").rules.visible, true);
  EXPECT_EQ(parsed(R"("visible":false)").rules.visible, false);
  EXPECT_FALSE(parsed(R"("search":["a"])").rules.visible.has_value());
  const auto rules = parsed(R"("agent_fields":["a","b"],"agent_join_fields":["a","objectId"],
      "large_fields":["b"])")
                         .rules;
  EXPECT_EQ(rules.agent_fields, (Names{"a", "b"}));
  EXPECT_EQ(rules.agent_join_fields, (Names{"a", "objectId"}));
  EXPECT_EQ(rules.large_fields, Names{"b"});
  EXPECT_FALSE(parsed(R"("visible":true)").rules.agent_fields.has_value());
  EXPECT_EQ(parsed(R"("agent_fields":[])").rules.agent_fields, Names{});
}

TEST(ModelKeys, SayWhichRowsAndOperations) {
  const auto rules = parsed(R"("canonical_filter":{"status":{"$ne":"draft"}},
      "tenant_scope":{"field":"tenant_id","bypass":"admin"},
      "acl":{"read":"_rperm","write":"_wperm","null":"public"},
      "class_permissions":{"find":["*"],"get":["role:seller","u1","field:owner"],"count":[]},
      "protected_fields":{"*":["email"],"role:boss":[]})")
                         .rules;
  EXPECT_EQ(rules.canonical_filter, R"({"status":{"$ne":"draft"}})");
  EXPECT_EQ(rules.tenant->field + " " + rules.tenant->bypass, "tenant_id admin");
  EXPECT_EQ(rules.acl->read + " " + rules.acl->write, "_rperm _wperm");
  EXPECT_TRUE(rules.acl->null_is_public);
  EXPECT_FALSE(parsed(R"("acl":{"read":"r"})").rules.acl->null_is_public);
  EXPECT_EQ(rules.class_permissions->at("get"), (Names{"role:seller", "u1", "field:owner"}));
  EXPECT_EQ(rules.class_permissions->at("count"), Names{});
  EXPECT_EQ(rules.class_permissions->count("create"), 0u);
  EXPECT_EQ(rules.protected_fields.at("*"), Names{"email"});
  EXPECT_EQ(rules.protected_fields.at("role:boss"), Names{});
}

TEST(ModelKeys, MapPointersKeysAndTimestamps) {
  const ModelClass cls = parsed(R"("pointers":{"customer":"Customer",
      "author":{"column":"author_id","target_class":"User"},"editor":{"column":"editor_id"}},
      "id_field":"number","created_at":"made","updated_at":"changed","search":["title"],
      "allow_internal":["password"])");
  ASSERT_EQ(cls.pointers.size(), 3u);
  EXPECT_EQ(cls.pointers[0].column + " " + cls.pointers[0].target_class, "customer Customer");
  EXPECT_EQ(cls.pointers[1].name + " " + cls.pointers[1].column, "author author_id");
  EXPECT_EQ(cls.pointers[2].target_class, "");
  EXPECT_EQ(cls.id_field + " " + cls.created_at + " " + cls.updated_at, "number made changed");
  EXPECT_EQ(cls.search, Names{"title"});
  EXPECT_EQ(cls.allow_internal, Names{"password"});
}

TEST(ModelKeys, AreRefusedWhereTheyWouldHaveAnotherEffect) {
  for (const auto& [members, words] : std::vector<std::pair<std::string, std::string>>{
           {R"("hidden":"yes")", R"("hidden" must be true, false or {"except": "master"})"},
           {R"("hidden":{"except":"admin"})", "\"hidden\" must be true"},
           {R"("visible":1)", "\"visible\" must be true or false"},
           {R"("agent_fields":"a")", "\"agent_fields\" must be an array of strings"},
           {R"("agent_fields":["a",1])", "\"agent_fields\" must be a string"},
           {R"("agent_fields":["a","a"])", "names 'a' twice"},
           {R"("agent_fields":["a"],"agent_join_fields":["b"])", "'b' is in agent_join_fields"},
           {R"("canonical_filter":"open")", "a filter as in \"where\""},
           {R"("canonical_filter":{})", "at least one condition"},
           {R"("tenant_scope":{})", "needs \"field\""},
           {R"("tenant_scope":{"field":"t","bypass":"root"})", "\"tenant_scope.bypass\" must be a"},
           {R"("tenant_scope":{"field":"t","tier":"admin"})", "\"tenant_scope.tier\" is not known"},
           {R"("class_permissions":{"read":["*"]})", "\"class_permissions.read\" is not known"},
           {R"("class_permissions":{"find":["role:"]})", "'role:' is no group"},
           {R"("class_permissions":{"find":["field:"]})", "'field:' names no field"},
           {R"("protected_fields":{"role:":["a"]})", "'role:' is no group"},
           {R"("protected_fields":["a"])", "\"protected_fields\" must be an object"},
           {R"("acl":{"null":"public"})", "needs \"read\" or \"write\""},
           {R"("acl":{"read":"r","null":"none"})", "\"acl.null\" must be \"public\""},
           {R"("fields":{"a":{"enum":[]}})", "\"fields.a.enum\" must be an array"},
           {R"("fields":{"a":{"enum":[true]}})", "must be strings or numbers"},
           {R"("fields":{"a":{"enum":[{"description":"x"}]}})", "an entry has no \"value\""},
           {R"("fields":{"a":{"type":"x"}})", "\"fields.a.type\" is not known"},
           {R"("fields":{"a":{"decide":"later"}})", "\"secret\" or \"personal\""},
           {R"("fields":{"a":{"reason":"x"}})", "\"reason\" without \"decide\""},
           {R"("pointers":{"a":1})", "\"pointers.a\" must be the target class"},
           {R"("allow_internal":["_rperm"])", "'_rperm' is no column that can be allowed"},
           {R"("allow_internal":["name"])", "'name' is no column that can be allowed"}}) {
    const std::string text = refusal_of(members);
    EXPECT_NE(text.find(words), std::string::npos) << text << "\nwanted " << words;
    EXPECT_EQ(text.find("o.json:1: "), 0u) << text;
  }
}

TEST(ModelKeys, AreRefusedWithTheLineOfTheKey) {
  const std::string text =
      "{\"class\": \"Order\",\n \"acl\": {\"read\": \"r\",\n  \"null\": \"none\"}}";
  EXPECT_EQ(parse_class("o.json", text).message().find("o.json:3: \"acl.null\""), 0u)
      << parse_class("o.json", text).message();
  const std::string twice = "{\"class\": \"Order\",\n\"acl\": {\"read\": \"r\",\n\"read\": \"s\"}}";
  EXPECT_EQ(parse_class("o.json", twice).message(), "o.json:3: the key \"read\" is there twice");
}

TEST(ModelKeys, AreNoDeeperThanTheirReadersFollow) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "[";
  deep += std::string(100'000, ']');
  EXPECT_NE(refusal_of(R"("canonical_filter":{"a":)" + deep + "}").find("64 levels"),
            std::string::npos);
}

TEST(ModelKeys, TellWhichFieldsAreStillToBeDecided) {
  const ModelClass cls =
      parsed(R"("fields":{"a":{},"email":{"decide":"personal","reason":"looks like an e-mail"}})");
  const Status status = model::undecided(cls);
  EXPECT_EQ(status.message().find("o.json:1: the field 'email' still says \"decide\""), 0u)
      << status.message();
  EXPECT_NE(status.message().find("--accept-drafts"), std::string::npos);
  EXPECT_TRUE(model::undecided(parsed(R"("fields":{"a":{}})")));
}

}  // namespace
}  // namespace gantry::data
