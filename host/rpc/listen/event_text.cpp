#include "host/rpc/listen/event_text.hpp"

#include <algorithm>

#include "host/base/json.hpp"
#include "host/rpc/message/envelope.hpp"

namespace gantry::host::rpc {
namespace {

using Kind = Event::Kind;

std::string_view method_of(Kind kind) {
  switch (kind) {
    case Kind::tools_listed:
      return "notifications/tools/list_changed";
    case Kind::prompts_listed:
      return "notifications/prompts/list_changed";
    case Kind::resources_listed:
      return "notifications/resources/list_changed";
    case Kind::resource_updated:
      return "notifications/resources/updated";
    case Kind::task_changed:
      break;
  }
  return "notifications/tasks";
}

// The text between the braces of a JSON object.
std::string_view inside(std::string_view object) {
  return object.size() < 2 ? std::string_view() : object.substr(1, object.size() - 2);
}

}  // namespace

EventText::EventText(const Event& event)
    : key_(method_of(event.kind)), head_(notification_head(key_)) {
  if (event.kind == Kind::resource_updated) {
    key_ += event.uri;
    params_ = "\"uri\":" + json_string(event.uri);
    if (!event.metadata.empty()) meta_ = "\"gantry/metadata\":" + event.metadata;
    if (event.deleted) meta_ += std::string(meta_.empty() ? "" : ",") + "\"gantry/deleted\":true";
  } else if (event.kind == Kind::task_changed) {
    key_ += event.task;
    params_ = inside(event.json);
  }
}

std::string EventText::for_request(std::string_view id) const {
  constexpr std::string_view kParams = ",\"params\":{", kMeta = "\"_meta\":{\"", kColon = "\":";
  std::string out;
  out.reserve(head_.size() + params_.size() + meta_.size() + id.size() + 80);
  out.append(head_).append(kParams).append(params_);
  if (!params_.empty()) out += ',';
  out.append(kMeta).append(kSubscriptionKey).append(kColon).append(id);
  if (!meta_.empty()) out.append(",").append(meta_);
  return out += "}}}";
}

std::string EventText::for_session() const {
  if (params_.empty()) return head_ + "}";
  const std::string meta = meta_.empty() ? "" : ",\"_meta\":{" + meta_ + "}";
  return head_ + ",\"params\":{" + params_ + meta + "}}";
}

bool concerns(const Event& event, const Agent& agent) {
  if (event.kind == Event::Kind::resource_updated)
    return event.deleted || !event.scoped || event.audience == agent.fingerprint;
  if (!event.audience.empty()) return event.audience == agent.fingerprint;
  if (event.seen.empty()) return true;
  const bool by_name = event.kind == Kind::tools_listed;
  return std::any_of(event.seen.begin(), event.seen.end(), [&](const Event::Seen& item) {
    return !item.scoped && agent.tier >= item.tier && (!by_name || agent.tools.allows(item.name));
  });
}

}  // namespace gantry::host::rpc
