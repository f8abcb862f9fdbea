#include "host/rpc/lists/entries.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/host/rpc/items.hpp"

namespace gantry::host::rpc::entries_test {
namespace {

Words members(const rapidjson::Value& value) {
  Words out;
  for (const auto& m : value.GetObject()) out.emplace_back(m.name.GetString());
  return out;
}

struct Row {
  std::string_view revision;
  Words members;
};

void expect_rows(const ItemSpec& spec, const std::vector<Row>& table) {
  for (const Row& row : table) {
    EXPECT_EQ(members(json(entry_of(spec, row.revision))), row.members) << row.revision;
  }
}

ItemSpec full(ItemSpec spec) {
  spec.title = "Title";
  spec.description = "Says \"hello\".";
  spec.icons = R"([{"src":"x"}])";
  spec.meta = R"({ "com.example/owner":"me"})";
  return spec;
}

ItemSpec full_tool() {
  ItemSpec spec = full(tool("t", "store"));
  spec.output_schema = R"({"type":"object"})";
  spec.annotations = R"({"readOnlyHint":true})";
  return spec;
}

ItemSpec full_resource(ItemSpec spec) {
  spec = full(std::move(spec));
  spec.mime_type = "text/plain";
  spec.annotations = R"({"priority":0.5})";
  return spec;
}

TEST(ToolEntry, HoldsTheMembersOfTheRevision) {
  const Words newest = {"name",         "title",       "description", "inputSchema",
                        "outputSchema", "annotations", "icons",       "_meta"};
  expect_rows(
      full_tool(),
      {{"2024-11-05", {"name", "description", "inputSchema"}},
       {"2025-03-26", {"name", "description", "inputSchema", "annotations"}},
       {"2025-06-18",
        {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"}},
       {"2025-11-25", newest},
       {"2026-07-28", newest}});
}

TEST(ToolEntry, SaysThatItCanBeATaskWhereClientsRequestThem) {
  const auto newest = json(entry_of(tool("t"), "2025-11-25", true));
  EXPECT_STREQ(newest["execution"]["taskSupport"].GetString(), "optional");
  EXPECT_FALSE(json(entry_of(tool("t"), "2025-11-25")).HasMember("execution"));
  for (const auto revision : {"2025-06-18", "2026-07-28"}) {
    EXPECT_FALSE(json(entry_of(tool("t"), revision, true)).HasMember("execution")) << revision;
  }
}

TEST(ToolEntry, KeepsSchemasButForBlanksBetweenTokensAndAddsTheCategory) {
  const std::string text = entry_of(full_tool(), kModern);
  EXPECT_NE(text.find(R"("inputSchema":{"type":"object","properties":{}})"), std::string::npos);
  const auto entry = json(text);
  EXPECT_STREQ(entry["_meta"]["category"].GetString(), "store");
  EXPECT_STREQ(entry["_meta"]["com.example/owner"].GetString(), "me");
  EXPECT_STREQ(entry["description"].GetString(), "Says \"hello\".");
}

TEST(PromptEntry, HoldsTheMembersOfTheRevision) {
  const ItemSpec spec = full(prompt("p", {{"a", "A", "What", true}, {"b", "B", "", false}}));
  const Words old = {"name", "description", "arguments"};
  const Words newest = {"name", "title", "description", "arguments", "icons", "_meta"};
  expect_rows(spec, {{"2024-11-05", old},
                     {"2025-03-26", old},
                     {"2025-06-18", {"name", "title", "description", "arguments", "_meta"}},
                     {"2025-11-25", newest},
                     {"2026-07-28", newest}});
  const auto modern = json(entry_of(spec, kModern));
  EXPECT_EQ(members(modern["arguments"][0]), (Words{"name", "title", "description", "required"}));
  EXPECT_TRUE(modern["arguments"][0]["required"].GetBool());
  EXPECT_EQ(members(modern["arguments"][1]), (Words{"name", "title"}));
  const auto oldest = json(entry_of(spec, "2024-11-05"));
  EXPECT_EQ(members(oldest["arguments"][0]), (Words{"name", "description", "required"}));
  EXPECT_FALSE(modern["_meta"].HasMember("category"));
}

TEST(ResourceEntry, HoldsTheMembersOfTheRevision) {
  ItemSpec spec = full_resource(resource("app://a"));
  spec.bytes = 9007199254740991;
  const Words old = {"uri", "name", "description", "mimeType", "size", "annotations"};
  const Words newest = {"uri",  "name",        "title", "description", "mimeType",
                        "size", "annotations", "icons", "_meta"};
  expect_rows(
      spec, {{"2024-11-05", old},
             {"2025-03-26", old},
             {"2025-06-18",
              {"uri", "name", "title", "description", "mimeType", "size", "annotations", "_meta"}},
             {"2025-11-25", newest},
             {"2026-07-28", newest}});
  EXPECT_EQ(json(entry_of(spec, kModern))["size"].GetUint64(), 9007199254740991u);
}

TEST(TemplateEntry, HasItsTemplateInsteadOfAUri) {
  const ItemSpec spec = full_resource(uri_template("app://{a}"));
  const Words newest = {"uriTemplate", "name",        "title", "description",
                        "mimeType",    "annotations", "icons", "_meta"};
  expect_rows(spec,
              {{"2024-11-05", {"uriTemplate", "name", "description", "mimeType", "annotations"}},
               {"2026-07-28", newest}});
}

TEST(Entries, HoldNothingEmpty) {
  EXPECT_EQ(entry_of(resource("app://a"), kModern), R"({"uri":"app://a","name":"r"})");
  EXPECT_EQ(entry_of(prompt("p"), kModern), R"({"name":"p"})");
}

TEST(ListedResource, IsTakenApartAndPutTogether) {
  ItemSpec spec = uri_template("app://{a}");
  spec.mime_type = "text/plain";
  const auto whole = json(
      R"({"other":1,"uri":"app://x","name":"X","title":"T","description":"D","mimeType":"a/b",)"
      R"("size":5,"annotations":{"priority":1}})");
  EXPECT_EQ(listed_resource(whole, spec, kModern).entry,
            R"({"uri":"app://x","name":"X","title":"T","description":"D","mimeType":"a/b",)"
            R"("size":5,"annotations":{"priority":1}})");
  EXPECT_EQ(listed_resource(whole, spec, "2025-03-26").entry,
            R"({"uri":"app://x","name":"X","description":"D","mimeType":"a/b","size":5,)"
            R"("annotations":{"priority":1}})");
  const auto bare = json(R"({"uri":"app://x","name":"X"})");
  EXPECT_EQ(listed_resource(bare, spec, kModern).entry,
            R"({"uri":"app://x","name":"X","mimeType":"text/plain"})");
  EXPECT_EQ(listed_resource(bare, spec, kModern).uri, "app://x");
}

TEST(ListedResource, SaysWhyItIsLeftOut) {
  const auto problem = [](std::string_view text) {
    return listed_resource(json(text), uri_template("app://{a}"), kModern).problem;
  };
  EXPECT_EQ(problem("7"), "a listed resource is no object");
  EXPECT_EQ(problem(R"({"uri":"app://x"})"), "a listed resource lacks its uri or its name");
  EXPECT_EQ(problem(R"({"name":"x"})"), "a listed resource lacks its uri or its name");
  EXPECT_EQ(problem(R"({"uri":7,"name":"x"})"), "a listed resource lacks its uri or its name");
  EXPECT_EQ(problem(R"({"uri":"b://x","name":"x"})"),
            "the listed resource 'b://x' does not match its template");
  EXPECT_EQ(problem(R"({"uri":"app://x","name":"x","title":1})"),
            "the listed resource 'app://x' has a title that is no text");
  EXPECT_EQ(problem(R"({"uri":"app://x","name":"x","size":-1})"),
            "the listed resource 'app://x' has a size that is no whole number");
  EXPECT_EQ(problem(R"({"uri":"app://x","name":"x","annotations":[]})"),
            "the listed resource 'app://x' has annotations that are no object");
}

}  // namespace
}  // namespace gantry::host::rpc::entries_test
