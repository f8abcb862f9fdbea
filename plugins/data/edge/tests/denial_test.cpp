// The true cause of a refused class: the host gets it, the caller gets the same answer for all.
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

#include "edge/tests/plugin_under_test.hpp"

namespace gantry::data {
namespace {

constexpr const char* kCity =
    "CREATE TABLE city(code TEXT); CREATE TABLE staff(id INTEGER);"
    "CREATE TABLE _Session(id INTEGER);";

gantry::testing::Reply count_of(PluginUnderTest& plugin, const std::string& name,
                                const gantry::testing::CallOptions& options = {}) {
  return plugin.host.call_service(
      "gantry.data/1", R"({"op":"count","args":{"class_name":")" + name + R"("}})", options);
}

// An agent whose list leaves the class `staff` out.
gantry::testing::CallOptions without_staff() {
  gantry::testing::CallOptions limited;
  limited.agent_scope = R"({"agent":"a","depth":0,"permissions":"readonly",)"
                        R"("classes":{"except":["staff"]},"fingerprint":"0123456789abcdef"})";
  return limited;
}

std::string without(std::string text, const std::string& name) {
  for (auto at = text.find(name); at != text.npos; at = text.find(name))
    text.erase(at, name.size());
  return text;
}

TEST(DataDenial, TellsTheHostAloneWhyAClassIsRefused) {
  PluginUnderTest plugin(kCity);
  const auto ask = [&](const std::string& name) { return count_of(plugin, name, without_staff()); };
  const auto outside = ask("staff"), absent = ask("stuff"), hidden = ask("_Session");
  EXPECT_EQ(outside.denial_cause, "class_filter");
  EXPECT_EQ(absent.denial_cause, "absent");
  EXPECT_EQ(hidden.denial_cause, "hidden");
  EXPECT_EQ(outside.error_code, "access_denied");
  EXPECT_EQ(without(outside.message, "staff"), without(absent.message, "stuff"));
  EXPECT_EQ(without(outside.message, "staff"), without(hidden.message, "_Session"));
  EXPECT_EQ(outside.details, absent.details);
  for (const auto& reply : {outside, absent, hidden}) {
    EXPECT_TRUE(reply.content.empty()) << reply;
    EXPECT_EQ(reply.details.find("cause"), std::string::npos) << reply;
  }
}

TEST(DataDenial, TellsTheHostWhetherRulesMayHideAMissedRow) {
  PluginUnderTest plugin(kCity);
  const std::string miss = R"({"op":"get","args":{"class_name":"city","object_id":"999"}})";
  gantry::testing::CallOptions filtered;
  filtered.agent_scope =
      R"({"agent":"a","depth":0,"permissions":"readonly",)"
      R"("filters":[{"default":{"name":"x"}}],"fingerprint":"0123456789abcdef"})";
  EXPECT_EQ(plugin.host.call_service("gantry.data/1", miss).denial_cause, "row_absent");
  const auto ruled = plugin.host.call_service("gantry.data/1", miss, filtered);
  EXPECT_EQ(ruled.denial_cause, "row_rule");
  EXPECT_EQ(ruled.error_code, "not_found");
}

TEST(DataDenial, AnAgentWithRightsOverRowsIsRefusedWithoutItsScope) {
  PluginUnderTest plugin(kCity);
  const auto ask = [&](const std::string& member) {
    gantry::testing::CallOptions options;
    options.agent = R"({"name":"a","permissions":"readonly","depth":0)" + member + "}";
    return plugin.host.call_service("gantry.data/1",
                                    R"({"op":"count","args":{"class_name":"city"}})", options);
  };
  for (const char* right : {R"(,"user":"u1")", R"(,"role":["seller"])", R"(,"tenant_id":"acme")",
                            R"(,"tenant_id":"acme","classes":{"only":["city"]})"}) {
    const auto refused = ask(right);
    EXPECT_EQ(refused.error_code, "internal_error") << right;
    EXPECT_EQ(refused.message, "Internal error") << right;
    EXPECT_TRUE(refused.content.empty()) << right;
  }
  for (const char* none : {"", R"(,"classes":{"only":["city"]})", R"(,"note":"\"user\"")"}) {
    EXPECT_EQ(ask(none).status, GANTRY_OK) << none;
  }
  EXPECT_EQ(ask(R"(,"classes":{"only":["staff"]})").error_code, "access_denied");
}

TEST(DataDenial, TellsNothingForAClassThatIsRead) {
  PluginUnderTest plugin(kCity);
  EXPECT_EQ(count_of(plugin, "city").denial_cause, "");
}

TEST(DataDenial, TellsTheHostThatAViewIsHiddenForTheTablesThatItReads) {
  PluginUnderTest plugin(std::string(kCity) +
                         "CREATE VIEW staff_ids AS SELECT id FROM staff;"
                         "CREATE VIEW plain AS SELECT code FROM city;");
  const auto ask = [&](const std::string& name) { return count_of(plugin, name, without_staff()); };
  const auto view = ask("staff_ids"), absent = ask("stuff");
  EXPECT_EQ(view.denial_cause, "view_of_ruled");
  EXPECT_EQ(without(view.message, "staff_ids"), without(absent.message, "stuff"));
  EXPECT_EQ(view.details, absent.details);
  EXPECT_TRUE(ask("plain").ok());
}

TEST(DataAccess, TellsLayersAndNotesToTheHostAlone) {
  PluginUnderTest plugin(kCity);
  gantry::testing::CallOptions of_host;
  of_host.is_of_host = true;
  for (const char* what : {R"({"tell":"layers","class_name":"city"})", R"({"tell":"notes"})",
                           R"({"tell":"filters"})"}) {
    const auto refused = plugin.host.call_service("gantry.access/1", what);
    EXPECT_EQ(refused.error_code, "access_denied") << what;
    EXPECT_TRUE(refused.content.empty()) << what;
    EXPECT_TRUE(plugin.host.call_service("gantry.access/1", what, of_host).ok()) << what;
  }
  const auto told = plugin.host.call_service("gantry.access/1", R"({"tell":"layers"})", of_host);
  ASSERT_EQ(told.content.size(), 1u);
  EXPECT_EQ(told.content[0].second, R"({"hidden":[{"class":"_Session","by":"hidden"}]})");
  EXPECT_EQ(plugin.host.call_service("gantry.access/1", R"({"tell":"all"})", of_host).error_code,
            "invalid_argument");
  of_host.agent_scope =
      R"({"agent":"a","filters":[{"city":{"code":"b"},"default":{"x":{"$no":1}}},{"cty":{}},)"
      R"({"city":{"code":{"$bogus":1}}}],"fingerprint":"0123456789abcdef"})";
  const auto checked =
      plugin.host.call_service("gantry.access/1", R"({"tell":"filters"})", of_host);
  ASSERT_EQ(checked.content.size(), 1u) << checked;
  EXPECT_THAT(checked.content[0].second,
              ::testing::StartsWith(R"({"absent":["cty"],"faults":["city: )"));
  EXPECT_THAT(checked.content[0].second, ::testing::HasSubstr("$bogus"));
}

}  // namespace
}  // namespace gantry::data
