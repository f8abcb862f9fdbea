#include <ostream>

#include "tests/host/loader/loader_fixture.hpp"

namespace gantry::host::testing {
namespace {

struct Refusal {
  const char* fixture;
  const char* reason;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.fixture; }

const Refusal kRefusals[] = {
    {"no_entry",
     "the library exports no gantry_plugin_v1; define that table in the plugin and build it with "
     "gantry_add_plugin(), whose version script exports it"},
    {"wrong_major",
     "the plugin is built for ABI 2, this host speaks 1; rebuild it with a GantrySDK 1.x"},
    {"wrong_abi",
     "the plugin is built for ABI 2, this host speaks 1; rebuild it with a GantrySDK 1.x"},
    {"entry_is_function",
     "gantry_plugin_v1 is not a data object; define it as `const gantry_plugin gantry_plugin_v1 = "
     "{…}`"},
    {"entry_too_small",
     "gantry_plugin_v1 has 4 bytes where a gantry_plugin has at least 56; define it as `const "
     "gantry_plugin gantry_plugin_v1 = {…}`"},
    {"no_note",
     "the library has no manifest; build it with gantry_add_plugin() or use GANTRY_MANIFEST once"},
    {"note_not_json", "the manifest is not usable JSON: at byte 1: Invalid value."},
    {"no_version", "the manifest is refused: version is missing: a text such as \"1.2.0\""},
    {"bad_plugin_name",
     "the manifest is refused: name must be 1 to 64 lower-case letters, digits, '_' and '-'; it is "
     "\"Bad Name\""},
    {"missing_need",
     "it needs gantry.kv/1, which this host and no loaded plugin offers; load a plugin that offers "
     "it"},
    {"other_revision",
     "it needs gantry.call/9, here is gantry.call/1; use a plugin built for that"},
    {"create_fails", "create() failed: the moon is not full"},
    {"create_silent",
     "create() failed with status -4 and gave no reason; a plugin says why with log() at error "
     "level"},
    {"start_fails", "start() failed: the port 1 is taken"},
    {"self_check_fails", "its self-check failed: two and two make five"},
    {"duplicate_tool",
     "the manifest is refused: items[1] (\"twice\"): the tool \"twice\" is there twice; keep one"},
    {"no_schema",
     "the manifest is refused: items[0] (\"bare\").inputSchema is missing; a tool without "
     "arguments has {\"type\":\"object\"}"},
    {"bad_name",
     "the manifest is refused: items[0] (\"two words\").name must be 1 to 64 of A-Z a-z 0-9 _ . -; "
     "it is \"two words\""},
    {"bad_header",
     "the manifest is refused: items[0] (\"far\").inputSchema: x-mcp-header at #/properties/size "
     "needs a property of \"type\" string, integer or boolean"},
    {"offer_bad",
     "start() failed: the offer of offer-bad is refused: items must be an array; it is "
     "{\"kind\":\"tool\"}"},
    {"offer_nothing",
     "its manifest says \"items\": \"probe\", but start() offered nothing; call offer() there"},
    {"undeclared_service",
     "the manifest is refused: the item \"hidden.words/1\" is a service that the manifest's offers "
     "does not name; add it there"},
    {"wants_process",
     "it asks to run in a worker process, which this host cannot do; if you trust it, set "
     "plugins.wants-process.isolate to \"in-process\""},
    {"bad_magic", "gantry_plugin_v1 does not begin with GANTRY_MAGIC; set its first member"},
    {"short_table",
     "gantry_plugin_v1 says it has 40 bytes; set its member size to sizeof(gantry_plugin)"},
    {"null_function",
     "gantry_plugin_v1 lacks a function; set create, start, invoke, stop and destroy"},
    {"throws",
     "create() failed: create() threw \"no catch here\" across the contract; catch exceptions "
     "inside the plugin"},
};

class Refusals : public LoaderTest, public ::testing::WithParamInterface<Refusal> {};

TEST_P(Refusals, NameTheRuleAndSpareTheOthers) {
  options.self_check = [](const InstancePtr& plugin) {
    const gantry_status status = plugin->invoke("self_check", "", nullptr);
    return status < 0 ? Status(status, "") : Status::ok();
  };
  const LoadResult result = load({std::string("broken/") + GetParam().fixture, "good/echo"});
  ASSERT_EQ(result.refused.size(), 1u);
  EXPECT_EQ(result.refused[0].reason, GetParam().reason);
  EXPECT_EQ(result.refused[0].state, "refused");
  EXPECT_EQ(result.refused[0].file, fixture(std::string("broken/") + GetParam().fixture));
  EXPECT_EQ(names_of(result), std::vector<std::string>{"echo"});
}

INSTANTIATE_TEST_SUITE_P(EachRule, Refusals, ::testing::ValuesIn(kRefusals),
                         [](const auto& test) { return std::string(test.param.fixture); });

class Refusing : public LoaderTest {
 protected:
  std::string reason_of(const LoadResult& result, const std::string& name) {
    for (const PluginState& state : result.refused) {
      if (state.name == name) return state.reason;
    }
    return "not refused";
  }
};

TEST_F(Refusing, NamesTheSymbolThatIsMissing) {
  const std::string reason = reason_of(load({"broken/undefined_symbol"}), "undefined-symbol");
  EXPECT_NE(reason.find("undefined symbol: fixture_nowhere"), std::string::npos) << reason;
  EXPECT_EQ(reason.find("private"), std::string::npos) << reason;
}

TEST_F(Refusing, NamesThePlaceInABadSchema) {
  const std::string reason = reason_of(load({"broken/bad_schema"}), "bad_schema");
  EXPECT_TRUE(reason.starts_with("the manifest is refused: items[0] (\"odd\").inputSchema: "))
      << reason;
  EXPECT_NE(reason.find("/properties/a"), std::string::npos) << reason;
}

TEST_F(Refusing, NamesThePathInABadConfiguration) {
  const std::string reason = reason_of(load({"broken/config_rejected"}), "config-rejected");
  EXPECT_TRUE(reason.starts_with("its configuration is refused: ")) << reason;
  EXPECT_NE(reason.find("path"), std::string::npos) << reason;
}

TEST_F(Refusing, SaysWhenAPluginTakesNoConfiguration) {
  options.settings["echo"].config = R"({"volume":11})";
  EXPECT_EQ(reason_of(load({"good/echo"}), "echo"),
            "it takes no configuration; remove plugins.echo.config");
}

TEST_F(Refusing, NamesACircleOfNeeds) {
  const LoadResult result = load({"broken/circle_a", "broken/circle_b", "good/echo"});
  EXPECT_EQ(reason_of(result, "circle-a"),
            "plugins need each other's services in a circle: circle-a -> circle-b -> circle-a; "
            "remove one of these needs");
  EXPECT_EQ(reason_of(result, "circle-b"), reason_of(result, "circle-a"));
  EXPECT_EQ(names_of(result), std::vector<std::string>{"echo"});
}

TEST_F(Refusing, NamesTheOwnerOfATakenTool) {
  const LoadResult result = load({"good/echo", "broken/taken_tool"});
  EXPECT_EQ(reason_of(result, "taken-tool"),
            "it offers the tool \"echo\", which the plugin \"echo\" already offers; rename it or "
            "remove one of the two plugins");
}

TEST_F(Refusing, PointsToOverridesWhenTheOwnerIsBuiltIn) {
  const LoadResult result =
      loader().load_all({{fixture("broken/taken_tool"), false}, {fixture("good/echo"), true}});
  EXPECT_EQ(reason_of(result, "taken-tool"),
            "it offers the tool \"echo\", which the built-in plugin \"echo\" already offers; "
            "rename it, or list \"taken-tool\" under overrides to let it replace the built-in one");
}

TEST_F(Refusing, LetsAnOverrideThrough) {
  options.overrides = {"taken-tool"};
  const LoadResult result =
      loader().load_all({{fixture("broken/taken_tool"), false}, {fixture("good/echo"), true}});
  EXPECT_TRUE(result.refused.empty());
  EXPECT_EQ(result.instances.size(), 2u);
}

TEST_F(Refusing, NamesTheFirstFileOfAPluginThatIsThereTwice) {
  const fs::path copy = directory.path() / "zz-copy.so";
  fs::copy_file(fixture("good/echo"), copy);
  const LoadResult result = loader().load_all({{fixture("good/echo"), false}, {copy, false}});
  EXPECT_EQ(reason_of(result, "echo"), "the plugin \"echo\" is loaded from " +
                                           fixture("good/echo").string() +
                                           " already; remove one of the two files");
  EXPECT_EQ(result.instances.size(), 1u);
}

TEST_F(Refusing, SaysThatAPathDoesNotExist) {
  const LoadResult result = loader().load_all({{directory.path() / "none.so", false}});
  EXPECT_EQ(reason_of(result, "none"), "there is no such file or directory; correct the path");
}

TEST_F(Refusing, DoesNotWaitForAPipe) {
  const fs::path pipe = directory.path() / "pipe.so";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(reason_of(loader().load_all({{pipe, false}}), "pipe"), "it is no regular file");
}

TEST_F(Refusing, TextIsNoPlugin) {
  const fs::path file = directory.path() / "note.so";
  write_all(file, "#!/bin/sh\necho hello\n");
  EXPECT_EQ(reason_of(loader().load_all({{file, false}}), "note"),
            "the file is not a shared library (no ELF header); a plugin is a .so built with "
            "gantry_add_plugin()");
}

TEST_F(Refusing, AUserGoesWhenItsProviderIsRefusedBeforeLoading) {
  const fs::path text = directory.path() / "echo.so";
  write_all(text, "not it");
  const LoadResult result = loader().load_all({{text, false}, {fixture("good/alpha_user"), false}});
  EXPECT_EQ(reason_of(result, "alpha-user"),
            "it needs fixture.words/1, which this host and no loaded plugin offers; load a plugin "
            "that offers it");
}

}  // namespace
}  // namespace gantry::host::testing
