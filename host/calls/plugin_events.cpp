#include "host/calls/plugin_events.hpp"

#include <rapidjson/document.h>

#include "host/base/json.hpp"
#include "host/calls/tables.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "host/plugin/host_handle.hpp"
#include "host/registry/find.hpp"
#include "sdk/contract/limits.hpp"
#include "sdk/contract/uris.hpp"

namespace gantry::host {
namespace {

// Compares by name: while one generation replaces another, both may report the plugin's resources.
bool is_of(const Item& item, const Instance& plugin) {
  return item.plugin->manifest().name == plugin.manifest().name;
}

// The resource or template of this plugin that `uri` belongs to.
const Item* item_of(const SnapshotPtr& now, const Instance& plugin, std::string_view uri) {
  if (const Item* const exact = find_item(now->resource_by_uri, uri)) {
    return is_of(*exact, plugin) ? exact : nullptr;
  }
  for (const ItemPtr& item : now->templates) {
    if (is_of(*item, plugin) && contract::match_uri(item->spec.uri, uri)) return item.get();
  }
  return nullptr;
}

Event::Seen seen(const Item& item) {
  return {item.spec.name, item.spec.tier, item.spec.scoped && item.spec.lists};
}

bool is_utf8_object(std::string_view json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag>(
      json.data(), json.size());
  return !document.HasParseError() && document.IsObject();
}

// Runs `body(services, plugin)` between start() and stop() of the plugin.
template <class Body>
gantry_status while_started(gantry_host* host, Body body) noexcept {
  if (host == nullptr || host->services == nullptr) return GANTRY_MISUSE;
  if (!host->instance->is_started()) return GANTRY_STOPPING;
  try {
    return body(*host->services, *host->instance);
  } catch (...) {
    return GANTRY_FAILED;
  }
}

gantry_status changed(gantry_host* host, gantry_bytes uri, gantry_bytes metadata,
                      bool deleted) noexcept {
  return while_started(host, [&](HostServices& services, Instance& plugin) {
    return services.resource_changed(plugin, view(uri), view(metadata), deleted);
  });
}

gantry_status updated(gantry_host* host, gantry_bytes uri, gantry_bytes metadata) noexcept {
  return changed(host, uri, metadata, false);
}

gantry_status deleted(gantry_host* host, gantry_bytes uri, gantry_bytes metadata) noexcept {
  return changed(host, uri, metadata, true);
}

gantry_status list_changed(gantry_host* host) noexcept {
  return while_started(
      host, [](HostServices& services, Instance& plugin) { return services.list_changed(plugin); });
}

gantry_status watched(gantry_host* host, gantry_sink sink) noexcept {
  if (host == nullptr || host->services == nullptr) return GANTRY_MISUSE;
  try {
    std::string json = "[";
    for (const std::string& uri : host->services->watched(*host->instance)) {
      if (json.size() > 1) json += ',';
      append_json_string(json, uri);
    }
    json += ']';
    if (sink.write != nullptr) sink.write(sink.context, bytes_of(json));
    return GANTRY_OK;
  } catch (...) {
    return GANTRY_FAILED;
  }
}

}  // namespace

gantry_status PluginEvents::resource_changed(const Instance& plugin, std::string_view uri,
                                             std::string_view metadata, bool deleted) {
  if (uri.size() > contract::kMaxUri || metadata.size() > contract::kMaxEventMetadata)
    return GANTRY_TOO_BIG;
  if (!metadata.empty() && !is_utf8_object(metadata)) return GANTRY_INVALID_ARGUMENT;
  const SnapshotPtr now = registry_.snapshot();
  const Item* const item = item_of(now, plugin, uri);
  if (item == nullptr) return GANTRY_DENIED;
  if (item->spec.subscribe) {
    Event event;
    event.kind = Event::Kind::resource_updated;
    event.uri = uri;
    event.deleted = deleted;
    event.scoped = item->spec.scoped;
    append_compact(event.metadata, metadata);
    bus_.publish(event);
  }
  const bool is_listed = !item->spec.scoped || item->spec.lists;
  if (deleted && is_listed) bus_.lists().changed(Event::Kind::resources_listed, {seen(*item)});
  return GANTRY_OK;
}

gantry_status PluginEvents::list_changed(const Instance& plugin) {
  const SnapshotPtr now = registry_.snapshot();
  std::vector<Event::Seen> lists;
  for (const ItemPtr& item : now->templates) {
    if (is_of(*item, plugin) && item->spec.lists) lists.push_back(seen(*item));
  }
  if (!lists.empty()) bus_.lists().changed(Event::Kind::resources_listed, lists);
  return GANTRY_OK;
}

std::vector<std::string> PluginEvents::watched(const Instance& plugin) {
  std::vector<std::string> uris = bus_.watched();
  if (uris.empty()) return uris;
  const SnapshotPtr now = registry_.snapshot();
  std::erase_if(uris, [&](const std::string& uri) { return item_of(now, plugin, uri) == nullptr; });
  return uris;
}

const gantry_events_api& events_table() {
  static const gantry_events_api kTable = {sizeof(gantry_events_api), updated, deleted,
                                           list_changed, watched};
  return kTable;
}

}  // namespace gantry::host
