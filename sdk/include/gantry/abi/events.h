/* gantry/abi/events.h - service "gantry.events/1": a plugin's resources have changed.
 *
 * Only for the plugin's own resources: URIs of its items of kind "resource", or URIs that match
 * one of its "resource_template" items. Only items with "subscribe": true can be subscribed to.
 * The host notifies clients of resources that they subscribed to and may read. To change the offer
 * itself, call gantry_host_api.offer. All functions: any thread, from start() until stop() is
 * called. */
#ifndef GANTRY_ABI_EVENTS_H
#define GANTRY_ABI_EVENTS_H

#include "bytes.h"
#include "host.h"
#include "status.h"

#define GANTRY_EVENTS_SERVICE "gantry.events/1"

typedef struct gantry_events_api {
  size_t size; /* sizeof(gantry_events_api) as the host knows it */

  /* What: the content of a resource changed. `metadata` is a JSON object for the subscribers, or
   * empty; they get it as _meta["gantry/metadata"].
   * Limits: uri 2,048 bytes, metadata 16 KiB. Pending updates of one URI for a slow client are
   * merged: only the last metadata is sent.
   * Owns: copied.
   * Errors: GANTRY_DENIED (not this plugin's), GANTRY_INVALID_ARGUMENT (metadata), GANTRY_TOO_BIG,
   * GANTRY_STOPPING. */
  gantry_status (*updated)(gantry_host* host, gantry_bytes uri, gantry_bytes metadata);

  /* What: a resource was deleted. Its subscribers get a last update (_meta["gantry/deleted"]: true)
   * and their subscriptions end; then the list of resources counts as changed.
   * Limits, owns, errors: as updated(). */
  gantry_status (*deleted)(gantry_host* host, gantry_bytes uri, gantry_bytes metadata);

  /* What: the plugin's answers to "resource_list" have changed.
   * Errors: GANTRY_STOPPING. */
  gantry_status (*list_changed)(gantry_host* host);

  /* What: the plugin's URIs that have subscribers now: a JSON array of strings. For a plugin that
   * must poll for changes; cheap while there are no subscribers.
   * Owns: the bytes are the host's until the sink returns.  Errors: none. */
  gantry_status (*watched)(gantry_host* host, gantry_sink sink);
} gantry_events_api;

#endif
