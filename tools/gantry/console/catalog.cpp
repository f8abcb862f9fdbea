#include "tools/gantry/console/catalog.hpp"

#include "tools/gantry/mcp/client.hpp"
#include "tools/gantry/mcp/tool.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::console {

std::vector<std::string> names_in(const rapidjson::Value& object, const char* list) {
  std::vector<std::string> out;
  for (const auto& one : items(member(object, list))) out.push_back(text_at(one, "name"));
  return out;
}

Status Catalog::load() {
  auto tools = client_->tools();
  if (!tools) return tools.status();
  tools_ = std::move(*tools);
  return {};
}

const rapidjson::Document& Catalog::prompts() {
  if (knows_prompts_) return prompts_;
  knows_prompts_ = true;
  prompts_ = parsed(R"({"prompts":[]})");
  const auto answer = client_->ask("prompts/list", "{}");
  const auto result = answer ? result_of(*answer) : answer;
  if (result) prompts_ = parsed(*result);
  return prompts_;
}

const std::vector<std::string>& Catalog::classes() {
  if (knows_classes_) return classes_;
  knows_classes_ = true;
  const auto answer =
      client_->ask("tools/call", params_of_call("get_all_schemas", "{}"), "get_all_schemas");
  const auto result = answer ? result_of(*answer) : answer;
  if (!result) return classes_;
  const auto document = parsed(*result);
  for (const char* list : {"custom", "built_in"}) {
    for (auto& name : names_in(member(document, "structuredContent"), list)) {
      classes_.push_back(std::move(name));
    }
  }
  return classes_;
}

const rapidjson::Value& Catalog::schema_of(const std::string& tool) const {
  const auto* found = tools_.IsObject() ? find_tool(tools_, tool) : nullptr;
  static const rapidjson::Value kNoTool;
  return cli::schema_of(found == nullptr ? kNoTool : *found);
}

rapidjson::Document Catalog::schema_of_prompt(const std::string& prompt) {
  auto out = parsed(R"({"type":"object","additionalProperties":false,"properties":{}})");
  auto& pool = out.GetAllocator();
  for (const auto& one : items(member(prompts(), "prompts"))) {
    if (text_at(one, "name") != prompt) continue;
    for (const auto& name : names_in(one, "arguments")) {
      out["properties"].AddMember(
          rapidjson::Value(name.c_str(), pool),
          rapidjson::Value(rapidjson::kObjectType).AddMember("type", "string", pool), pool);
    }
  }
  return out;
}

}  // namespace gantry::cli::console
