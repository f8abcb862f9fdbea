#include "host/base/sha256.hpp"
#include "host/loader/host_api.hpp"
#include "tests/host/loader/loader_fixture.hpp"

namespace gantry::host::testing {
namespace {

using Load = LoaderTest;
using Names = std::vector<std::string>;

TEST_F(Load, StartsProvidersBeforeUsers) {
  const LoadResult result = load({"good/alpha_user", "good/echo"});
  EXPECT_EQ(names_of(result), (Names{"echo", "alpha-user"}));
  EXPECT_EQ(result.instances[1]->plugin_needs(), Names{"fixture.words/1"});
}

TEST_F(Load, TakesEverySoOfADirectoryButDotFiles) {
  const fs::path folder = directory.path() / "plugins";
  fs::create_directory(folder);
  fs::copy_file(fixture("good/echo"), folder / "b.so");
  fs::copy_file(fixture("good/keeps"), folder / "a.so");
  fs::copy_file(fixture("good/probe"), folder / ".hidden.so");
  write_all(folder / "README.txt", "no plugin");
  const LoadResult result = loader().load_all({{folder, false}});
  EXPECT_EQ(names_of(result), (Names{"keeps", "echo"}));
  EXPECT_TRUE(result.refused.empty());
}

TEST_F(Load, CountsAFileAndItsLinkOnce) {
  const fs::path link = directory.path() / "link.so";
  fs::create_symlink(fixture("good/echo"), link);
  const LoadResult result = loader().load_all({{fixture("good/echo"), false}, {link, false}});
  EXPECT_EQ(names_of(result), Names{"echo"});
  EXPECT_TRUE(result.refused.empty());
}

TEST_F(Load, GivesAPluginOnlyTheServicesItsManifestNames) {
  const LoadResult result = load({"good/all_services"});
  EXPECT_EQ(names_of(result), Names{"all-services"})
      << (result.refused.empty() ? "" : result.refused[0].reason);
}

TEST_F(Load, TakesAnOfferMadeInStart) {
  std::vector<ItemSpec> offered;
  services.on_offer = [&](Instance&, std::vector<ItemSpec> items) {
    offered = std::move(items);
    return Status::ok();
  };
  EXPECT_EQ(names_of(load({"good/probe"})), Names{"probe"});
  ASSERT_EQ(offered.size(), 1u);
  EXPECT_EQ(offered[0].name, "found");
  EXPECT_EQ(offered[0].input_schema, R"({"type":"object"})");
}

TEST_F(Load, FindsTheInstanceBehindAHandle) {
  const LoadResult result = load({"good/echo"});
  EXPECT_EQ(&instance_of(result.instances[0]->host_handle()), result.instances[0].get());
}

TEST_F(Load, HashesTheFileThatWasLoaded) {
  const LoadResult result = load({"good/echo"});
  const std::string& hash = result.instances[0]->sha256();
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(hash, sha256_hex(read_all(fixture("good/echo"))));
  EXPECT_EQ(result.instances[0]->file(), fixture("good/echo"));
}

TEST_F(Load, EntersThePlugin) {
  const LoadResult result = load({"good/echo"});
  EXPECT_EQ(result.instances[0]->invoke("tool", "echo", nullptr), GANTRY_OK);
  EXPECT_EQ(result.instances[0]->invoke("prompt", "echo", nullptr), GANTRY_UNSUPPORTED);
}

TEST_F(Load, SurvivesTheFileBeingOverwritten) {
  const fs::path file = directory.path() / "echo.so";
  fs::copy_file(fixture("good/echo"), file);
  const LoadResult result = loader().load_all({{file, false}});
  write_all(file, "overwritten while mapped");
  EXPECT_EQ(result.instances[0]->invoke("tool", "echo", nullptr), GANTRY_OK);
}

TEST_F(Load, WarnsOfNamesExportedBesidesTheTable) {
  EXPECT_EQ(names_of(load({"good/two_exports"})), Names{"two-exports"});
  EXPECT_TRUE(
      logged("two-exports 4 exports fixture_second besides gantry_plugin_v1; link it with the "
             "SDK's version script"));
}

TEST_F(Load, RunsAWorkerPluginInsideWhenTheOperatorTrustsIt) {
  options.settings["wants-process"].isolate = Isolate::in_process;
  EXPECT_EQ(names_of(load({"broken/wants_process"})), Names{"wants-process"});
}

TEST_F(Load, BoundsTheSizeOfAnOffer) {
  const LoadResult result = load({"good/echo"});
  gantry_host* const handle = result.instances[0]->host_handle();
  const std::string_view json = "[]";
  const gantry_bytes offer{json.data(), json.size()};
  EXPECT_EQ(host_api().offer(handle, offer), GANTRY_OK);
  const std::string big(GANTRY_NOTE_MAX + 1, ' ');
  EXPECT_EQ(host_api().offer(handle, {big.data(), big.size()}), GANTRY_TOO_BIG);
  EXPECT_EQ(host_api().offer(nullptr, offer), GANTRY_MISUSE);
}

TEST_F(Load, CutsLongLinesAtACharacterAndMendsLevels) {
  const LoadResult result = load({"good/echo"});
  std::string text(16383, 'x');
  text += "\xc3\xa9";
  host_api().log(result.instances[0]->host_handle(), 99, {text.data(), text.size()});
  EXPECT_TRUE(logged("echo 3 " + std::string(16383, 'x')));
}

TEST_F(Load, SaysWhenAStrangerRunsInside) {
  loader().load_all({{fixture("good/echo"), false}, {fixture("good/keeps"), true}});
  const std::string text =
      " 5 runs inside the host's process, since this host has no worker processes; say so with "
      "plugins.echo.isolate \"in-process\" to accept it";
  EXPECT_TRUE(logged("echo" + text));
  EXPECT_FALSE(logged("keeps" + text));
}

TEST_F(Load, KnowsTheBuiltinPlugins) {
  const LoadResult result =
      loader().load_all({{fixture("good/echo"), true}, {fixture("good/keeps"), false}});
  EXPECT_TRUE(result.instances[0]->builtin());
  EXPECT_FALSE(result.instances[1]->builtin());
}

}  // namespace
}  // namespace gantry::host::testing
