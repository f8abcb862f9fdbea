// A model: its files, misfits, and the current model while the files change.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "model/lay_over.hpp"
#include "model/source.hpp"
#include "test_database.hpp"

namespace gantry::data {
namespace {

using model::apply_model;
using model::Model;
using model::parse_class;
using model::Source;

std::string refusal(const std::string& text) {
  const auto cls = parse_class("people.json", text);
  return cls ? "accepted" : cls.message();
}

void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

ClassInfo table(const std::string& name, std::initializer_list<const char*> columns) {
  ClassInfo info;
  info.name = name;
  info.table = "`main`.`" + name + "`";
  info.rowid = "rowid";
  for (const char* column : columns) {
    Field field;
    field.name = column;
    field.column = "`" + std::string(column) + "`";
    info.fields.push_back(field);
  }
  return info;
}

ClassInfo keyed(const std::string& name, std::initializer_list<const char*> columns) {
  ClassInfo info = table(name, columns);
  info.id_form = IdForm::column;
  info.id_fields = {0};
  return info;
}

TEST(ModelFile, TellsWhichColumnHoldsTheDocuments) {
  const auto cls = parse_class("p.json", R"({"class":"p","table":"t","document":"doc"})");
  ASSERT_TRUE(cls) << cls.message();
  EXPECT_EQ(cls->name + cls->table + cls->document, "ptdoc");
  EXPECT_EQ(parse_class("p.json", R"({"class":"p"})")->table, "p");
}

TEST(ModelFile, AllowsFullScansOnlyWhereItSaysSo) {
  EXPECT_TRUE(parse_class("p.json", R"({"class":"p","allow_collscan":true})")->allow_collscan);
  EXPECT_FALSE(parse_class("p.json", R"({"class":"p","allow_collscan":false})")->allow_collscan);
  EXPECT_FALSE(parse_class("p.json", R"({"class":"p"})")->allow_collscan);
}

TEST(ModelFile, IsRefusedWithFileLineAndReason) {
  EXPECT_NE(refusal("{\n\"class\": \"p\",\n}").find("people.json:3: this is not JSON"),
            std::string::npos);
  for (const auto& [text, word] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "one JSON object"},
           {"{}", "\"class\" is missing"},
           {R"({"class":"p","hiden":true})",
            "people.json:1: the key \"hiden\" is not known, so it would have no effect; did you "
            "mean \"hidden\"?"},
           {R"({"class":"p","class":"q"})", "\"class\" is there twice"},
           {R"({"class":""})", "\"class\" must be a string that is not empty"},
           {R"({"class":"p","document":7})", "\"document\" must be a string"},
           {R"({"class":"p","allow_collscan":"yes"})", "\"allow_collscan\" must be true or false"},
           {R"({"class":"a\u0000b"})", "NUL"}}) {
    EXPECT_NE(refusal(text).find(word), std::string::npos) << refusal(text);
    EXPECT_EQ(refusal(text).find("people.json:"), 0u) << text;
  }
}

TEST(ModelFile, ExamplesOfTheSchemaAreJudgedAsItSays) {
  const auto examples = std::filesystem::path(GANTRY_SOURCE_DIR) / "schemas/model/examples";
  int seen = 0;
  for (const bool is_good : {true, false}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(examples / (is_good ? "good" : "bad"))) {
      std::ifstream in(entry.path());
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      EXPECT_EQ(parse_class(entry.path(), text).is_ok(), is_good) << entry.path();
      ++seen;
    }
  }
  EXPECT_GE(seen, 29);
}

TEST(Model, TakesThePlaceOfItsTable) {
  const Model described{{{"p.json", "people", "T", "DOC"}}};
  ClassInfo city = table("city", {"code", "mayor"});
  city.fields[1].kind = Kind::pointer;
  city.fields[1].native = Kind::integer;
  city.fields[1].target_class = "t";
  const auto laid = apply_model(described, {table("t", {"n", "doc"}), city});
  EXPECT_TRUE(laid.misfits.empty());
  ASSERT_EQ(laid.classes.size(), 2u);
  EXPECT_EQ(laid.classes[0].name, "people");
  EXPECT_EQ(laid.classes[0].document, "`doc`");
  EXPECT_EQ(laid.classes[0].table, "`main`.`t`");
  EXPECT_TRUE(laid.classes[0].fields.empty());
  EXPECT_EQ(laid.classes[1].fields[1].kind, Kind::integer);
  EXPECT_EQ(laid.classes[1].fields[1].target_class, "");
}

TEST(Model, TablesThatGantryMadeForDocumentsHoldThemWithoutADescription) {
  ClassInfo made = table("t", {"doc"});
  made.strict = made.fields[0].required = true;
  EXPECT_EQ(apply_model({}, {made}).classes[0].document, "") << "without the index";
  made.indexes.push_back({"t__id", {"<expression>", "<expression>"}, true, false});
  EXPECT_EQ(apply_model({}, {made}).classes[0].document, "`doc`");
  const auto named = apply_model({{{"p.json", "people", "t", ""}}}, {made});
  EXPECT_TRUE(named.misfits.empty());
  EXPECT_EQ(named.classes[0].name, "people");
  EXPECT_EQ(named.classes[0].document, "`doc`");
}

TEST(Model, RenamesAClassAndThePointersToIt) {
  const Model described{{{"p.json", "person", "t", ""}}};
  ClassInfo city = table("city", {"mayor"});
  city.fields[0].kind = Kind::pointer;
  city.fields[0].target_class = "t";
  city.fields[0].target_field = "n";
  const auto laid = apply_model(described, {keyed("t", {"n"}), city});
  EXPECT_EQ(laid.classes[0].name, "person");
  EXPECT_EQ(laid.classes[0].fields.size(), 1u);
  EXPECT_EQ(laid.classes[1].fields[0].target_class, "person");
}

TEST(Model, LeavesOutMisfitsTogetherWithTheirTables) {
  for (const auto& [cls, word] : std::vector<std::pair<model::ModelClass, std::string>>{
           {{"p.json", "p", "nowhere", "doc"}, "no table 'nowhere'"},
           {{"p.json", "p", "t", "nothing"}, "no column 'nothing'"},
           {{"p.json", "p", "t", "password"}, "never shown"},
           {{"p.json", "city", "t", "doc"}, "has the name of another table"},
           {{"p.json", "sqlite_p", "t", "doc"}, "no class can be called 'sqlite_p'"}}) {
    const auto laid =
        apply_model({{cls}}, {table("t", {"doc", "password"}), table("city", {"code"})});
    ASSERT_EQ(laid.misfits.size(), 1u) << word;
    EXPECT_NE(laid.misfits[0].find(word), std::string::npos) << laid.misfits[0];
    EXPECT_EQ(laid.misfits[0].find("p.json: "), 0u);
    for (const ClassInfo& left : laid.classes) {
      EXPECT_TRUE(left.name == "city" || cls.table == "nowhere") << left.name;
    }
  }
}

class ModelInForce : public ::testing::Test {
 protected:
  void SetUp() override {
    write(file(), R"({"class":"p","table":"t","document":"doc"})");
    open();
  }
  void open() {
    auto source = Source::open(database_.directory(), [&](const std::string& s) { said_ += s; });
    ASSERT_TRUE(source) << source.message();
    source_ = *source;
  }
  std::string file() const { return database_.directory() + "/p.json"; }
  std::string names() {
    auto catalog = apply({table("t", {"doc"})});
    if (!catalog) return "ERROR " + catalog.message();
    std::string all;
    for (const ClassInfo& cls : (*catalog)->classes())
      all += cls.name + (cls.document.empty() ? "" : "*");
    return all;
  }
  Result<CatalogPtr> apply(const std::vector<ClassInfo>& classes) {
    return source_->apply(classes, [](std::vector<ClassInfo> laid) {
      return std::make_shared<const Catalog>(std::move(laid), 1);
    });
  }
  // A look has an effect once a second.
  bool look() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    return source_->look();
  }

  testing::TestDatabase database_{"CREATE TABLE t(doc TEXT)"};
  std::shared_ptr<Source> source_;
  std::string said_;
};

TEST_F(ModelInForce, FollowsItsDirectory) {
  EXPECT_EQ(names(), "p*");
  EXPECT_FALSE(look());
  write(file(), R"({"class":"persons","table":"t","document":"doc"})");
  EXPECT_TRUE(look());
  EXPECT_EQ(names(), "persons*");
  std::filesystem::remove(file());
  EXPECT_TRUE(look());
  EXPECT_EQ(names(), "t");
  EXPECT_EQ(said_, "");
}

TEST_F(ModelInForce, StaysTheLastGoodOneAndSaysWhy) {
  EXPECT_EQ(names(), "p*");
  write(file(), "{");
  EXPECT_FALSE(look());
  EXPECT_EQ(names(), "p*");
  EXPECT_NE(said_.find("p.json:1: this is not JSON"), std::string::npos) << said_;
  said_.clear();
  write(file(), R"({"class":"p","table":"t","document":"gone"})");
  EXPECT_TRUE(look());
  EXPECT_EQ(names(), "p*");
  EXPECT_NE(said_.find("no column 'gone'"), std::string::npos) << said_;
}

TEST_F(ModelInForce, MustFitAtFirst) {
  write(file(), R"({"class":"p","table":"elsewhere","document":"doc"})");
  open();
  EXPECT_NE(names().find("ERROR " + file() + ":1: the database has no table 'elsewhere'"),
            std::string::npos);
}

TEST_F(ModelInForce, LeavesOutTheClassOfALostTable) {
  EXPECT_EQ(names(), "p*");
  auto catalog = apply({table("other", {"a"})});
  ASSERT_TRUE(catalog);
  ASSERT_EQ((*catalog)->classes().size(), 1u);
  EXPECT_NE(said_.find("no table 't'"), std::string::npos) << said_;
}

TEST(ModelDirectory, IsRefusedByName) {
  EXPECT_NE(model::read_model("/nowhere/model").message().find("/nowhere/model"),
            std::string::npos);
  testing::TestDatabase directory;
  write(directory.directory() + "/a.json", R"({"class":"p"})");
  write(directory.directory() + "/b.json", R"({"class":"p"})");
  write(directory.directory() + "/notes.txt", "none of it");
  const auto model = model::read_model(directory.directory());
  EXPECT_NE(model.message().find("b.json: the class 'p' is described by"), std::string::npos)
      << model.message();
}

}  // namespace
}  // namespace gantry::data
