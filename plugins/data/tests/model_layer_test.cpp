// A model over the tables of a database: fields, pointers, ids, dates, and the names that it uses.
#include <gtest/gtest.h>

#include "model/lay_over.hpp"
#include "test_database.hpp"

namespace gantry::data {
namespace {

constexpr const char* kShop = R"(
    CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, password TEXT, _rperm TEXT);
    CREATE TABLE orders(number TEXT PRIMARY KEY, status TEXT, customer_id INTEGER
      REFERENCES customers(id), seller INTEGER, made INTEGER, tenant_id TEXT, total REAL);
    CREATE INDEX by_customer ON orders(customer_id);
    CREATE TABLE notes(doc TEXT);
    CREATE TABLE lines(id INTEGER PRIMARY KEY, order_number TEXT REFERENCES orders(number));
    CREATE TABLE schema_migrations(version TEXT);
    CREATE VIRTUAL TABLE order_words USING fts5(status, content='orders');
)";

class ModelLayer : public ::testing::Test {
 protected:
  model::ModelResult apply(const std::vector<std::string>& texts) {
    model::Model all;
    for (const std::string& text : texts) {
      auto cls = model::parse_class("o.json", text);
      EXPECT_TRUE(cls) << cls.message();
      if (cls) all.classes.push_back(std::move(*cls));
    }
    auto store = sqlite::Store::open(database_.path());
    EXPECT_TRUE(store) << store.message();
    return model::apply_model(all, (*(*store)->catalog(Budget{}))->classes());
  }
  // The class of that name after the description of the orders.
  ClassInfo laid(const std::string& members, const std::string& name = "Order") {
    const auto result = apply({R"({"class":"Order","table":"orders",)" + members + "}"});
    EXPECT_TRUE(result.misfits.empty()) << result.misfits.front();
    for (const ClassInfo& cls : result.classes) {
      if (cls.name == name) return cls;
    }
    return {};
  }
  std::string misfit(const std::string& members) {
    const auto result = apply({R"({"class":"Order","table":"orders",)" + members + "}"});
    for (const ClassInfo& cls : result.classes) EXPECT_NE(cls.table, "`main`.`orders`");
    return result.misfits.empty() ? "fits" : result.misfits.front();
  }

  testing::TestDatabase database_{kShop};
};

TEST_F(ModelLayer, HangsRulesAndDescriptionsOnTheClass) {
  const ClassInfo cls = laid(R"("description":"Orders","agent_fields":["status"],"fields":
      {"status":{"description":"State","enum":["open",{"value":"paid","description":"in"}]}})");
  ASSERT_NE(cls.rules, nullptr);
  EXPECT_EQ(cls.rules->description, "Orders");
  EXPECT_EQ(cls.rules->agent_fields, std::vector<std::string>{"status"});
  const Field* const status = cls.find("status");
  EXPECT_EQ(status->description, "State");
  EXPECT_EQ(status->allowed.size(), 2u);
  EXPECT_EQ(status->allowed_descriptions[1], "in");
  EXPECT_EQ(laid(R"("visible":true)", "customers").rules, nullptr);
}

TEST_F(ModelLayer, RenamesAPointerTogetherWithItsIndexes) {
  const ClassInfo cls = laid(R"("pointers":{"customer":{"column":"customer_id"}})");
  const Field* const pointer = cls.find("customer");
  ASSERT_NE(pointer, nullptr);
  EXPECT_EQ(cls.find("customer_id"), nullptr);
  EXPECT_EQ(pointer->column, "`customer_id`");
  EXPECT_EQ(pointer->target_class + "." + pointer->target_field, "customers.id");
  EXPECT_EQ(cls.rules->storage_names.at("customer_id"), "customer");
  bool is_indexed = false;
  for (const Index& index : cls.indexes) is_indexed |= index.fields.front() == "customer";
  EXPECT_TRUE(is_indexed);
}

TEST_F(ModelLayer, DeclaresPointersThatNoForeignKeyTells) {
  const ClassInfo cls = laid(R"("pointers":{"seller":"customers"})");
  const Field* const pointer = cls.find("seller");
  EXPECT_EQ(pointer->kind, Kind::pointer);
  EXPECT_EQ(pointer->native, Kind::integer);
  EXPECT_EQ(pointer->target_class + "." + pointer->target_field, "customers.id");
  for (const auto& [pointers, words] : std::vector<std::pair<std::string, std::string>>{
           {R"({"seller":"Nothing"})", "o.json:1: there is no class 'Nothing'"},
           {R"({"seller":"notes"})", "no key of one column"},
           {R"({"seller":{"column":"seller"}})", "has no foreign key; say which class"},
           {R"({"seller":{"column":"sellers"}})", "has no column 'sellers'"},
           {R"({"status":{"column":"customer_id"}})", "another column 'status'"},
           {R"({"_rperm":{"column":"customer_id"}})", "never shown"}}) {
    const std::string text = misfit(R"("pointers":)" + pointers);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  }
}

TEST_F(ModelLayer, MapsTheIdAndTheDates) {
  const ClassInfo cls = laid(R"("id_field":"seller","created_at":"made")");
  EXPECT_EQ(cls.fields[cls.id_fields.at(0)].name, "seller");
  ASSERT_TRUE(cls.created_at);
  EXPECT_EQ(cls.fields[*cls.created_at].name, "made");
  EXPECT_NE(misfit(R"("id_field":"nr")").find("no field 'nr'"), std::string::npos);
  EXPECT_NE(misfit(R"("updated_at":"changed")").find("no field 'changed'"), std::string::npos);
  EXPECT_NE(misfit(R"("created_at":"customer_id")").find("no date"), std::string::npos);
}

TEST_F(ModelLayer, MakesAForeignKeyToAnotherColumnThanTheIdPlain) {
  EXPECT_EQ(laid(R"("id_field":"number")", "lines").find("order_number")->kind, Kind::pointer);
  EXPECT_EQ(laid(R"("id_field":"seller")", "lines").find("order_number")->kind, Kind::string);
}

TEST_F(ModelLayer, LimitsSearchToTheStatedFields) {
  EXPECT_EQ(laid(R"("search":["status"])").searches.size(), 1u);
  EXPECT_EQ(laid(R"("visible":true)").searches.size(), 1u);
  EXPECT_NE(misfit(R"("search":["number"])").find("no full-text index"), std::string::npos);
}

TEST_F(ModelLayer, RefusesNamesThatNoFieldHas) {
  for (const auto& [members, words] : std::vector<std::pair<std::string, std::string>>{
           {R"("agent_fields":["stats"])",
            "o.json:1: 'stats' is no field of 'Order'; did you mean 'status'?"},
           {R"("agent_join_fields":["stats"])", "did you mean 'status'?"},
           {R"("large_fields":["stats"])", "did you mean 'status'?"},
           {R"("fields":{"stats":{}})", "did you mean 'status'?"},
           {R"("tenant_scope":{"field":"tenant"})", "'tenant' is no field"},
           {R"("protected_fields":{"*":["x"]})", "'x' is no field"},
           {R"("class_permissions":{"find":["field:owner"]})", "'owner' is no field"},
           {R"("acl":{"read":"readers"})", "'readers' is no field"},
           {R"("canonical_filter":{"$or":[{"stats":1}]})", "did you mean 'status'?"},
           {R"("agent_fields":["customer_id"],"pointers":{"customer":{"column":"customer_id"}})",
            "did you mean 'customer'?"},
           {R"("fields":{"createdAt":{}})", "is no column of the table"},
           {R"("fields":{"status":{"enum":[1]}})", "the field 'status' is a String"},
           {R"("fields":{"total":{"enum":["1"]}})", "the field 'total' is a Number"},
           {R"("large_fields":["customer_id"])", "is a pointer, which is never large"},
           {R"("agent_fields":["total"],"canonical_filter":{"$and":[{"status":"open"}]})",
            "the filter uses 'status', which is not in agent_fields"}}) {
    const std::string text = misfit(members);
    EXPECT_NE(text.find(words), std::string::npos) << text << "\nwanted " << words;
  }
}

TEST_F(ModelLayer, NamesNoInternalColumnUnlessItIsAllowed) {
  const auto of_customers = [this](const std::string& members) {
    const auto result = apply({R"({"class":"customers",)" + members + "}"});
    return result.misfits.empty() ? "fits" : result.misfits.front();
  };
  EXPECT_NE(of_customers(R"("agent_fields":["name","password"])")
                .find("say \"allow_internal\": [\"password\"]"),
            std::string::npos);
  EXPECT_NE(of_customers(R"("agent_fields":["_rperm"])").find("never shown; remove it"),
            std::string::npos);
  EXPECT_NE(of_customers(R"("canonical_filter":{"_rperm.a":1})").find("never shown"),
            std::string::npos);
  EXPECT_EQ(of_customers(R"("acl":{"read":"_rperm"})"), "fits");
  const auto opened =
      apply({R"({"class":"customers","allow_internal":["password"],"agent_fields":["password"]})"});
  EXPECT_TRUE(opened.misfits.empty());
  ASSERT_EQ(opened.opened.size(), 1u);
  EXPECT_NE(opened.opened[0].find("security: o.json opens to agents the column 'password'"),
            std::string::npos);
}

TEST_F(ModelLayer, OpensAHiddenTableOnlyWhereItSaysSo) {
  EXPECT_NE(apply({R"({"class":"schema_migrations"})"}).misfits.at(0).find("\"hidden\": false"),
            std::string::npos);
  const auto opened = apply({R"({"class":"schema_migrations","hidden":false})"});
  EXPECT_TRUE(opened.misfits.empty());
  EXPECT_EQ(opened.opened.size(), 1u);
  EXPECT_NE(apply({R"({"class":"sqlite_schema","hidden":false})"}).misfits.at(0).find("no table"),
            std::string::npos);
  EXPECT_NE(apply({R"({"class":"_Session","table":"orders"})"}).misfits.at(0).find("no class can"),
            std::string::npos);
}

TEST_F(ModelLayer, RefusesKeysOfColumnsInAClassOfDocuments) {
  for (const char* key : {R"("id_field":"a")", R"("search":["a"])", R"("pointers":{"a":"orders"})",
                          R"("created_at":"a")", R"("updated_at":"a")"}) {
    const auto result = apply({R"({"class":"notes","document":"doc",)" + std::string(key) + "}"});
    ASSERT_EQ(result.misfits.size(), 1u) << key;
    EXPECT_NE(result.misfits[0].find("no effect beside \"document\""), std::string::npos);
  }
  const auto described =
      apply({R"({"class":"notes","document":"doc","fields":{"a":{"description":"A"}},"agent_fields":
          ["a"]})"});
  ASSERT_TRUE(described.misfits.empty());
  for (const ClassInfo& cls : described.classes) {
    if (cls.name != "notes") continue;
    EXPECT_EQ(cls.stated.at(0).description, "A");
  }
}

}  // namespace
}  // namespace gantry::data
