// The wrappers of the host's optional services, each used by a handler.
#include <stdexcept>

#include <gantry/plugin.hpp>
#include <gantry/services.hpp>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::HasSubstr;

namespace services_test {
namespace {

struct Name {
  std::string name;
  static constexpr auto fields() {
    return gantry::fields(gantry::field("name", &Name::name, "A name"));
  }
};

class User : public gantry::Plugin {
 public:
  explicit User(gantry::Host given)
      : Plugin(given),
        invoke_(gantry::Invoke::of(given)),
        secrets_(gantry::Secrets::of(given)),
        catalog_(gantry::Catalog::of(given)) {}

  void offer(gantry::Offer& offer) override {
    offer.tool("call", "Calls a tool.",
               [this](const Name& args, gantry::Call& call) -> gantry::Result<std::string> {
                 const gantry::ToolReply reply = invoke_->tool(call, args.name);
                 if (!reply.status) return reply.status;
                 return reply.structured + "|" + reply.texts.at(0);
               });
    offer.tool("throwing", "Throws while parts arrive.",
               [this](const Name& args, gantry::Call& call) {
                 return invoke_->call(call, {"tool", args.name},
                                      [](auto, auto) { throw std::runtime_error("in a part"); });
               });
    offer.tool("start", "Calls without waiting.", [this](const Name& args, gantry::Call& call) {
      auto pending = std::make_shared<gantry::PendingCall>(call.defer());
      gantry::Status started = invoke_->start(
          *pending, {"tool", args.name},
          [pending](std::string_view type, std::string_view body) {
            if (type == "text") static_cast<void>(pending->text(body));
          },
          [pending](const gantry::Status& status) { pending->finish(status); });
      if (!started) pending->finish(started);
    });
    offer.tool("splice", "Forwards rows.", [this](gantry::Call& call) {
      gantry::Status status = call.begin_structured();
      if (status) status = call.raw("{\"rows\":");
      if (status) status = invoke_->forward(call, {"service", "rows/1"}, "rows", nullptr);
      if (status) status = call.raw("}");
      return status ? call.end_structured() : status;
    });
    offer.tool("secret", "Reads a secret.",
               [this](const Name& args) { return secrets_->read(args.name); });
    offer.tool("list", "Lists tools.",
               [this](gantry::Call& call) { return catalog_->items(call); });
    offer.tool("why", "Explains.", [this](const Name& args, gantry::Call& call) {
      return catalog_->explain(call, "tool", args.name);
    });
  }

 private:
  gantry::Available<gantry::Invoke> invoke_;
  gantry::Available<gantry::Secrets> secrets_;
  gantry::Available<gantry::Catalog> catalog_;
};

constexpr gantry_plugin kTable = gantry::detail::Entry<User>::table();
constexpr char kManifest[] =
    R"({"name":"user","version":"1.0.0","abi":1,"needs":["gantry.call/1","gantry.invoke/1",)"
    R"("gantry.secret/1","gantry.catalog/1","rows/1"],"flags":["reentrant"],"items":"probe"})";

class ServicesTest : public ::testing::Test {
 protected:
  ServicesTest() {
    host_.provide("tool", "other", [](std::string_view, std::string_view) {
      return Answer{{{"json", "{}"}, {"text", "said"}}};
    });
    host_.provide("service", "rows/1", [](std::string_view, std::string_view) {
      return Answer{{{"rows", "[1,2]"}}};
    });
  }
  static Options options() {
    Options all;
    all.secrets["token"] = "abc";
    return all;
  }
  FakeHost host_{Linked{kTable, kManifest}, options()};
};

TEST_F(ServicesTest, CollectTheAnswerOfAnotherTool) {
  EXPECT_THAT(host_.call("call", R"({"name":"other"})"), HasText("{}|said"));
}

TEST_F(ServicesTest, PassOnTheCalleesSentence) {
  EXPECT_THAT(host_.call("call", R"({"name":"none"})"),
              FailsWith("not_found", HasSubstr("tool 'none' does not exist")));
}

// The manifest names none of the services that the plugin uses.
TEST(Undeclared, ServicesAreNamedWithTheRemedyInTheAnswerAndAsViolations) {
  std::vector<std::string> violations;
  Options options;
  options.on_violation = [&](const std::string& text) { violations.push_back(text); };
  FakeHost host(
      Linked{kTable, R"({"name":"user","version":"1.0.0","abi":1,"needs":["gantry.call/1"],)"
                     R"("flags":["reentrant"],"items":"probe"})"},
      options);
  EXPECT_THAT(host.call("call", R"({"name":"other"})"),
              FailsWith("internal_error",
                        "the host does not give this plugin gantry.invoke/1; add "
                        "\"gantry.invoke/1\" to \"needs\" in its manifest"));
  EXPECT_THAT(host.call("secret", R"({"name":"token"})"),
              FailsWith("internal_error", HasSubstr("gantry.secret/1")));
  EXPECT_THAT(violations,
              ::testing::ElementsAre(HasSubstr("it asked for gantry.invoke/1, which its manifest "
                                               "does not name"),
                                     HasSubstr("gantry.secret/1"), HasSubstr("gantry.catalog/1")));
}

TEST_F(ServicesTest, AServiceOfAPluginMustBeNamedToo) {
  std::vector<std::string> violations;
  Options options;
  options.on_violation = [&](const std::string& text) { violations.push_back(text); };
  FakeHost host(
      Linked{kTable, R"({"name":"user","version":"1.0.0","abi":1,"needs":["gantry.call/1",)"
                     R"("gantry.invoke/1"],"wants":["gantry.secret/1","gantry.catalog/1"],)"
                     R"("flags":["reentrant"],"items":"probe"})"},
      options);
  EXPECT_THAT(host.call("splice"), FailsWith("not_found", HasSubstr("'rows/1': add it to")));
  EXPECT_THAT(violations, ::testing::ElementsAre(HasSubstr("rows/1")));
}

TEST_F(ServicesTest, RethrowACallbacksExceptionAfterTheHostReturned) {
  EXPECT_THAT(host_.call("throwing", R"({"name":"other"})"),
              FailsWith("internal_error", "in a part"));
}

TEST_F(ServicesTest, StartCallsThatFinishTheirParent) {
  EXPECT_THAT(host_.call("start", R"({"name":"other"})"), HasText("said"));
  EXPECT_THAT(host_.call("start", R"({"name":"none"})"), FailsWith("not_found"));
}

TEST_F(ServicesTest, ForwardPartsIntoTheOpenResult) {
  EXPECT_THAT(host_.call("splice"), HasStructured(R"({"rows":[1,2]})"));
}

TEST_F(ServicesTest, ReadGrantedSecretsOnly) {
  EXPECT_THAT(host_.call("secret", R"({"name":"token"})"), HasText("abc"));
  EXPECT_THAT(host_.call("secret", R"({"name":"other"})"),
              FailsWith("not_found", HasSubstr("granted")));
}

TEST_F(ServicesTest, ListAndExplainTheItemsOfTheCaller) {
  EXPECT_THAT(host_.call("list"), HasText(HasSubstr(R"("name":"splice")")));
  EXPECT_THAT(host_.call("why", R"({"name":"other"})"), HasText(R"({"allowed":true})"));
}

}  // namespace
}  // namespace services_test
