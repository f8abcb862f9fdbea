#include "forms.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <gantry/json.hpp>

#include "use.hpp"

#include "sdk/contract/answer_forms.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/media_types.hpp"

namespace gantry::testing::detail {
namespace {

// The call's URI and media type: they stand in for those that a content does not have.
struct Defaults {
  const std::string &uri, &mime_type;
};

std::string take_message(const Json& json, const Defaults&, Reply& reply) {
  if (std::string wrong = contract::wrong_message(json); !wrong.empty()) return wrong;
  const std::optional<Json> content = json.find("content");
  reply.messages.push_back({contract::text_of(json, "role"),
                            text_member(*content, "text").value_or(""),
                            std::string(content->text())});
  return {};
}

std::string take_content(const Json& json, const Defaults& defaults, Reply& reply) {
  Content content{text_member(json, "uri").value_or(defaults.uri),
                  text_member(json, "mimeType").value_or(defaults.mime_type), "", false};
  const std::optional<std::string> text = text_member(json, "text");
  const std::optional<std::string> blob = text_member(json, "blob");
  if (std::string wrong = contract::wrong_content(json); !wrong.empty()) return wrong;
  if (text && blob) return "a content has both \"text\" and \"blob\"; expected one of them";
  const std::optional<std::string> bytes = blob ? contract::from_base64(*blob) : text;
  if (!bytes) return "the \"blob\" of a content is no Base64";
  content.body = *bytes;
  content.is_blob = blob.has_value();
  reply.contents.push_back(std::move(content));
  return {};
}

std::string take_listed(const Json& json, const Defaults&, Reply& reply) {
  const std::optional<std::string> uri = text_member(json, "uri");
  if (!uri || !text_member(json, "name")) return "a listed resource has no \"uri\" or no \"name\"";
  reply.listed.push_back(*uri);
  return {};
}

std::string take_value(const Json& json, const Defaults&, Reply& reply) {
  if (std::string wrong = contract::wrong_value(json); !wrong.empty()) return wrong;
  reply.values.push_back(*json.as_string());
  return {};
}

// By the array of the answer that holds such entries.
constexpr struct {
  std::string_view list;
  std::string (*take)(const Json&, const Defaults&, Reply&);
} kEntries[] = {{"messages", take_message},
                {"contents", take_content},
                {"resources", take_listed},
                {"values", take_value}};

void take_written(const std::string& uri, Reply& reply) {
  for (const auto& [type, body] : reply.content) {
    reply.contents.push_back({uri, type, body, !(contract::is_text_type(type) && is_utf8(body))});
  }
}

}  // namespace

std::string uri_of(std::string_view arguments) {
  const Result<Json> json = Json::parse(arguments);
  return json ? text_member(*json, "uri").value_or("") : std::string();
}

std::string take_form(std::string_view kind, const std::string& uri, const std::string& mime_type,
                      Reply& reply) {
  // A plugin may answer OK to a kind that is not of the contract, which the checks report.
  const contract::ItemKind* const of = contract::find_kind(kind);
  if (of == nullptr) return "it answered a call of the unknown kind '" + std::string(kind) + "'";
  const bool is_read = of->form == contract::AnswerForm::entries;
  if (is_read && reply.structured.empty()) {
    take_written(uri, reply);
  } else {
    const Result<Json> json = Json::parse(reply.structured);
    const std::string name(of->list);
    const std::optional<Json> list = json ? json->find(name) : std::nullopt;
    if (!list || !list->is_array()) {
      return "the answer of a " + std::string(kind) + " is no JSON object with an array \"" + name +
             "\"";
    }
    const auto known = std::find_if(std::begin(kEntries), std::end(kEntries),
                                    [&](const auto& entries) { return entries.list == of->list; });
    for (const Json& entry : list->elements()) {
      const std::string wrong = known->take(entry, {uri, mime_type}, reply);
      if (!wrong.empty()) return wrong;
    }
  }
  if (is_read && reply.contents.empty()) {
    return "a resource without contents; end with GANTRY_NOT_FOUND when there is nothing";
  }
  return {};
}

}  // namespace gantry::testing::detail
