// gantry/events.hpp: notifies subscribers that this plugin's resources have changed.
//
// The manifest's "needs" must name gantry.events/1; abi/events.h has the rules and limits.
// Threads: any, from start() until stop() is called.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/events.h>
#include <gantry/services.hpp>

namespace gantry {

class Events {
 public:
  // Empty if the host has no such service or the manifest's "needs" does not name it.
  static std::optional<Events> of(const Host& host) {
    const auto* table = host.service<gantry_events_api>(GANTRY_EVENTS_SERVICE);
    return table == nullptr ? std::nullopt : std::optional(Events(host, *table));
  }

  // The content at `uri` changed. `metadata` is a JSON object for the subscribers, or empty.
  Status updated(std::string_view uri, std::string_view metadata = {}) const {
    return checked(table_->updated(host_.handle(), to_bytes(uri), to_bytes(metadata)), uri);
  }
  // The resource at `uri` no longer exists; its subscriptions end.
  Status deleted(std::string_view uri, std::string_view metadata = {}) const {
    return checked(table_->deleted(host_.handle(), to_bytes(uri), to_bytes(metadata)), uri);
  }
  // The result of lists() of this plugin's templates has changed.
  Status list_changed() const { return checked(table_->list_changed(host_.handle()), {}); }

  // The URIs that have subscribers now.
  Result<std::vector<std::string>> watched() const {
    detail::TextSink text;
    const gantry_status status = table_->watched(host_.handle(), text.sink());
    const Result<std::string> json =
        std::move(text).result(status, "the host does not say what is watched");
    if (!json) return json.status();
    const Result<Json> list = Json::parse(*json);
    if (!list) return list.status();
    std::vector<std::string> uris;
    for (const Json& uri : list->elements()) uris.push_back(uri.as_string().value_or(""));
    return uris;
  }

 private:
  Events(const Host& host, const gantry_events_api& table) : host_(host), table_(&table) {}

  static Status checked(gantry_status status, std::string_view uri) {
    if (status >= 0) return {};
    return Status(status, reason(status, "'" + std::string(uri) + "'"));
  }
  static std::string reason(gantry_status status, const std::string& uri) {
    switch (status) {
      case GANTRY_DENIED:
        return uri + " is none of this plugin's resources; offer it, or a template that matches";
      case GANTRY_INVALID_ARGUMENT:
        return "the metadata of " + uri + " is no JSON object";
      case GANTRY_TOO_BIG:
        return uri + " or its metadata is too long; allowed are 2,048 bytes and 16 KiB";
      case GANTRY_STOPPING:
        return "the plugin is being stopped";
      default:
        return "the event failed with status " + std::to_string(status);
    }
  }

  Host host_;
  const gantry_events_api* table_;
};

}  // namespace gantry
