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
       {"sort_key", "status", "name", "number", "account_id", "spinner", "discard", "file_name",
        "public_key", "parent_name", "city", "created_at", "monkey", "padding", "display_name"}) {
    EXPECT_FALSE(suspicion_of_name("products", field)) << field;
  }
  for (const char* field :
       {"key", "signing_key", "signingKey", "ssh_keys", "api_key_hash", "apikey"}) {
    EXPECT_EQ(suspicion_of_name("products", field)->what, "secret") << field;
  }
  for (const char* field : {"addr", "home_addr", "address2", "contact_name", "birthdate", "acct"}) {
    EXPECT_EQ(suspicion_of_name("products", field)->what, "personal") << field;
  }
}

TEST(Guess, SuspectsNamesInClassesOfPersons) {
  for (const char* cls : {"customers", "leads", "contacts", "employees", "Person", "sales_people",
                          "beneficiaries", "staff_2024"}) {
    EXPECT_TRUE(suspicion_of_name(cls, "name")) << cls;
    EXPECT_TRUE(suspicion_of_name(cls, "display_name")) << cls;
    EXPECT_FALSE(suspicion_of_name(cls, "city")) << cls;
  }
  for (const char* cls : {"products", "cities", "user_roles", "customer_types", "categories"}) {
    EXPECT_FALSE(suspicion_of_name(cls, "name")) << cls;
  }
}

std::string seen_in(const Words& texts) {
  const auto found = suspicion_of_values(texts);
  return found ? found->what + ": " + found->reason : "nothing";
}

TEST(Guess, SuspectsAddresses) {
  for (const char* address :
       {"Hauptstr. 1, 12345 Berlin", "Hauptstraße 12a", "Am Markt 3, 80331 München",
        "Unter den Linden 5, 10117 Berlin", "Gartenweg 7\n50667 Köln", "12 Main Street",
        "1 Infinite Loop, Cupertino, CA 95014", "4b Elm Ave., Springfield",
        "10 Downing Street, London, SW1A 2AA", "5 rue de Rivoli, 75001 Paris",
        "Calle Mayor 3, 28013 Madrid", "Via Roma 12"}) {
    EXPECT_EQ(seen_in({address}), "personal: 1 of 1 sampled values look like addresses") << address;
  }
  for (const char* other :
       {"Berlin", "New York, NY", "Blue chair 12", "Model 5, large", "2026-11-26", "Section 4",
        "Order 12 of 13", "12 pieces", "Via e-mail", "open", "Lorem ipsum dolor sit, amet 12"}) {
    EXPECT_EQ(seen_in({other}), "nothing") << other;
  }
  EXPECT_EQ(seen_in({std::string(100'000, 'a') + " 1, 12345 Berlin"}), "nothing");
}

TEST(Guess, SuspectsNamesOfPersons) {
  EXPECT_EQ(seen_in({"Ada Lovelace", "Grace Hopper", "Erika Mustermann", "Nguyen Van An"}),
            "personal: 2 of 4 sampled values look like names");
  EXPECT_NE(seen_in({"Lovelace, Ada"}), "nothing");
  EXPECT_NE(seen_in({"Dr. Jürgen von der Leyen-Meier"}), "nothing");
  EXPECT_NE(seen_in({"Anna", "Peter", "Li"}), "nothing");
  for (const Words& others :
       std::vector<Words>{{"Blue Chair", "Oak Table", "Desk Lamp"},
                          {"Berlin", "Paris", "San Francisco", "New York", "Santa Clara"},
                          {"Sales Manager", "Vice President"},
                          {"Acme Inc.", "Smith & Sons", "Siemens AG"},
                          {"open", "paid"},
                          {"Ada wrote the first program, and it ran", "Anna is away"}}) {
    EXPECT_EQ(seen_in(others), "nothing") << others[0];
  }
}

TEST(Guess, SuspectsBirthDatesAmongDaysOfPersons) {
  const auto seen = [](const char* cls, const char* field, const Words& texts) {
    const auto found = suspicion_of_days(cls, field, texts, 2026);
    return found ? found->reason : std::string("nothing");
  };
  EXPECT_EQ(seen("employees", "day", {"1981-03-01", "1990-12-24", "2020-01-01"}),
            "2 of 3 sampled values look like birth dates, in a class of persons");
  EXPECT_NE(seen("people", "date", {"1981-03-01T00:00:00.000Z"}), "nothing");
  EXPECT_NE(seen("leads", "d", {"01.03.1981", "3/1/1981"}), "nothing");
  EXPECT_EQ(seen("employees", "hire_date", {"1992-03-01"}), "nothing");
  EXPECT_EQ(seen("employees", "createdOn", {"1992-03-01"}), "nothing");
  EXPECT_EQ(seen("employees", "day", {"2020-03-01", "2021-01-01"}), "nothing") << "too young";
  EXPECT_EQ(seen("employees", "day", {"1981-03-01T10:11:12Z"}), "nothing") << "a time of day";
  EXPECT_EQ(seen("products", "day", {"1981-03-01"}), "nothing");
  EXPECT_EQ(seen("employees", "day", {}), "nothing");
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
  EXPECT_NE(what({"eyJhbGciOiJFUzI1NiJ9." + std::string(100'000, 'a')}).find("secret"),
            std::string::npos);
  EXPECT_EQ(what({std::string(100'000, 'a') + "@b.org"}), "nothing");
  EXPECT_EQ(what({"2026-11-26", "2020-01-01"}), "nothing");
  EXPECT_EQ(what({"1", "22", "333"}), "nothing");
  EXPECT_EQ(what({}), "nothing");
}

TEST(Audit, CoversTheFieldsThatAgentsSee) {
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

TEST(Audit, ListsTheUndecidedFields) {
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
