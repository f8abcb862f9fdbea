// Prompts, resources, templates and completions, written with the wrapper, in the fake host.
#include <gantry/plugin.hpp>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace kinds_test {
namespace {

struct Person {
  std::string name;
  std::optional<std::string> tone;
  static constexpr auto fields() {
    return gantry::fields(gantry::field("name", &Person::name, "Name"),
                          gantry::field("tone", &Person::tone, "How"));
  }
};

gantry::Result<gantry::Contents> note_of(const gantry::Reading& what) {
  const std::string day = what.variable("day");
  if (day == "never") return gantry::Status::not_found("There are no notes of never");
  return gantry::Contents().text("notes of " + day + " at " + what.uri);
}

gantry::Completion days(const gantry::Completing& what) {
  gantry::Completion out;
  for (const char* day : {"monday", "tuesday", "thursday"}) {
    if (std::string_view(day).starts_with(what.value)) out.values.emplace_back(day);
  }
  out.total = 7;
  out.has_more = true;
  return out;
}

struct Why {
  std::string why;
  static constexpr auto fields() { return gantry::fields(gantry::field("why", &Why::why, "Why")); }
};

gantry::Result<gantry::JsonText> cancel(const gantry::MethodCall& what) {
  const auto given = what.arguments_as<Why>();
  if (!given) return given.status();
  return gantry::JsonText{"{\"id\":\"" + what.object_id + "\",\"of\":" + what.object +
                          ",\"why\":\"" + given->why +
                          "\",\"shows\":" + (what.dry_run ? "true" : "false") + "}"};
}

class Kinds : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  void offer(gantry::Offer& offer) override {
    add_prompts(offer);
    add_resources(offer);
    offer.method("Order", "cancel", "Cancels.", cancel)
        .title("Cancel")
        .permission("write")
        .parameters_of<Why>()
        .permitted_keys({"why"})
        .supports_dry_run();
    offer.method("Order", "say", "Says.", [](const gantry::MethodCall&) { return "said"; })
        .on_class();
  }

 private:
  static void add_prompts(gantry::Offer& offer) {
    offer
        .prompt("greet", "Greets.",
                [](const Person& to) {
                  return gantry::Messages()
                      .description("A greeting")
                      .user("Greet " + to.name)
                      .assistant(gantry::image("image/png", "\x89PNG"))
                      .user(gantry::text_resource("n:1", "text/plain", "embedded"));
                })
        .title("Greet")
        .complete("name", [](const gantry::Completing& what) {
          return std::vector<std::string>{what.value + "a", what.others.at("tone")};
        });
    offer.prompt("short", "Says one thing.", [] { return "one \"thing\""; })
        .argument("topic", "About what", true)
        .argument("length", "How long");
    offer.prompt("refuses", "Fails.", []() -> gantry::Result<std::string> {
      return gantry::Status::not_found("There is no such topic");
    });
  }

  static void add_resources(gantry::Offer& offer) {
    offer.resource("n:readme", "readme", "Read me.", [] { return "read me"; })
        .mime_type("text/markdown")
        .size(7)
        .ttl(std::chrono::seconds(5))
        .is_public()
        .annotations(R"({"priority":1})");
    offer.resource("n:logo", "logo", "A picture.",
                   [] { return gantry::Contents().blob("\x89PNG\xff", "image/png"); });
    offer.resource("n:written", "written", "By hand.", [](gantry::Call& call) {
      gantry::Status status = call.part("application/json", "{}");
      return status ? call.part("application/octet-stream", "{}") : status;
    });
    offer.resource_template("n:{day}/notes", "notes", "The notes of a day.", note_of)
        .subscribe()
        .lists([] {
          return std::vector<gantry::Listed>{{"n:monday/notes", "monday"},
                                             {"n:friday/notes", "friday"}};
        })
        .complete("day", days);
    offer.resource_template("m:{x}", "plain", "Neither lists nor completes.",
                            [] { return std::string("plain"); });
  }
};

constexpr gantry_plugin kTable = gantry::detail::Entry<Kinds>::table();
constexpr char kManifest[] =
    R"({"name":"kinds","version":"1.0.0","abi":1,"needs":["gantry.call/1"],"items":"probe"})";

class KindsTest : public ::testing::Test {
 protected:
  FakeHost host_{Linked{kTable, kManifest}};
};

TEST_F(KindsTest, APromptAnswersWithMessages) {
  const Reply reply = host_.prompt("greet", R"({"name":"Ada"})");
  EXPECT_THAT(reply, Says("user", "Greet Ada"));
  EXPECT_THAT(reply, HasStructured(R"({"description":"A greeting","messages":[
    {"role":"user","content":{"type":"text","text":"Greet Ada"}},
    {"role":"assistant","content":{"type":"image","data":"iVBORw==","mimeType":"image/png"}},
    {"role":"user","content":{"type":"resource","resource":
      {"uri":"n:1","mimeType":"text/plain","text":"embedded"}}}]})"));
}

TEST_F(KindsTest, TextOfAPromptIsAMessageOfTheUser) {
  EXPECT_THAT(host_.prompt("short", R"({"topic":"x"})"), Says("user", "one \"thing\""));
}

TEST_F(KindsTest, AMethodGetsObjectArgumentsAndTheWishForAPreview) {
  const Reply reply = host_.enter(
      "method", "Order.cancel",
      R"({"object_id":"7","object":{"a":1},"arguments":{"why":"late"},"dry_run":true})");
  EXPECT_THAT(reply, HasStructured(R"({"id":"7","of":{"a":1},"why":"late","shows":true})"));
  EXPECT_THAT(host_.enter("method", "Order.cancel", R"({"object_id":"7","arguments":{"why":"x"}})"),
              HasStructured(R"({"id":"7","of":{},"why":"x","shows":false})"));
  EXPECT_THAT(host_.enter("method", "Order.cancel", R"({"arguments":{}})"),
              FailsWith("invalid_argument", HasSubstr("why")));
  EXPECT_THAT(host_.enter("method", "Order.say"), HasText("said"));
  EXPECT_THAT(host_.items("method"), ElementsAre("Order.cancel", "Order.say"));
}

TEST_F(KindsTest, APromptFailsWithASentence) {
  EXPECT_THAT(host_.prompt("refuses"), FailsWith("not_found", HasSubstr("no such topic")));
}

TEST_F(KindsTest, RequiredArgumentsOfAPromptMustBeThere) {
  EXPECT_THAT(host_.prompt("greet"), FailsWith("invalid_argument", HasSubstr("name")));
  EXPECT_THAT(host_.prompt("short", R"({"topic":"x","more":"y"})"),
              FailsWith("invalid_argument", HasSubstr("no such argument")));
  EXPECT_THAT(host_.prompt("short", R"({"topic":1})"),
              FailsWith("invalid_argument", HasSubstr("expected text")));
}

TEST_F(KindsTest, AResourceIsTextOrBytes) {
  EXPECT_THAT(host_.read("n:readme"), ReadsText("read me"));
  EXPECT_EQ(host_.read("n:readme").contents[0].mime_type, "text/markdown");
  EXPECT_THAT(host_.read("n:logo"), ReadsBlob("image/png", "\x89PNG\xff"));
}

TEST_F(KindsTest, AWrittenContentIsTextWhereItsTypeIs) {
  const Reply reply = host_.read("n:written");
  ASSERT_EQ(reply.contents.size(), 2U) << reply;
  EXPECT_FALSE(reply.contents[0].is_blob);
  EXPECT_TRUE(reply.contents[1].is_blob);
}

TEST_F(KindsTest, ATemplateGetsItsVariablesDecoded) {
  EXPECT_THAT(host_.read("n:a%20b/notes"), ReadsText("notes of a b at n:a%20b/notes"));
  EXPECT_THAT(host_.read("n:never/notes"), FailsWith("not_found", HasSubstr("never")));
  EXPECT_THAT(host_.read("n:a/b/notes"), FailsWith("not_found", HasSubstr("not among")));
}

TEST_F(KindsTest, ATemplateListsItsResources) {
  EXPECT_THAT(host_.list("n:{day}/notes").listed, ElementsAre("n:monday/notes", "n:friday/notes"));
  EXPECT_THAT(host_.list("m:{x}"), FailsWith("not_found"));
}

TEST_F(KindsTest, ArgumentsAndVariablesAreCompleted) {
  EXPECT_THAT(host_.complete("n:{day}/notes", "day", "t"),
              Completes(ElementsAre("tuesday", "thursday")));
  EXPECT_THAT(host_.complete("n:{day}/notes", "day", "t"),
              HasStructured(R"({"values":["tuesday","thursday"],"total":7,"hasMore":true})"));
  EXPECT_THAT(host_.complete("greet", "name", "Ad", R"({"tone":"dry"})"),
              Completes(ElementsAre("Ada", "dry")));
  EXPECT_THAT(host_.complete("greet", "other", "x"), Completes(IsEmpty()));
  EXPECT_THAT(host_.complete("m:{x}", "x", ""), FailsWith("not_found"));
}

TEST_F(KindsTest, ItemsHaveTheMembersOfTheirKind) {
  gantry::Offer offer;
  offer.prompt("p", "d", [](const Person&) { return ""; }).complete("name", days).order(3);
  offer.resource("n:1", "r", "d", [] { return ""; })
      .size(4)
      .ttl(std::chrono::seconds(1))
      .title("R");
  offer.resource_template("n:{x}", "t", "d", [] { return ""; }).mime_type("text/plain").is_public();
  EXPECT_THAT(offer.items(), IsJson(R"([
    {"kind":"prompt","name":"p","description":"d","order":3,"arguments":[
      {"name":"name","description":"Name","required":true},
      {"name":"tone","description":"How","required":false}]},
    {"kind":"completion","name":"p"},
    {"kind":"resource","name":"r","title":"R","description":"d","uri":"n:1","size":4,"ttlMs":1000},
    {"kind":"resource_template","name":"t","description":"d","uriTemplate":"n:{x}",
     "mimeType":"text/plain","cacheScope":"public"}])"));
}

class Declared : public gantry::Plugin {
 public:
  using Plugin::Plugin;
  void offer(gantry::Offer& offer) override {
    offer.handler("prompt", "p", [] { return "hello"; });
    offer.handler("resource", "n:1", [] { return "one"; });
    offer.handler("resource_template", "n:{x}/y",
                  [](const gantry::Reading& what) { return what.variable("x"); });
    offer.handler("resource_list", "n:{x}/y", [] {
      return std::vector<gantry::Listed>{{"n:1/y", "one"}};
    });
    offer.handler("completion", "p", [](const gantry::Completing& what) {
      return std::vector<std::string>{what.argument};
    });
  }
};

TEST(DeclaredKinds, AreEnteredAsTheManifestNamesThem) {
  constexpr gantry_plugin table = gantry::detail::Entry<Declared>::table();
  FakeHost host(Linked{table, R"({"name":"declared","version":"1","abi":1,
    "needs":["gantry.call/1"],"items":[
    {"kind":"prompt","name":"p","arguments":[{"name":"a"}]},{"kind":"completion","name":"p"},
    {"kind":"resource","name":"r","uri":"n:1"},
    {"kind":"resource_template","name":"t","uriTemplate":"n:{x}/y","lists":true}]})"});
  EXPECT_THAT(host.prompt("p"), Says("user", "hello"));
  EXPECT_THAT(host.complete("p", "a", ""), Completes(ElementsAre("a")));
  EXPECT_THAT(host.read("n:1"), ReadsText("one"));
  EXPECT_THAT(host.read("n:7/y"), ReadsText("7"));
  EXPECT_THAT(host.list("n:{x}/y").listed, ElementsAre("n:1/y"));
  EXPECT_THAT(host.items("resource_template"), ElementsAre("n:{x}/y"));
}

}  // namespace
}  // namespace kinds_test
