// What the rules of a class mean for an agent: shown or absent, its fields, its rows.
#include "policy/class_access.hpp"

#include <gtest/gtest.h>

#include "catalog/class_rules.hpp"
#include "policy/class_layers.hpp"
#include "policy/model_notes.hpp"

namespace gantry::data::class_access_test {
namespace {

using Names = std::vector<std::string>;

Rules agent(const std::string& members) {
  auto scope =
      parse_agent_scope("{" + members + (members.empty() ? "" : ",") + R"("fingerprint":"f"})");
  EXPECT_TRUE(scope) << scope.message();
  return Rules(std::move(*scope));
}

ClassInfo a_class(std::string name, const ClassRules* rules = nullptr) {
  ClassInfo cls;
  cls.table = "`main`.`" + name + "`";
  cls.name = std::move(name);
  if (rules != nullptr) cls.rules = std::make_shared<const ClassRules>(*rules);
  return cls;
}

Names shown(std::vector<ClassInfo> classes, const Rules& rules) {
  const auto names = shown_classes(Catalog(std::move(classes), 1), rules);
  return {names.begin(), names.end()};
}

ClassRules hidden(ClassRules::Hidden how) {
  ClassRules rules;
  rules.hidden = how;
  return rules;
}

TEST(ShownClasses, LeaveOutWhatTheFloorOrTheModelHides) {
  const ClassRules yes = hidden(ClassRules::Hidden::yes), no = hidden(ClassRules::Hidden::no),
                   others = hidden(ClassRules::Hidden::except_master);
  const std::vector<ClassInfo> classes = {a_class("a"),
                                          a_class("b", &yes),
                                          a_class("c", &others),
                                          a_class("_Session"),
                                          a_class("schema_migrations", &no),
                                          a_class("SCHEMA_MIGRATIONS_2"),
                                          a_class("flyway_schema_history")};
  EXPECT_EQ(shown(classes, agent("")),
            (Names{"SCHEMA_MIGRATIONS_2", "a", "c", "schema_migrations"}));
  EXPECT_EQ(shown(classes, agent(R"("user":"u")")),
            (Names{"SCHEMA_MIGRATIONS_2", "a", "schema_migrations"}));
}

TEST(ShownClasses, AreTheMarkedOnesWhereSomeAreMarked) {
  ClassRules marked, unmarked;
  marked.visible = true;
  unmarked.visible = false;
  EXPECT_EQ(shown({a_class("a"), a_class("b", &marked), a_class("c", &unmarked)}, agent("")),
            (Names{"b"}));
  EXPECT_EQ(shown({a_class("a"), a_class("c", &unmarked)}, agent("")), (Names{"a"}));
}

TEST(ShownClasses, AreNarrowedByTheAgentsListOnly) {
  EXPECT_EQ(shown({a_class("a"), a_class("b")}, agent(R"("classes":{"only":["b","zz"]})")),
            (Names{"b"}));
  EXPECT_EQ(shown({a_class("a"), a_class("_Session")}, agent(R"("classes":{"only":["_Session"]})")),
            Names{});
  EXPECT_EQ(shown({a_class("a"), a_class("B")}, agent(R"("classes":{"except":["b"]})")),
            (Names{"a"}));
}

TEST(ShownClasses, AViewOverARuledClassIsAbsentUntilItHasRulesItself) {
  ClassRules secret;
  secret.agent_fields = Names{"x"};
  ClassInfo table = a_class("t", &secret);
  ClassInfo view = a_class("v");
  view.type = ClassType::view;
  view.reads = {table.table};
  EXPECT_EQ(shown({table, view}, agent("")), (Names{"t"}));
  ClassRules stated;
  stated.agent_fields = Names{"y"};
  view.rules = std::make_shared<const ClassRules>(stated);
  EXPECT_EQ(shown({table, view}, agent("")), (Names{"t", "v"}));
  ClassRules described;
  described.description = "words alone are no rules";
  view.rules = std::make_shared<const ClassRules>(described);
  EXPECT_EQ(shown({table, view}, agent("")), (Names{"t"}));
  EXPECT_EQ(shown({a_class("t"), view}, agent(R"("classes":{"except":["t"]})")), Names{});
}

TEST(FieldsOfAnAgent, AreTheListedOnesAndAlwaysIdAndTimes) {
  ClassRules model;
  model.agent_fields = Names{"name"};
  const FieldRulesPtr fields = field_rules(a_class("c", &model), agent(""));
  ASSERT_NE(fields, nullptr);
  for (const char* name : {"name", "objectId", "_id", "createdAt", "updatedAt"}) {
    EXPECT_TRUE(fields->permits(name)) << name;
  }
  for (const char* name : {"Name", "salary", "", "name.first"}) {
    EXPECT_FALSE(fields->permits(name)) << name;
  }
  EXPECT_EQ(field_rules(a_class("c"), agent("")), nullptr);
}

TEST(FieldsOfAnAgent, LoseWhatEveryOneOfItsGroupsProtects) {
  ClassRules model;
  model.protected_fields = {
      {"*", {"salary", "note", "home.street"}}, {"role:boss", {"note"}}, {"u1", {}}};
  const ClassInfo cls = a_class("c", &model);
  const auto denied = [&](const std::string& members) {
    const FieldRulesPtr fields = field_rules(cls, agent(members));
    Names names;
    for (const char* name : {"home", "note", "salary"}) {
      if (fields != nullptr && !fields->permits(name)) names.emplace_back(name);
    }
    return names;
  };
  EXPECT_EQ(denied(R"("user":"u2")"), (Names{"home", "note", "salary"}));
  EXPECT_EQ(denied(R"("user":"u2","roles":["boss"])"), (Names{"note"}));
  EXPECT_EQ(denied(R"("user":"u1","roles":["boss"])"), Names{});
  EXPECT_EQ(denied(""), Names{}) << "a master belongs to no group";
}

RowRules rows_of(const ClassRules& model, const std::string& members, ClassOp op = ClassOp::find) {
  ClassInfo cls = a_class("c", &model);
  Field acl;
  acl.name = "acl";
  acl.column = "`acl`";
  cls.fields = {acl};
  return row_rules(cls, agent(members), op);
}

TEST(RowsOfAnAgent, AreRefusedWithoutTheTenantThatTheClassNeeds) {
  ClassRules model;
  model.tenant = TenantScope{"tenant", "write"};
  EXPECT_EQ(rows_of(model, "").refusal, RowRules::Refusal::tenant);
  const RowRules scoped = rows_of(model, R"("tenant_id":"acme")");
  EXPECT_EQ(scoped.refusal, RowRules::Refusal::none);
  EXPECT_EQ(scoped.tenant_field, "tenant");
  EXPECT_EQ(scoped.tenant, "acme");
  EXPECT_FALSE(rows_of(model, R"("permissions":"write")").any()) << "the bypass tier";
  EXPECT_FALSE(rows_of(model, R"("permissions":"admin")").any()) << "and those above it";
  model.tenant->bypass = "";
  EXPECT_EQ(rows_of(model, R"("permissions":"admin")").refusal, RowRules::Refusal::tenant);
}

TEST(RowsOfAnAgent, PermissionsUniteAndAnUndeclaredOperationIsNobodys) {
  ClassRules model;
  model.class_permissions = {{"find", {"field:owner", "role:boss"}}, {"get", {}}, {"count", {"*"}}};
  EXPECT_EQ(rows_of(model, R"("user":"u")").owner_fields, (Names{"owner"}));
  EXPECT_TRUE(rows_of(model, R"("user":"u","roles":["boss"])").owner_fields.empty());
  EXPECT_EQ(rows_of(model, R"("roles":["x"])").refusal, RowRules::Refusal::permission)
      << "an owner is a user";
  EXPECT_EQ(rows_of(model, R"("user":"u")", ClassOp::get).refusal, RowRules::Refusal::permission);
  EXPECT_EQ(rows_of(model, R"("user":"u")", ClassOp::count).refusal, RowRules::Refusal::none);
  EXPECT_EQ(rows_of(model, R"("user":"u")", ClassOp::update).refusal,
            RowRules::Refusal::permission);
  EXPECT_FALSE(rows_of(model, "", ClassOp::update).any()) << "a master";
}

TEST(RowsOfAnAgent, AccessListsAreOfReadersOrOfWriters) {
  ClassRules model;
  model.acl = RowAcl{"acl", "", true};
  const RowRules read = rows_of(model, R"("user":"u","roles":["a","b"])");
  EXPECT_EQ(read.acl_field, "acl");
  EXPECT_EQ(read.acl_column, "`acl`");
  EXPECT_TRUE(read.acl_null_is_public);
  EXPECT_EQ(read.readers, (Names{"*", "u", "role:a", "role:b"}));
  EXPECT_EQ(rows_of(model, R"("user":"u")", ClassOp::remove).acl_field, "");
  EXPECT_EQ(rows_of(model, "").acl_field, "") << "a master";
}

TEST(RowsOfAnAgent, AUserIsNeverTakenForAGroupOfTheList) {
  ClassRules model;
  model.acl = RowAcl{"acl", "acl", false};
  EXPECT_EQ(rows_of(model, R"("user":"role:boss")").readers, (Names{"*"}));
  EXPECT_EQ(rows_of(model, R"("user":"*")").readers, (Names{"*"}));
}

TEST(RowsOfAnAgent, AllLayersOfFiltersCount) {
  const RowRules rows = rows_of({}, R"("filters":[{"c":{"a":1},"default":{"d":1}},{"c":{"a":2}},
                                       {"c":{}},{"other":{"x":1}}])");
  EXPECT_EQ(rows.filters.size(), 2U);
  EXPECT_EQ(rows.defaults.size(), 1U);
}

TEST(LayersOfAClass, SayWhatIsProtectedFromThisAgent) {
  ClassRules model;
  model.agent_fields = Names{"name", "salary"};
  model.protected_fields = {{"*", {"salary", "unlisted"}}};
  const Catalog catalog({a_class("c", &model), a_class("sqlite_x")}, 1);
  EXPECT_EQ(class_layers(catalog, agent(R"("user":"u")"), "c").protected_fields, (Names{"salary"}));
  EXPECT_EQ(class_layers(catalog, agent(R"("user":"u")"), "none").model, nullptr);
  EXPECT_EQ(class_names(catalog), (Names{"c"}));
}

TEST(NotesOnAModel, NameTheIndexTheViewAndTheGaps) {
  ClassRules model;
  model.tenant = TenantScope{"tenant", ""};
  ClassInfo table = a_class("t", &model);
  table.id_form = IdForm::rowid;
  Field tenant;
  tenant.name = "tenant";
  table.fields = {tenant};
  ClassInfo view = a_class("v");
  view.reads = {table.table};
  const auto notes_with = [&](std::vector<Index> indexes) {
    table.indexes = std::move(indexes);
    std::string all;
    for (const std::string& note : model_notes(Catalog({table, view}, 1))) all += note + "\n";
    return all;
  };
  const std::string none = notes_with({});
  EXPECT_NE(none.find("tenant column 'tenant' of t"), std::string::npos) << none;
  EXPECT_NE(none.find("The view v is absent"), std::string::npos) << none;
  EXPECT_NE(none.find("ids of t number all rows"), std::string::npos) << none;
  EXPECT_EQ(notes_with({{"i", {"tenant", "x"}}}).find("No index"), std::string::npos);
  EXPECT_NE(notes_with({{"i", {"x", "tenant"}}}).find("No index"), std::string::npos);
  Index part{"i", {"tenant"}};
  part.partial = true;
  EXPECT_NE(notes_with({part}).find("No index"), std::string::npos) << "a part of the rows";
}

}  // namespace
}  // namespace gantry::data::class_access_test
