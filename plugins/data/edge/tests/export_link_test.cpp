// Exports by link: which principals find them, and which of the rows they hold.
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "edge/tests/plugin_under_test.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCities = R"(
  CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT);
  INSERT INTO city VALUES('b','Bern'),('o','Oslo');)";

class ExportLinks : public ::testing::Test {
 protected:
  ExportLinks() : plugin_(kCities, R"(,"exports":")" + ::testing::TempDir() + "\"") {}

  static gantry::testing::CallOptions as(const std::string& principal, const std::string& filter) {
    gantry::testing::CallOptions options;
    options.agent = R"({"name":"sales","permissions":"readonly"})";
    options.agent_scope = R"({"agent":"sales","principal":")" + principal +
                          R"(","filters":[{"city":)" + filter +
                          R"(}],"fingerprint":"0123456789abcdef"})";
    return options;
  }
  std::string exported(const gantry::testing::CallOptions& caller) {
    const auto reply = plugin_.host.call_service(
        "gantry.data/1", R"({"op":"export_link","args":{"class_name":"city"}})", caller);
    const std::string meta = reply.part("meta");
    const auto at = meta.find("export://");
    EXPECT_NE(at, std::string::npos) << reply;
    return at == std::string::npos ? "export://none" : meta.substr(at, meta.find('"', at) - at);
  }
  // The text, or the code of the error.
  std::string read(const std::string& uri, const gantry::testing::CallOptions& caller) {
    const auto reply = plugin_.host.read(uri, caller);
    return reply.ok() && reply.contents.size() == 1 ? reply.contents[0].body : reply.error_code;
  }

  PluginUnderTest plugin_;
};

TEST_F(ExportLinks, HoldTheRowsThatTheAgentSees) {
  const auto ann = as("key:ann", R"({"code":"b"})");
  const std::string text = read(exported(ann), ann);
  EXPECT_THAT(text, HasSubstr("Bern"));
  EXPECT_THAT(text, Not(HasSubstr("Oslo")));
}

TEST_F(ExportLinks, AreUnknownToAnotherPrincipalOfTheSameProfile) {
  const auto ann = as("key:ann", "{}"), bob = as("key:bob", "{}");
  const std::string uri = exported(ann);
  for (const std::string& path : {uri, uri + "/1", uri + "/about"}) {
    EXPECT_EQ(read(path, bob), "not_found") << path;
    EXPECT_NE(read(path, ann), "not_found") << path;
  }
}

TEST_F(ExportLinks, AreUnknownOnceTheAgentsRightsAreOthers) {
  const std::string uri = exported(as("key:ann", "{}"));
  EXPECT_EQ(read(uri, as("key:ann", R"({"code":"b"})")), "not_found");
  EXPECT_THAT(read(uri, as("key:ann", "{}")), HasSubstr("Oslo"));
}

TEST(ExportLinksUnderAModel, AreUnknownOnceTheModelIsAnother) {
  const std::filesystem::path model = std::filesystem::path(::testing::TempDir()) / "export_model";
  std::filesystem::create_directories(model);
  const auto write = [&model](const char* text) {
    std::ofstream(model / "city.json.new") << text;
    std::filesystem::rename(model / "city.json.new", model / "city.json");
  };
  write(R"({"class":"city"})");
  PluginUnderTest plugin(
      kCities, R"(,"exports":")" + ::testing::TempDir() + R"(","model":")" + model.string() + "\"");
  const auto ask = [&plugin](const std::string& op) {
    return plugin.host.call_service("gantry.data/1",
                                    R"({"op":")" + op + R"(","args":{"class_name":"city"}})", {});
  };
  const std::string meta = ask("export_link").part("meta");
  const auto at = meta.find("export://");
  ASSERT_NE(at, std::string::npos) << meta;
  const std::string uri = meta.substr(at, meta.find('"', at) - at);
  EXPECT_TRUE(plugin.host.read(uri).ok());
  write(R"({"class":"city","hidden":true})");
  // By another operation: an owner's further exports drop its first ones.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (ask("count").error_code != "access_denied" && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(ask("export_link").error_code, "access_denied");
  for (const std::string& path : {uri, uri + "/1", uri + "/about"}) {
    EXPECT_EQ(plugin.host.read(path).error_code, "not_found") << path;
  }
  std::filesystem::remove_all(model);
}

TEST_F(ExportLinks, AreNotMadeForAScopeThatCannotBeRead) {
  auto caller = as("key:ann", "{}");
  caller.agent_scope = R"({"fingerprint":"f","narrower":1})";
  const auto reply = plugin_.host.call_service(
      "gantry.data/1", R"({"op":"export_link","args":{"class_name":"city"}})", caller);
  EXPECT_EQ(reply.error_code, "internal_error");
}

}  // namespace
}  // namespace gantry::data
