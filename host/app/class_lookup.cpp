#include "host/app/class_lookup.hpp"

#include <utility>

#include <rapidjson/document.h>

#include "host/app/one_call.hpp"
#include "host/base/json.hpp"
#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kParty = "agents file";

// The reader matches a URI before it gets here, so the class goes in the variable alone.
std::string arguments_of_class(const std::string& name) {
  std::string variables = "{";
  append_text_member(variables, "class", name);
  std::string out = "{";
  append_text_member(out, "uri", kClassResource);
  append_json_member(out, "variables", variables + "}");
  return out + "}";
}

std::vector<std::string> texts_in(const rapidjson::Document& answer, const char* name) {
  std::vector<std::string> texts;
  const auto list = answer.FindMember(name);
  if (list == answer.MemberEnd() || !list->value.IsArray()) return texts;
  for (const auto& each : list->value.GetArray()) {
    if (each.IsString()) texts.emplace_back(each.GetString(), each.GetStringLength());
  }
  return texts;
}

}  // namespace

std::optional<ClassLookup::Misfits> ClassLookup::misfits(const AgentPtr& agent) const {
  const auto answer =
      ask_access(registry_.snapshot(), calls_, agent, kParty, R"({"tell":"filters"})");
  if (!answer || answer->kind != ItemAnswer::Kind::result) return std::nullopt;
  rapidjson::Document told;
  told.Parse<rapidjson::kParseIterativeFlag>(answer->content.data(), answer->content.size());
  if (told.HasParseError() || !told.IsObject()) return std::nullopt;
  return Misfits{texts_in(told, "absent"), texts_in(told, "faults")};
}

std::optional<bool> ClassLookup::exists(const std::string& name) const {
  const SnapshotPtr snapshot = registry_.snapshot();
  const Item* const schemas = find_item(snapshot->template_by_uri, kClassResource);
  if (schemas == nullptr) return std::nullopt;
  static const AgentPtr kAll = share(Agent());
  const std::string arguments = arguments_of_class(name);
  ItemCall call = own_call(snapshot, *schemas, kAll, kParty);
  call.arguments = arguments;
  const auto answer = answer_of(calls_, std::move(call));
  if (!answer) return std::nullopt;
  const ItemAnswer& got = *answer;
  if (got.kind == ItemAnswer::Kind::result) return !got.is_error;
  const bool absent = got.error_code == "not_found" || got.error_code == "access_denied";
  return absent ? std::optional(false) : std::nullopt;
}

}  // namespace gantry::host
