// Prompts, resources, templates, lists and completions: entered as they should be, and what may
// come back.
#include "tests/host/calls/harness.hpp"

namespace gantry::host::kinds_test {
namespace {

using Kind = ItemAnswer::Kind;

gantry_status object(gantry_call* call, std::string_view json) {
  api().json_begin(call);
  api().json_raw(call, b(json));
  return api().json_end(call);
}

FakePlugin::Body answers(std::string json) {
  return [json = std::move(json)](gantry_call* call) { return object(call, json); };
}

class KindsTest : public CallsTest {
 protected:
  std::string wrong(std::string_view kind, std::string_view key) {
    const std::size_t before = faults().size();
    const ItemAnswer answer = run_item(request(kind, key));
    EXPECT_EQ(answer.kind, Kind::error);
    EXPECT_EQ(answer.error_code, "internal_error");
    EXPECT_EQ(answer.message, "Internal error");
    const auto after = faults();
    return after.size() == before + 1 ? after.back() : "not exactly one fault";
  }
  std::string contents(std::string_view type, std::string_view body) {
    type_ = type;
    body_ = body;
    return run_item(request("resource", "x://a", R"({"uri":"x://a"})")).structured;
  }
  void offer_a_resource() {
    plugin("p").resource(
        "x://a", [this](gantry_call* call) { return api().write(call, b(type_), b(body_)); });
    publish();
  }
  std::string type_, body_;
};

TEST_F(KindsTest, EachIsEnteredAsItselfWithItsKeyAndArguments) {
  FakePlugin& p = plugin("p");
  const auto shows = [](const char* json) {
    return [json](gantry_call* call) {
      EXPECT_EQ(view(api().arguments(call)), R"({"a":1})");
      return object(call, json);
    };
  };
  p.prompt("greet", shows(R"({"messages":[]})"));
  p.resource("x://a", shows(R"({"contents":[]})"));
  p.resource("x://{b}", shows(R"({"contents":[{"uri":"x://c","blob":""}]})"));
  p.list("x://{b}", shows(R"({"resources":[{"uri":"x://c","name":"c"}]})"));
  p.completion("greet", shows(R"({"values":["a","b"],"total":7})"));
  publish();
  const auto run = [&](const char* kind, const char* key) {
    return run_item(request(kind, key, R"({"a":1})")).structured;
  };
  EXPECT_EQ(run("prompt", "greet"), R"({"messages":[]})");
  EXPECT_EQ(run("resource", "x://a"), R"({"contents":[]})");
  EXPECT_EQ(run("resource_template", "x://{b}"), R"({"contents":[{"uri":"x://c","blob":""}]})");
  EXPECT_EQ(run("resource_list", "x://{b}"), R"({"resources":[{"uri":"x://c","name":"c"}]})");
  EXPECT_EQ(run("completion", "greet"), R"({"values":["a","b"],"total":7})");
}

TEST_F(KindsTest, WithoutAKindTheItemsOwnCounts) {
  plugin("p").prompt("greet", answers(R"({"messages":[]})"));
  publish();
  ItemCall call = request("prompt", "greet");
  call.kind = {};
  EXPECT_EQ(run_item(call).structured, R"({"messages":[]})");
}

TEST_F(KindsTest, AnUnknownItemIsNamedByItsKind) {
  publish();
  const ItemAnswer answer = run_item(request("prompt", "nix"));
  EXPECT_EQ(answer.kind, Kind::unknown_item);
  EXPECT_EQ(answer.message, "Unknown prompt: nix");
  EXPECT_EQ(run_item(request("resource", "x://n")).message, "Unknown resource: x://n");
}

TEST_F(KindsTest, TheTierIsForAllAndTheToolListForToolsAlone) {
  FakePlugin& p = plugin("p");
  p.prompt("greet", answers(R"({"messages":[]})"));
  p.resource("x://a", answers(R"({"contents":[]})")).tier = Tier::write;
  publish();
  auto agent = std::make_shared<Agent>();
  agent->tools.except = {"greet"};
  agent_ = agent;
  EXPECT_EQ(run_item(request("prompt", "greet")).kind, Kind::result);
  const ItemAnswer answer = run_item(request("resource", "x://a"));
  EXPECT_EQ(answer.error_code, "permission_denied");
  EXPECT_EQ(answer.message,
            "The resource 'x://a' needs the permission 'write'; this agent has 'readonly'. "
            "A client that sends the operator's GANTRY_ADMIN_KEY has 'admin'");
}

TEST_F(KindsTest, TextBodiesBecomeTextAndOthersBase64) {
  offer_a_resource();
  const auto entry = [](const std::string& rest) {
    return R"({"contents":[{"uri":"x://a","mimeType":)" + rest + "}]}";
  };
  EXPECT_EQ(contents("text/plain", "a\"b"), entry(R"("text/plain","text":"a\"b")"));
  EXPECT_EQ(contents("application/vnd.x+json; charset=utf-8", "{}"),
            entry(R"("application/vnd.x+json; charset=utf-8","text":"{}")"));
  EXPECT_EQ(contents("Application/JSON", "1"), entry(R"("Application/JSON","text":"1")"));
  EXPECT_EQ(contents("image/svg+xml", "<a/>"), entry(R"("image/svg+xml","text":"<a/>")"));
  EXPECT_EQ(contents("text/plain", "\xff"), entry(R"("text/plain","blob":"/w==")"))
      << "not UTF-8, so it cannot be text";
  EXPECT_EQ(contents("image/png", "\x89PNG"), entry(R"("image/png","blob":"iVBORw==")"));
}

TEST_F(KindsTest, SeveralWritesAreSeveralEntriesOfTheUriThatWasAskedFor) {
  plugin("p").resource("x://{b}", [](gantry_call* call) {
    api().write(call, b("text/plain"), b("1"));
    return api().write(call, b("text/plain"), b("2"));
  });
  publish();
  EXPECT_EQ(run_item(request("resource_template", "x://{b}", R"({"uri":"x://7"})")).structured,
            R"({"contents":[{"uri":"x://7","mimeType":"text/plain","text":"1"},)"
            R"({"uri":"x://7","mimeType":"text/plain","text":"2"}]})");
}

TEST_F(KindsTest, WriteTakesMimeTypesForResourcesAndNothingForOthers) {
  const auto tries = [](std::vector<std::string> types, const char* json) {
    return [types, json](gantry_call* call) {
      for (const std::string& type : types) {
        EXPECT_EQ(api().write(call, b(type), b("x")), GANTRY_UNSUPPORTED) << type;
      }
      return object(call, json);
    };
  };
  FakePlugin& p = plugin("p");
  p.resource("x://a", tries({"text", "block", "/x", "x/", "a/b\"", "a/b\n"}, R"({"contents":[]})"));
  p.prompt("greet", tries({"text", "block", "text/plain"}, R"({"messages":[]})"));
  p.completion("greet", tries({"text"}, R"({"values":[]})"));
  publish();
  EXPECT_EQ(run_item(request("resource", "x://a")).kind, Kind::result);
  EXPECT_EQ(run_item(request("prompt", "greet")).kind, Kind::result);
  EXPECT_EQ(run_item(request("completion", "greet")).kind, Kind::result);
}

TEST_F(KindsTest, AResultOfTheWrongFormIsThePluginsFault) {
  FakePlugin& p = plugin("p");
  p.prompt("array", answers("[]"));
  p.prompt("broken", answers("{"));
  p.prompt("other", answers(R"({"contents":[]})"));
  p.prompt("role", answers(R"({"messages":[{"role":"tool","content":{"type":"text"}}]})"));
  p.prompt("nothing", [](gantry_call*) { return GANTRY_OK; });
  p.prompt("open", [](gantry_call* call) { return api().json_begin(call); });
  p.resource("x://a", answers(R"({"contents":[{"uri":"x://a"}]})"));
  p.resource("x://b", [](gantry_call* call) {
    api().write(call, b("text/plain"), b("1"));
    return object(call, R"({"contents":[]})");
  });
  p.completion("c", answers(R"({"values":[1]})"));
  publish();
  EXPECT_NE(wrong("prompt", "array").find("not one JSON object"), std::string::npos);
  EXPECT_NE(wrong("prompt", "broken").find("not one JSON object"), std::string::npos);
  EXPECT_NE(wrong("prompt", "other").find("no array \"messages\""), std::string::npos);
  EXPECT_NE(wrong("prompt", "role").find("{role, content}"), std::string::npos);
  EXPECT_EQ(wrong("prompt", "nothing"), "prompt 'nothing': it gave no result");
  EXPECT_NE(wrong("prompt", "open").find("json_end()"), std::string::npos);
  EXPECT_NE(wrong("resource", "x://a").find("text or blob"), std::string::npos);
  EXPECT_NE(wrong("resource", "x://b").find("contents and a structured result"), std::string::npos);
  EXPECT_NE(wrong("completion", "c").find("strings"), std::string::npos);
}

TEST_F(KindsTest, AFailureIsAnErrorEvenAfterEntriesWereWritten) {
  FakePlugin& p = plugin("p");
  p.resource("x://a", [](gantry_call* call) {
    api().write(call, b("text/plain"), b("1"));
    return GANTRY_NOT_FOUND;
  });
  p.prompt("greet", [](gantry_call*) { return GANTRY_FAILED; });
  publish();
  EXPECT_EQ(run_item(request("resource", "x://a")).error_code, "not_found");
  EXPECT_EQ(run_item(request("prompt", "greet")).message, "The prompt failed without saying why");
  EXPECT_TRUE(faults().empty());
}

TEST_F(KindsTest, TheAnswerCapCountsForEntriesAndObjects) {
  CallLimits limits;
  limits.max_answer_bytes = 100;
  make(limits);
  gantry_status status = GANTRY_OK;
  FakePlugin& p = plugin("p");
  p.resource("x://a", [&](gantry_call* call) {
    return status = api().write(call, b("image/png"), b(std::string(80, 'x')));
  });
  p.prompt("greet", [&](gantry_call* call) {
    api().json_begin(call);
    return status = api().json_raw(call, b(std::string(101, ' ')));
  });
  publish();
  EXPECT_NE(run_item(request("resource", "x://a")).details.find("response_too_large"),
            std::string::npos)
      << "80 bytes are 108 in Base64";
  EXPECT_EQ(status, GANTRY_TOO_BIG);
  EXPECT_NE(run_item(request("prompt", "greet")).details.find("response_too_large"),
            std::string::npos);
}

TEST_F(KindsTest, ADeadlineNamesTheItemsKind) {
  plugin("p")
      .prompt("slow",
              [](gantry_call* call) {
                while (!api().cancelled(call)) std::this_thread::sleep_for(1ms);
                return GANTRY_CANCELLED;
              })
      .timeout = 400ms;
  publish();
  EXPECT_EQ(run_item(request("prompt", "slow")).message,
            "The prompt 'slow' did not finish within 400 ms");
}

TEST_F(KindsTest, TheCatalogShowsTheItemsThatTheCallersAgentMayUse) {
  std::map<std::string, std::string> items, why;
  const auto sink = [](std::string& out) {
    return gantry_sink{
        [](void* text, gantry_bytes part) { *static_cast<std::string*>(text) += view(part); },
        &out};
  };
  FakePlugin& p = plugin("p");
  p.prompt("greet", answers(R"({"messages":[]})")).title = "Greet";
  p.resource("x://a", answers(R"({"contents":[]})"));
  p.resource("x://w", answers(R"({"contents":[]})")).tier = Tier::write;
  p.resource("x://{b}", answers(R"({"contents":[]})"));
  p.tool("t", [&](gantry_call* call) {
    for (const char* kind : {"prompt", "resource", "resource_template"}) {
      EXPECT_EQ(catalog_table().items(p.host_handle(), call, b(kind), sink(items[kind])),
                GANTRY_OK);
    }
    EXPECT_EQ(catalog_table().items(p.host_handle(), call, b("service"), sink(items["-"])),
              GANTRY_UNSUPPORTED);
    for (const char* uri : {"x://a", "x://w", "x://n"}) {
      catalog_table().explain(p.host_handle(), call, b("resource"), b(uri), sink(why[uri]));
    }
    return GANTRY_OK;
  });
  publish();
  run("t");
  EXPECT_EQ(items["prompt"], R"([{"name":"greet","title":"Greet","category":"custom","plugin":"p",)"
                             R"("permission":"readonly"}])");
  EXPECT_EQ(items["resource"],
            R"([{"name":"called x://a","uri":"x://a","category":"custom","plugin":"p",)"
            R"("permission":"readonly"}])");
  EXPECT_NE(items["resource_template"].find(R"("uriTemplate":"x://{b}")"), std::string::npos);
  EXPECT_EQ(why["x://a"], R"({"allowed":true})");
  EXPECT_NE(why["x://w"].find("permission_denied"), std::string::npos);
  EXPECT_EQ(why["x://n"], R"({"allowed":false,"error_code":"not_found",)"
                          R"("reason":"No resource of that name is offered"})");
}

TEST_F(KindsTest, AServiceIsEnteredForTheHostItself) {
  FakePlugin& provider = plugin("p");
  provider.service("x.words/1", [](gantry_call* call) {
    api().write(call, b("other"), b("no"));
    api().write(call, b("text"), b("two "));
    return api().write(call, b("text"), b("parts"));
  });
  provider.service("x.slow/1", [](gantry_call* call) {
    while (!api().cancelled(call)) std::this_thread::sleep_for(1ms);
    return GANTRY_OK;
  });
  publish();
  const auto ask = [this](std::string_view name, std::chrono::milliseconds most) {
    ItemCall call;
    call.agent = std::make_shared<const Agent>();
    call.snapshot = registry_.snapshot();
    call.item = call.snapshot->service_by_name.at(name);
    call.name = name;
    call.most_time = most;
    return run_item(call);
  };
  EXPECT_EQ(ask("x.words/1", 0ms).content, "two parts");
  const ItemAnswer late = ask("x.slow/1", 20ms);
  EXPECT_EQ(late.kind, Kind::error);
  EXPECT_EQ(late.error_code, "timeout");
}

}  // namespace
}  // namespace gantry::host::kinds_test
