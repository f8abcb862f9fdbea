// Questions to the client, tasks and events through the wrapper.
#include <gantry/events.hpp>
#include <gantry/input.hpp>
#include <gantry/plugin.hpp>
#include <gantry/task.hpp>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace input_test {
namespace {

struct Person {
  std::string name;
  std::optional<int> age;
  static constexpr auto fields() {
    return gantry::fields(gantry::field("name", &Person::name, "Name").length(1, 20),
                          gantry::field("age", &Person::age, "How old"));
  }
};

std::string action_of(gantry::ElicitAction action) {
  if (action == gantry::ElicitAction::accept) return "accepted";
  return action == gantry::ElicitAction::decline ? "declined" : "cancelled";
}

class Asking : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  void offer(gantry::Offer& offer) override {
    offer.tool("person", "Asks a form.", [this](gantry::Call& call) { return ask_person(call); });
    offer.tool("all", "Asks three things.", [this](gantry::Call& call) { return all(call); });
    offer.tool("steps", "Asks in turn.", [this](gantry::Call& call) { return steps(call); });
    offer.tool("page", "Sends to a page.", [this](gantry::Call& call) { return page(call); });
    offer.tool("bad", "Asks wrongly.", [this](gantry::Call& call) -> gantry::Result<std::string> {
      const auto answer = input().request(call, "a b", "roots/list", {});
      if (!answer) return answer.status();
      return std::string("never");
    });
    offer.tool("later", "Asks when it was deferred.", [this](gantry::Call& call) {
      gantry::PendingCall pending = call.defer();
      const auto roots = input().roots(pending, "roots");
      if (!roots) return pending.finish(roots.status());
      pending.finish(roots->at(0).name);
    });
    offer.tool("long", "A task.", [this](gantry::Call& call) -> gantry::Status {
      if (gantry::Status begun = gantry::Task::of(host())->begin(call); !begun) return begun;
      return call.text("done");
    });
    offer.tool("away", "Lets go.", [this](gantry::Call& call) {
      return std::string(gantry::Task::of(host())->release(call) ? "released" : "held");
    });
    offer.prompt("p", "Asks too.", [this](gantry::Call& call) { return ask_person(call); });
    offer.resource("e:1", "one", "d", [this](gantry::Call& call) { return told(call); })
        .subscribe();
  }

 private:
  gantry::Input input() const { return *gantry::Input::of(host()); }

  gantry::Result<std::string> ask_person(gantry::Call& call) {
    const auto person = input().elicit<Person>(call, "person", "Your name?");
    if (!person) return person.status();
    if (!person->accepted()) return action_of(person->action);
    return person->value.name + (person->value.age ? " is old" : "");
  }

  gantry::Result<std::string> all(gantry::Call& call) {
    const auto name = input().elicit<Person>(call, "name", "Name?");
    const auto poem = input().sample(call, "poem", "A poem.", 50);
    const auto roots = input().roots(call, "roots");
    if (!name || !poem || !roots) return gantry::need_input;
    return name->value.name + "|" + poem->text() + "|" + poem->model + "|" + roots->at(1).uri;
  }

  gantry::Result<std::string> steps(gantry::Call& call) {
    const std::string before(input().state(call));
    if (gantry::Status kept = input().keep(call, before + "x"); !kept) return kept;
    const auto one = input().elicit<Person>(call, "one", "First?");
    if (!one) return one.status();
    const auto two = input().elicit<Person>(call, "two", "Second?");
    if (!two) return two.status();
    return one->value.name + two->value.name + before;
  }

  gantry::Result<std::string> page(gantry::Call& call) {
    const auto gone = input().elicit_url(call, "page", "Sign in", "https://gantry.invalid/");
    if (!gone) return gone.status();
    return action_of(gone->action);
  }

  gantry::Status told(gantry::Call& call) {
    const auto events = gantry::Events::of(host());
    gantry::Status status = events->updated("e:1", R"({"n":1})");
    if (status) status = events->list_changed();
    if (!status) return status;
    const gantry::Status other = events->updated("e:2");
    const gantry::Status gone = events->deleted("e:1");
    std::string text = other.message() + (gone ? "" : gone.message());
    const auto watched = events->watched();
    for (const std::string& uri : *watched) text += "|" + uri;
    return call.part("text/plain", text);
  }
};

constexpr gantry_plugin kTable = gantry::detail::Entry<Asking>::table();
constexpr char kManifest[] =
    R"({"name":"asking","version":"1","abi":1,"items":"probe","needs":["gantry.call/1",
  "gantry.input/1","gantry.task/1","gantry.events/1"],"flags":["reentrant"]})";
constexpr char kAda[] = R"({"action":"accept","content":{"name":"Ada"}})";

class InputTest : public ::testing::Test {
 protected:
  FakeHost host_{Linked{kTable, kManifest}};
};

TEST_F(InputTest, AHandlerAsksAndIsEnteredAgain) {
  const Reply waits = host_.call("person");
  EXPECT_THAT(waits, AsksFor("person"));
  EXPECT_EQ(waits.asked[0].method, "elicitation/create");
  EXPECT_THAT(waits.asked[0].params,
              IsJson(R"({"mode":"form","message":"Your name?","requestedSchema":{"type":"object",
                "properties":{"name":{"type":"string","minLength":1,"maxLength":20,
                "description":"Name"},"age":{"type":"integer","minimum":-2147483648,
                "maximum":2147483647,"description":"How old"}},"required":["name"]}})"));
  host_.answer_input("person", R"({"action":"accept","content":{"name":"Ada","age":36}})");
  const Reply reply = host_.call("person");
  EXPECT_THAT(reply, HasText("Ada is old"));
  EXPECT_EQ(reply.rounds, 2);
}

TEST_F(InputTest, AFormMayBringAdditionalFields) {
  host_.answer_input("person", R"({"action":"accept","content":{"more":[1],"name":"Ada"}})");
  EXPECT_THAT(host_.call("person"), HasText("Ada"));
}

TEST_F(InputTest, APersonMayDeclineOrCancel) {
  host_.answer_input("person", R"({"action":"decline"})");
  EXPECT_THAT(host_.call("person"), HasText("declined"));
  host_.answer_input("person", R"({"action":"cancel"})");
  EXPECT_THAT(host_.call("person"), HasText("cancelled"));
}

TEST_F(InputTest, AnAnswerThatDoesNotFitTheFormIsIgnored) {
  host_.answer_input("person", R"({"action":"accept","content":{"name":7}})");
  EXPECT_THAT(host_.call("person"), AsksFor("person"));
  EXPECT_THAT(host_.log().back().text, HasSubstr("counts as none"));
}

TEST_F(InputTest, AsksSeveralQuestionsAtOnce) {
  const Reply waits = host_.call("all");
  EXPECT_EQ(waits.asked.size(), 3U);
  host_.answer_input("name", kAda);
  host_.answer_input("poem", R"({"role":"assistant","model":"m","content":
    {"type":"text","text":"Roses"}})");
  EXPECT_THAT(host_.call("all"), AsksFor("roots"));
  host_.answer_input("roots", R"({"roots":[{"uri":"file:///a"},{"uri":"file:///b","name":"b"}]})");
  EXPECT_THAT(host_.call("all"), HasText("Ada|Roses|m|file:///b"));
}

TEST_F(InputTest, StateGoesFromRoundToRound) {
  host_.answer_input("one", kAda);
  host_.answer_input("two", kAda);
  const Reply reply = host_.call("steps");
  EXPECT_THAT(reply, HasText("AdaAdaxx"));
  EXPECT_EQ(reply.rounds, 3);
  host_.forget_input("two");
  const Reply waits = host_.call("steps");
  EXPECT_THAT(waits, AsksFor("two"));
  EXPECT_EQ(waits.kept, "xx");
}

TEST_F(InputTest, APersonCanBeSentToAPage) {
  host_.answer_input("page", R"({"action":"accept"})");
  EXPECT_THAT(host_.call("page"), HasText("accepted"));
}

TEST_F(InputTest, PromptsAskToo) {
  host_.answer_input("person", kAda);
  EXPECT_THAT(host_.prompt("p"), Says("user", "Ada"));
}

TEST_F(InputTest, ADeferredCallMayEndWithAQuestion) {
  EXPECT_THAT(host_.call("later"), AsksFor("roots"));
  host_.answer_input("roots", R"({"roots":[{"uri":"file:///a","name":"home"}]})");
  EXPECT_THAT(host_.call("later"), HasText("home"));
}

TEST_F(InputTest, AMissingClientCapabilityEndsTheCall) {
  Options options;
  options.client = {false, false, true, true, false};
  FakeHost host(Linked{kTable, kManifest}, options);
  EXPECT_EQ(host.call("person").lacks, "elicitation");
  EXPECT_EQ(host.call("person").status, GANTRY_UNSUPPORTED);
  EXPECT_EQ(host.call("page").lacks, "elicitation");
  EXPECT_EQ(host.call("long").lacks, "tasks");
}

TEST_F(InputTest, AWrongQuestionIsThePluginsFault) {
  std::vector<std::string> violations;
  Options options;
  options.on_violation = [&](const std::string& text) { violations.push_back(text); };
  FakeHost host(Linked{kTable, kManifest}, options);
  EXPECT_THAT(host.call("bad"), FailsWith("internal_error", HasSubstr("asking for 'a b' failed")));
  EXPECT_THAT(violations, ElementsAre(HasSubstr("the key is not")));
}

TEST_F(InputTest, ACallBecomesATask) {
  const Reply reply = host_.call("long");
  EXPECT_THAT(reply, HasText("done"));
  EXPECT_TRUE(reply.is_task);
}

TEST_F(InputTest, ACallReleasesOnlyAClientThatCanResume) {
  EXPECT_THAT(host_.call("away"), HasText("held"));
  Options options;
  options.client.comes_back = true;
  FakeHost host(Linked{kTable, kManifest}, options);
  const Reply reply = host.call("away");
  EXPECT_THAT(reply, HasText("released"));
  EXPECT_TRUE(reply.released);
}

TEST_F(InputTest, ReportsEventsAndSeesSubscriptions) {
  static_cast<void>(host_.start());
  host_.watch({"e:1", "e:9"});
  const Reply reply = host_.read("e:1");
  EXPECT_THAT(reply, ReadsText(HasSubstr("'e:2' is none of this plugin's resources")));
  EXPECT_THAT(reply, ReadsText(HasSubstr("|e:9")));
  const std::vector<Event> events = host_.events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].kind + events[0].uri + events[0].metadata, "updatede:1{\"n\":1}");
  EXPECT_EQ(events[1].kind, "list_changed");
  EXPECT_EQ(events[2].kind, "deleted");
}

TEST(NeedInput, IsNeitherAValueNorAFailure) {
  const gantry::Status status = gantry::need_input;
  EXPECT_FALSE(status.is_ok());
  EXPECT_EQ(status.code(), GANTRY_INPUT_REQUIRED);
  const gantry::Result<int> result = gantry::need_input;
  EXPECT_FALSE(result.is_ok());
  EXPECT_EQ(result.status().code(), GANTRY_INPUT_REQUIRED);
}

TEST(Sampled, TextIsThatOfAllItsBlocks) {
  gantry::Sampled sampled;
  sampled.content = R"([{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}])";
  EXPECT_EQ(sampled.text(), "a\nb");
  sampled.content = "";
  EXPECT_EQ(sampled.text(), "");
}

}  // namespace
}  // namespace input_test
