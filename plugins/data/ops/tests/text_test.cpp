// $text, evaluated by full-text indexes of the database.
#include <gtest/gtest.h>

#include <string>

#include "ops/error_details.hpp"
#include "small_database.hpp"

namespace gantry::data::text_test {
namespace {

constexpr const char* kNotes = R"sql(
  CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body TEXT, stars INTEGER, password TEXT);
  INSERT INTO note VALUES
    (1, 'Coffee shop', 'roasting and brewing', 3, 'hidden'),
    (2, 'Café au lait', 'coffee with milk', 5, 'hidden'),
    (3, 'Tea', 'no beans, a shop of leaves', 4, 'hidden'),
    (4, 'Pre-market', 'the "big" deal', 1, 'secretword'),
    (5, NULL, 'AND NEAR OR NOT', 2, NULL);
  CREATE INDEX note_by_stars ON note(stars);
  CREATE VIRTUAL TABLE note_fts USING fts5(title, body, content='note', content_rowid='id');
  INSERT INTO note_fts(note_fts) VALUES('rebuild');
  CREATE TABLE word(title TEXT);
  INSERT INTO word VALUES('running dogs');
  CREATE VIRTUAL TABLE "word's index" USING FTS5(title, content=word, tokenize='porter ascii');
  INSERT INTO "word's index"("word's index") VALUES('rebuild');
  CREATE TABLE account(id INTEGER PRIMARY KEY, name TEXT, password TEXT);
  INSERT INTO account VALUES(1, 'ann', 'topsecret');
  CREATE VIRTUAL TABLE account_fts USING fts5(name, password, content='account', content_rowid='id');
  INSERT INTO account_fts(account_fts) VALUES('rebuild');
  CREATE TABLE plain(id INTEGER PRIMARY KEY, title TEXT);
  CREATE VIRTUAL TABLE loose USING fts5(title, content='');
  CREATE VIRTUAL TABLE own USING fts5(title, source UNINDEXED, tokenize=porter);
  INSERT INTO own VALUES('own text', 'from elsewhere'), ('texts of others', 'own');
  CREATE VIRTUAL TABLE own_secret USING fts5(title, password);
  INSERT INTO own_secret VALUES('open', 'topsecret');
  CREATE TABLE gram(id INTEGER PRIMARY KEY, title TEXT);
  CREATE VIRTUAL TABLE gram_fts USING fts5(title, content='gram', content_rowid='id',
                                          tokenize='trigram');
  CREATE TABLE two(id INTEGER PRIMARY KEY, a TEXT, b TEXT);
  INSERT INTO two VALUES(1, 'x', 'y'), (2, 'y', 'x');
  CREATE VIRTUAL TABLE two_a USING fts5(a, content='two', content_rowid='id');
  CREATE VIRTUAL TABLE two_b USING fts5(b, content='two', content_rowid='id');
  INSERT INTO two_a(two_a) VALUES('rebuild');
  INSERT INTO two_b(two_b) VALUES('rebuild');)sql";

class Text : public SmallDatabase {
 protected:
  void SetUp() override { make(kNotes); }

  std::string of_class(const std::string& cls, const std::string& where) {
    return ids(ask("query", R"({"class_name":")" + cls + R"(","where":)" + where + "}"));
  }
  std::string found(const std::string& where) { return of_class("note", where); }
  std::string search(const std::string& json_text) {
    return found(R"({"$text":{"$search":)" + json_text + "}}");
  }
  std::string matched(const std::string& match) {
    return ids(ask("aggregate", R"({"class_name":"note","pipeline":[{"$match":)" + match +
                                    R"(},{"$sort":{"_id":1}}]})"));
  }

  // The objectIds of an answer, or the error.
  static std::string ids(const std::string& answer) {
    if (answer.starts_with("ERROR")) return answer;
    std::string list;
    constexpr std::string_view kKey = R"("objectId":")";
    for (auto at = answer.find(kKey); at != std::string::npos; at = answer.find(kKey, at + 1)) {
      const auto begin = at + kKey.size();
      list += (list.empty() ? "" : ",") + answer.substr(begin, answer.find('"', begin) - begin);
    }
    return list;
  }

  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(Text, FindsAnyOfTheWordsInAnyFieldOfTheIndex) {
  EXPECT_EQ(search(R"("coffee")"), "1,2");
  EXPECT_EQ(search(R"("MILK leaves")"), "2,3");
  EXPECT_EQ(search(R"("cafe")"), "2");
  EXPECT_EQ(search(R"("hidden secretword")"), "");
}

TEST_F(Text, PhrasesMustBeThereAndNegationsMustNot) {
  EXPECT_EQ(search(R"("\"coffee shop\"")"), "1");
  EXPECT_EQ(search(R"("\"shop\" \"leaves\" milk")"), "3");
  EXPECT_EQ(search(R"("shop -tea")"), "1");
  EXPECT_EQ(search(R"("coffee -\"with milk\"")"), "1");
  EXPECT_EQ(search(R"("-tea")"), "");
  EXPECT_EQ(search(R"("market")"), "4");
}

TEST_F(Text, NothingOfTheSearchIsTakenForTheLanguageOfTheIndex) {
  EXPECT_EQ(search(R"("AND")"), "1,5");
  EXPECT_EQ(search(R"("NEAR")"), "5");
  EXPECT_EQ(search(R"("title:coffee*")"), "1,2");
  EXPECT_EQ(search(R"("\"")"), "");
  EXPECT_EQ(search(R"("leaves\u0000\" milk")"), "2,3");
  EXPECT_EQ(search(R"("') OR 1=1 --")"), "5");
}

TEST_F(Text, GoesWithOtherConditionsAndCounts) {
  EXPECT_EQ(found(R"({"$text":{"$search":"shop coffee"},"stars":{"$gt":3}})"), "2,3");
  EXPECT_EQ(found(R"({"$and":[{"stars":3},{"$text":{"$search":"shop"}}]})"), "1");
  EXPECT_TRUE(has(ask("count", R"({"class_name":"note","where":{"$text":{"$search":"coffee"}}})"),
                  R"("count":2)"));
}

TEST_F(Text, AsksOneFieldWhereTheTextStandsBehindItsName) {
  EXPECT_EQ(found(R"({"title":{"$text":{"$search":{"$term":"coffee"}}}})"), "1");
  EXPECT_EQ(found(R"({"body":{"$text":{"$search":"coffee"}}})"), "2");
  EXPECT_EQ(found(R"({"body":{"$text":{"$search":"a shop -leaves"}}})"), "");
  EXPECT_TRUE(has(found(R"({"stars":{"$text":{"$search":"3"}}})"), "none has field 'stars'"));
}

TEST_F(Text, IsTheFirstMatchOfAPipelineWithPushdownAndWithout) {
  for (const bool pushdown : {true, false}) {
    configure({pushdown, false, false});
    EXPECT_EQ(matched(R"({"$text":{"$search":"coffee"}})"), "1,2");
    EXPECT_EQ(matched(R"({"$and":[{"$text":{"$search":"coffee"}},{"stars":5}]})"), "2");
    EXPECT_EQ(matched(R"({"title":{"$text":{"$search":"coffee"},"$ne":"x"},"stars":3})"), "1");
    const std::string later = ask(
        "aggregate",
        R"({"class_name":"note","pipeline":[{"$limit":9},{"$match":{"$text":{"$search":"x"}}}]})");
    EXPECT_TRUE(has(later, "first stage only")) << later;
  }
}

TEST_F(Text, IsTheUseOfAnIndexAndNoFullScan) {
  for (const bool pushdown : {true, false}) {
    configure({pushdown, true, true});
    EXPECT_EQ(search(R"("coffee")"), "1,2");
    EXPECT_EQ(matched(R"({"$text":{"$search":"coffee"}})"), "1,2");
    const std::string ordered =
        ask("query",
            R"({"class_name":"note","order":"-stars","where":{"$text":{"$search":"coffee"}}})");
    EXPECT_EQ(ids(ordered), "2,1");
    const std::string plan = ask("aggregate", R"({"class_name":"note","plan":true,
            "pipeline":[{"$match":{"stars":5,"$text":{"$search":"coffee"}}}]})");
    EXPECT_TRUE(has(plan, R"({"$text":{"$search":"coffee"}})")) << plan;
    EXPECT_TRUE(has(plan, R"("full_scan":false)")) << plan;
    EXPECT_TRUE(has(plan, "note_fts")) << plan;
  }
  const std::string plan =
      ask("explain", R"({"class_name":"note","where":{"$text":{"$search":"coffee"}}})");
  EXPECT_TRUE(has(plan, R"("full_scan":false)")) << plan;
  EXPECT_TRUE(has(plan, "note_fts")) << plan;
  EXPECT_TRUE(
      has(ask("query", R"({"class_name":"note","where":{"title":"x"}})"), "security_blocked"));
}

TEST_F(Text, StandsOnlyWhereAllRowsMustSatisfyIt) {
  for (const char* where : {R"({"$or":[{"$text":{"$search":"x"}},{"stars":1}]})",
                            R"({"$nor":[{"$and":[{"$text":{"$search":"x"}}]}]})",
                            R"({"$or":[{"title":{"$text":{"$search":"x"}}}]})",
                            R"({"title":{"$not":{"$text":{"$search":"x"}}}})"}) {
    EXPECT_TRUE(has(found(where), "cannot stand inside")) << where;
  }
  for (const char* match : {R"({"$or":[{"$text":{"$search":"x"}}]})",
                            R"({"title":{"$not":{"$text":{"$search":"x"}}}})"}) {
    EXPECT_TRUE(matched(match).starts_with("ERROR invalid_query")) << match;
  }
}

TEST_F(Text, RefusesOptionsThatTheIndexCannotHonour) {
  const auto with = [&](const std::string& cls, const std::string& option) {
    return of_class(cls, R"({"$text":{"$search":"coffee",)" + option + "}}");
  };
  EXPECT_TRUE(has(with("note", R"("$caseSensitive":true)"), "'$caseSensitive'"));
  EXPECT_TRUE(has(with("note", R"("$diacriticSensitive":true)"), "'$diacriticSensitive'"));
  EXPECT_TRUE(has(with("note", R"("$language":"french")"), "'$language'"));
  EXPECT_EQ(with("note", R"("$language":"none","$caseSensitive":false)"), "1,2");
  EXPECT_EQ(with("word", R"("$language":"english","$diacriticSensitive":true)"), "");
  EXPECT_TRUE(has(with("note", R"("$other":1)"), "'$other'"));
  EXPECT_TRUE(has(search("3.14"), "needs a string"));
  EXPECT_TRUE(has(search(R"({"$term":"x"})"), "needs a string"));
  EXPECT_TRUE(has(found(R"({"$text":"x"})"), "needs an object"));
  EXPECT_TRUE(has(found(R"({"$text":{}})"), "needs a $search"));
}

TEST_F(Text, TakesIndexesAsTheyWereMade) {
  EXPECT_EQ(of_class("word", R"({"$text":{"$search":"run"}})"), "1");
  EXPECT_EQ(of_class("two", R"({"a":{"$text":{"$search":"x"}}})"), "1");
  EXPECT_EQ(of_class("two", R"({"b":{"$text":{"$search":"x"}}})"), "2");
  const std::string several = of_class("two", R"({"$text":{"$search":"x"}})");
  EXPECT_TRUE(has(several, "several search indexes: two_a ('a') two_b ('b')")) << several;
  EXPECT_TRUE(has(of_class("gram", R"({"$text":{"$search":"x"}})"), "trigram"));
}

TEST_F(Text, SaysThatAClassHasNoIndexAndNamesRegex) {
  const std::string answer = of_class("plain", R"({"$text":{"$search":"x"}})");
  EXPECT_TRUE(has(answer, "invalid_query: $text needs a search index, and class 'plain' has none"))
      << answer;
  EXPECT_TRUE(has(answer, "Use $regex")) << answer;
}

TEST_F(Text, AnIndexWithAnInternalColumnIsNotAskedAtAll) {
  for (const char* where :
       {R"({"$text":{"$search":"topsecret"}})", R"({"name":{"$text":{"$search":"ann"}}})"}) {
    const std::string answer = of_class("account", where);
    EXPECT_TRUE(answer.starts_with("ERROR invalid_query")) << answer;
    EXPECT_FALSE(has(answer, "account_fts") || has(answer, "password")) << answer;
  }
  EXPECT_FALSE(has(ask("schema", R"({"class_name":"account"})"), "account_fts"));
}

TEST_F(Text, IndexesAreNoClassesAndOtherTablesStayOnes) {
  const std::string all = ask("schemas", "{}");
  for (const char* hidden : {"note_fts", "word's index", "account_fts", "note_fts_data", "two_a"}) {
    EXPECT_FALSE(has(all, "\"" + std::string(hidden) + "\"")) << hidden;
    const std::string args = R"({"class_name":")" + std::string(hidden) + R"("})";
    EXPECT_TRUE(ask("query", args).starts_with("ERROR access_denied")) << hidden;
  }
  for (const char* shown : {"note", "loose", "own"}) {
    EXPECT_TRUE(has(all, "\"" + std::string(shown) + "\"")) << shown;
  }
  const std::string note = ask("schema", R"({"class_name":"note"})");
  EXPECT_TRUE(
      has(note, R"({"name":"note_fts","fields":["title","body"],"unique":false,"text":true})"))
      << note;
}

TEST_F(Text, ATableOfItsOwnIsItsIndex) {
  configure({true, true, true});
  const auto own = [&](const std::string& where) { return of_class("own", where); };
  EXPECT_EQ(own(R"({"$text":{"$search":"text"}})"), "1,2");
  EXPECT_EQ(own(R"({"$text":{"$search":"own"}})"), "1") << "what is UNINDEXED is not searched";
  EXPECT_EQ(own(R"({"title":{"$text":{"$search":"others"}},"source":"own"})"), "2");
  EXPECT_TRUE(has(own(R"({"source":{"$text":{"$search":"own"}}})"), "own has 'title'"));
  EXPECT_TRUE(has(own(R"({"title":"own text"})"), "security_blocked"));
  EXPECT_EQ(own(R"({"objectId":"2"})"), "2");
  const std::string plan =
      ask("explain", R"({"class_name":"own","where":{"$text":{"$search":"text"}}})");
  EXPECT_TRUE(has(plan, R"("full_scan":false,"indexes_used":["PRIMARY KEY","own"])")) << plan;
  EXPECT_TRUE(has(ask("schema", R"({"class_name":"own"})"),
                  R"({"name":"own","fields":["title"],"unique":false,"text":true})"));
  const std::string secret = of_class("own_secret", R"({"$text":{"$search":"topsecret"}})");
  EXPECT_TRUE(secret.starts_with("ERROR invalid_query")) << secret;
  EXPECT_TRUE(has(of_class("loose", R"({"$text":{"$search":"x"}})"), "has none"));
}

TEST_F(Text, HowWellARowFitsIsNotToldAndRefusedByName) {
  const std::string answer = ask("aggregate", R"({"class_name":"note","pipeline":[
      {"$match":{"$text":{"$search":"x"}}},{"$addFields":{"s":{"$meta":"textScore"}}}]})");
  EXPECT_TRUE(answer.starts_with("ERROR invalid_query")) << answer;
  EXPECT_TRUE(has(answer, "score")) << answer;
}

TEST_F(Text, AsManyWordsAsAreAllowedAreFound) {
  std::string words = "coffee";
  for (int i = 1; i < 200; ++i) words += " w" + std::to_string(i);
  EXPECT_EQ(search("\"" + words + "\""), "1,2");
  EXPECT_TRUE(has(search("\"" + words + " more\""), "at most 200"));
}

}  // namespace
}  // namespace gantry::data::text_test
