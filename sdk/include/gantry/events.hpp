// gantry/events.hpp: notifies subscribers that this plugin's resources have changed.
//
//   if (const auto events = gantry::Events::of(host())) (void)events->updated("notes://today");
//
// Only for resources of this plugin whose item says subscribe(); a change of the list of items
// itself is reoffer(). An event carries no content: clients read the resource again. The host sends
// it to subscribers that may read the resource, and merges events that a slow client has not taken
// yet, so send one for each change without counting.
//
// The manifest's "needs" must name gantry.events/1; abi/events.h has the rules. Limits: a URI has
// 2,048 bytes, metadata 16 KiB. Threads: any, from start() until stop() is called; later ones get
// GANTRY_STOPPING.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/events.h>
#include <gantry/services.hpp>

namespace gantry {

// The service gantry.events/1: three pointers, cheap to copy, valid as long as the Host.
class Events {
 public:
  static constexpr const char* kId = GANTRY_EVENTS_SERVICE;
  // None if the host has no such service or the manifest's "needs" or "wants" does not name it:
  // using it then throws MissingService.
  static Available<Events> of(const Host& host) {
    const auto* table = host.service<gantry_events_api>(kId);
    return table == nullptr ? Available<Events>() : Events(host, *table);
  }

  // The content at `uri` changed. `metadata` is a JSON object for the subscribers, or empty; they
  // get it as _meta["gantry/metadata"], and of merged events only the last. OK also without
  // subscribers. Errors: GANTRY_DENIED if no item of this plugin has this URI;
  // GANTRY_INVALID_ARGUMENT, GANTRY_TOO_BIG.
  Status updated(std::string_view uri, std::string_view metadata = {}) const {
    return checked(table_->updated(host_.handle(), to_bytes(uri), to_bytes(metadata)), uri);
  }
  // The resource at `uri` no longer exists; its subscribers get a last event and their
  // subscriptions end, and the list of resources counts as changed. Errors as updated().
  Status deleted(std::string_view uri, std::string_view metadata = {}) const {
    return checked(table_->deleted(host_.handle(), to_bytes(uri), to_bytes(metadata)), uri);
  }
  // The result of lists() of this plugin's templates has changed: clients are told to list again.
  // Errors: GANTRY_STOPPING, once stop() has been called.
  Status list_changed() const { return checked(table_->list_changed(host_.handle()), {}); }

  // The URIs that have subscribers now, for a plugin that must poll its backend: poll only these.
  // Cheap while there are none.
  // The caller owns the list. It may be outdated when it is used, so that a poll for a URI that has
  // lost its subscribers is normal. Threads: any.
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

  // OK, or a Status with a sentence that names the URI.
  static Status checked(gantry_status status, std::string_view uri) {
    if (status >= 0) return {};
    return Status(status, reason(status, "'" + std::string(uri) + "'"));
  }
  // The sentence for a refusal; it names the URI and the remedy.
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
  // The host's table: valid as long as the Host.
  const gantry_events_api* table_;
};

}  // namespace gantry
