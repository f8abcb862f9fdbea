// Items of every kind and the requests for them.
#pragma once

#include <string>
#include <string_view>

#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc {

inline ItemSpec prompt(std::string name, std::vector<PromptArgument> arguments = {}) {
  ItemSpec spec;
  spec.kind = "prompt";
  spec.name = std::move(name);
  spec.arguments = std::move(arguments);
  return spec;
}

inline ItemSpec resource(std::string uri) {
  ItemSpec spec;
  spec.kind = "resource";
  spec.name = "r";
  spec.uri = std::move(uri);
  return spec;
}

inline ItemSpec uri_template(std::string uri) {
  ItemSpec spec;
  spec.kind = "resource_template";
  spec.name = "t";
  spec.uri = std::move(uri);
  return spec;
}

inline ItemSpec completion(std::string name) {
  ItemSpec spec;
  spec.kind = "completion";
  spec.name = std::move(name);
  return spec;
}

inline ItemSpec for_admins(ItemSpec spec) {
  spec.tier = Tier::admin;
  return spec;
}

inline std::string ask_for(std::string_view method, std::string_view params = "") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(params) + "}}";
}

inline ItemAnswer gives(std::string json) {
  ItemAnswer answer;
  answer.structured = std::move(json);
  return answer;
}

inline ItemAnswer fails(std::string code, std::string sentence) {
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::error;
  answer.error_code = std::move(code);
  answer.message = std::move(sentence);
  return answer;
}

inline constexpr std::string_view kModern = "2026-07-28", kLegacy = "2025-11-25";

// What a call was entered as and with.
struct Entered {
  std::string kind, name, item, arguments, agent;
};

// A World that notes what is entered and answers by `answers`.
class Items : public World {
 public:
  explicit Items(std::vector<ItemSpec> items, ProtocolSettings settings = {.version = "1"})
      : World(std::move(items), std::move(settings)) {
    calls.handler = [this](const ItemCall& call, CallListener&) {
      entered.push_back({std::string(call.kind), std::string(call.name), call.item->spec.key(),
                         std::string(call.arguments), call.agent->name});
      return answer ? answer(entered.back()) : std::optional<ItemAnswer>(ItemAnswer());
    };
  }

  // The result or the error of a request.
  rapidjson::Document result(const std::string& request, std::string_view revision) {
    return part(request, revision, "result");
  }
  rapidjson::Document error(const std::string& request, std::string_view revision) {
    return part(request, revision, "error");
  }

  std::vector<Entered> entered;
  std::function<std::optional<ItemAnswer>(const Entered&)> answer;

 private:
  rapidjson::Document part(const std::string& request, std::string_view revision,
                           const char* name) {
    const Answer whole = ask(request, revision);
    EXPECT_EQ(whole.status, 200) << whole.body;
    auto message = json(whole.body);
    rapidjson::Document out;
    EXPECT_TRUE(message.HasMember(name)) << whole.body;
    if (message.HasMember(name)) out.CopyFrom(message[name], out.GetAllocator());
    return out;
  }
};

inline std::vector<std::string> texts(const rapidjson::Value& list, const char* member) {
  std::vector<std::string> out;
  for (const auto& entry : list.GetArray()) out.emplace_back(entry[member].GetString());
  return out;
}

using Words = std::vector<std::string>;

}  // namespace gantry::host::rpc
