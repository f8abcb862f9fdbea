// What gantry model guesses, and what it finds in a model.
#include <gtest/gtest.h>

#include "tools/gantry/model/audit.hpp"
#include "tools/gantry/model/guess.hpp"

namespace gantry::cli {
namespace {

using Words = std::vector<std::string>;

TEST(Guess, SplitsNamesIntoWords) {
  EXPECT_EQ(words_of("first_name"), (Words{"first", "name"}));
  EXPECT_EQ(words_of("firstName"), (Words{"first", "name"}));
  EXPECT_EQ(words_of("APIKey2 of-x"), (Words{"api", "key2", "of", "x"}));
  EXPECT_EQ(words_of("__"), Words{});
  EXPECT_EQ(sentence_of("order_lines"), "Order lines");
  EXPECT_EQ(sentence_of("Straße"), "Straße");
}

TEST(Guess, SuspectsFieldsByTheirNames) {
  for (const auto& [field, what] :
       std::vector<std::pair<std::string, std::string>>{{"api_key", "secret"},
                                                        {"apiKey", "secret"},
                                                        {"refresh_token", "secret"},
                                                        {"user_secret", "secret"},
                                                        {"pwd", "secret"},
                                                        {"e_mail", "personal"},
                                                        {"workEmail", "personal"},
                                                        {"phone", "personal"},
                                                        {"last_name", "personal"},
                                                        {"birth_date", "personal"},
                                                        {"dob", "personal"},
                                                        {"iban", "personal"},
                                                        {"account_number", "personal"},
                                                        {"card_number", "personal"},
                                                        {"street", "personal"}}) {
    const auto found = suspicion_of_name("t", field);
    ASSERT_TRUE(found) << field;
    EXPECT_EQ(found->what, what) << field;
    EXPECT_EQ(found->reason.find("the name says "), 0u);
  }
  for (const char* field :
       {"key", "status", "name", "number", "account_id", "spinner", "discard"}) {
    EXPECT_FALSE(suspicion_of_name("products", field)) << field;
  }
  EXPECT_TRUE(suspicion_of_name("customers", "name"));
}

TEST(Guess, SuspectsFieldsByHalfOfTheirValues) {
  const auto what = [](const Words& texts) {
    const auto found = suspicion_of_values(texts);
    return found ? found->what + ": " + found->reason : "nothing";
  };
  EXPECT_EQ(what({"a@b.org", "c@d.net", "none"}),
            "personal: 2 of 3 sampled values look like e-mail addresses");
  EXPECT_EQ(what({"a@b.org", "x", "y"}), "nothing");
  EXPECT_NE(what({"4111 1111 1111 1111"}).find("card numbers"), std::string::npos);
  EXPECT_EQ(what({"4111 1111 1111 1112"}), "nothing");
  EXPECT_NE(what({"DE89370400440532013000"}).find("account numbers"), std::string::npos);
  EXPECT_NE(what({"+49 30 901820", "(030) 90-18 20"}).find("phone numbers"), std::string::npos);
  EXPECT_NE(what({"$2b$12$abcdefghijklmnop"}).find("secret"), std::string::npos);
  EXPECT_NE(what({"d41d8cd98f00b204e9800998ecf8427e"}).find("secret"), std::string::npos);
  EXPECT_EQ(what({"2026-11-26", "2020-01-01"}), "nothing");
  EXPECT_EQ(what({"1", "22", "333"}), "nothing");
  EXPECT_EQ(what({}), "nothing");
}

TEST(Audit, LooksAtWhatAgentsSee) {
  const std::vector<ClassDescription> tables{{"orders",
                                              "id",
                                              {{"id", "Integer", "", {}},
                                               {"customer_id", "Integer", "", {}},
                                               {"status", "String", "", {}}}},
                                             {"_User", "id", {{"id", "Integer", "", {}}}},
                                             {"extra", "id", {{"id", "Integer", "", {}}}}};
  ModelFile order;
  order.cls = "Order", order.table = "orders", order.is_described = true;
  order.renamed["customer_id"] = "customer";
  order.agent_fields = Words{"status", "customer", "custmer"};
  order.described_fields = {"status"};
  ModelFile hidden;
  hidden.cls = hidden.table = "gone", hidden.is_hidden = true;
  EXPECT_EQ(
      json_of(audited({order, hidden}, tables)),
      R"({"classes_audited":2,"visible_classes_declared":false,)"
      R"("missing_class_descriptions":["extra"],)"
      R"("missing_field_descriptions":{"Order":["customer"],"extra":["id"]},)"
      R"("unresolvable_allowlist_entries":{"Order":[{"field":"custmer",)"
      R"("nearest":"customer"}]},"canonical_filter_summary":{},)"
      R"("notes":["The key 'id' of Order is not in agent_fields; agents see it as objectId"]})");
  order.is_visible = true;
  EXPECT_EQ(audited({order}, tables).classes_audited, 1u);
}

TEST(Audit, ListsWhatIsToBeDecided) {
  ModelFile person, hidden;
  person.file = "m/person.json", person.cls = person.table = "person", person.is_described = true;
  person.undecided = {{"mail", "personal", "the name says mail"}};
  hidden.file = "m/gone.json", hidden.cls = hidden.table = "gone", hidden.is_hidden = true;
  hidden.undecided = {{"pin", "secret", ""}};
  const ModelAudit found = audited({hidden, person}, {});
  EXPECT_NE(json_of(found).find(
                R"("undecided_fields":[{"file":"m/gone.json","class":"gone","field":"pin",)"
                R"("decide":"secret"},{"file":"m/person.json","class":"person","field":"mail",)"
                R"("decide":"personal","reason":"the name says mail"}])"),
            std::string::npos)
      << json_of(found);
  EXPECT_NE(text_of(found).find("Fields to be decided before gantryd takes the model:\n"
                                "  m/gone.json: gone.pin: secret\n"
                                "  m/person.json: person.mail: personal, the name says mail\n"),
            std::string::npos)
      << text_of(found);
}

}  // namespace
}  // namespace gantry::cli
