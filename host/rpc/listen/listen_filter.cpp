#include "host/rpc/listen/listen_filter.hpp"

#include <algorithm>

#include "host/base/json.hpp"
#include "host/rpc/listen/event_text.hpp"
#include "host/rpc/message/envelope.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

constexpr std::string_view kUris = "resourceSubscriptions", kTasks = "taskIds";

struct Flag {
  std::string_view name;
  bool ListenFilter::*member;
};
constexpr Flag kKindFlags[] = {{"toolsListChanged", &ListenFilter::tools},
                               {"promptsListChanged", &ListenFilter::prompts},
                               {"resourcesListChanged", &ListenFilter::resources}};

std::string place(std::string_view name) { return "params.notifications." + std::string(name); }

std::optional<Error> read_names(const Value& filter, std::string_view name,
                                std::vector<std::string>& out) {
  const Value* value = member(&filter, name);
  if (value == nullptr) return std::nullopt;
  const auto wrong = Error::invalid_params(place(name) + " must be an array of strings");
  if (!value->IsArray()) return wrong;
  Names seen;
  for (const auto& entry : value->GetArray()) {
    const auto text = text_of(&entry);
    if (!text) return wrong;
    if (seen.emplace(*text).second) out.emplace_back(*text);
  }
  return std::nullopt;
}

void append_names(std::string& out, std::string_view name, const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (out.back() != '{') out += ',';
  append_json_string(out, name);
  for (const auto& entry : names) {
    out += &entry == &names.front() ? ":[" : ",";
    append_json_string(out, entry);
  }
  out += ']';
}

// {"io.modelcontextprotocol/subscriptionId":ID}
std::string meta_of(std::string_view id) {
  return "{\"" + std::string(kSubscriptionKey) + "\":" + std::string(id) + "}";
}

}  // namespace

SubscriptionFilter ListenFilter::wanted(Clock::Instant now) const {
  SubscriptionFilter out;
  out.tools = tools;
  out.prompts = prompts;
  out.resources = resources;
  for (const auto& uri : uris) out.uris.emplace(uri, now);
  out.tasks.insert(tasks.begin(), tasks.end());
  return out;
}

std::optional<Error> read_filter(const Message& message, std::size_t most_uris,
                                 ListenFilter& filter) {
  const Value* asked = message.param("notifications");
  if (asked == nullptr || !asked->IsObject()) {
    return Error::invalid_params(
        "params.notifications must be an object that names the notifications to send");
  }
  for (const auto& [name, member_of_filter] : kKindFlags) {
    const Value* value = member(asked, name);
    if (value == nullptr) continue;
    if (!value->IsBool()) return Error::invalid_params(place(name) + " must be true or false");
    filter.*member_of_filter = value->GetBool();
  }
  if (auto error = read_names(*asked, kUris, filter.uris)) return error;
  if (auto error = read_names(*asked, kTasks, filter.tasks)) return error;
  filter.names_tasks = member(asked, kTasks) != nullptr;
  if (filter.uris.size() <= most_uris) return std::nullopt;
  return Error::invalid_params(place(kUris) + " may name at most " + std::to_string(most_uris) +
                               " resources (max_subscriptions)");
}

std::string acknowledgement(const ListenFilter& honoured, std::string_view id) {
  std::string out = notification_head("notifications/subscriptions/acknowledged");
  out += ",\"params\":{\"notifications\":{";
  for (const auto& [name, member_of_filter] : kKindFlags) {
    if (!(honoured.*member_of_filter)) continue;
    if (out.back() != '{') out += ',';
    append_json_string(out, name);
    out += ":true";
  }
  append_names(out, kUris, honoured.uris);
  append_names(out, kTasks, honoured.tasks);
  return out + "},\"_meta\":" + meta_of(id) + "}}";
}

std::string listened(std::string_view id) {
  return result_message(id, "{\"resultType\":\"complete\",\"_meta\":" + meta_of(id) + "}");
}

}  // namespace gantry::host::rpc
