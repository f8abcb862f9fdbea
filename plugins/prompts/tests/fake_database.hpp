// tests/fake_database.hpp: the prompts over a fake gantry.data/1 with three classes.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/testing/fake_host.hpp>

namespace prompts {

struct PromptsUnderTest {
  PromptsUnderTest() : host(gantry::testing::Loaded{GANTRY_PLUGIN_FILE}) {
    host.provide("service", "gantry.data/1",
                 [](std::string_view request, std::string_view) { return answer(request); });
  }

  // The text of the only message, or "code: sentence" of a failure.
  std::string text(std::string_view name, std::string_view arguments = "{}") {
    const auto reply = host.prompt(name, arguments);
    if (!reply.ok()) return reply.error_code + ": " + reply.message;
    EXPECT_EQ(reply.messages.size(), 1u);
    return reply.messages.empty() ? "" : reply.messages[0].text;
  }

  static gantry::testing::Answer answer(std::string_view request) {
    if (request.find(R"("op":"schemas")") != std::string_view::npos) {
      return {{{"meta", R"({"total":3,"built_in":[],"custom":[{"name":"City","fields":3},)"
                        R"({"name":"log","fields":1},{"name":"person","fields":6}]})"}}};
    }
    if (request.find(R"("op":"introduction")") != std::string_view::npos) {
      return {{{"meta", R"({"text":"Six rules of \"City\""})"}}};
    }
    for (const auto& [name, schema] : kSchemas) {
      const std::string named = R"("class_name":")" + std::string(name) + "\"";
      if (request.find(named) != std::string_view::npos) return {{{"meta", std::string(schema)}}};
    }
    return {{{"error", R"({"error_code":"access_denied","error":"Class is not accessible to this )"
                       R"(agent. Classes: City, log, person."})"}},
            GANTRY_FAILED};
  }

  static constexpr std::pair<std::string_view, std::string_view> kSchemas[] = {
      {"City", R"({"class_name":"City","type":"custom","fields":[{"name":"objectId",)"
               R"("type":"String","required":true},{"name":"name","type":"String",)"
               R"("required":false},{"name":"founded","type":"Date","required":false}]})"},
      {"log", R"({"class_name":"log","type":"custom","fields":[{"name":"line","type":"String",)"
              R"("required":false}]})"},
      {"person",
       R"({"class_name":"person","type":"custom","fields":[{"name":"objectId","type":"String",)"
       R"("required":true},{"name":"createdAt","type":"Date","required":false},)"
       R"({"name":"updatedAt","type":"Date","required":false},{"name":"boss","type":"Pointer",)"
       R"("required":false,"target_class":"person"},{"name":"home","type":"Pointer",)"
       R"("required":true,"target_class":"City"},{"name":"secret_of","type":"Pointer",)"
       R"("required":false}]})"}};

  gantry::testing::FakeHost host;
};

}  // namespace prompts
