/* gantry/abi/events.h - service "gantry.events/1": a plugin's resources have changed.
 *
 * Only the plugin's own resources: URIs of its items of kind "resource", or that match one of its
 * "resource_template" items. Only items with "subscribe": true can be subscribed to. Clients hear
 * of what they subscribed to and may read. That the offer itself changed is told by
 * gantry_host_api.offer. All functions: any thread, from start() until stop() is called. */
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
   * Limits: uri 2,048 bytes, metadata 16 KiB. Updates of one URI that wait for a slow client
   * merge: the last metadata counts.
   * Owns: copied.
   * Errors: GANTRY_DENIED (not this plugin's), GANTRY_INVALID_ARGUMENT (metadata), GANTRY_TOO_BIG,
   * GANTRY_STOPPING. */
  gantry_status (*updated)(gantry_host* host, gantry_bytes uri, gantry_bytes metadata);

  /* What: a resource is gone. Its subscribers hear of it once more (_meta["gantry/deleted"]: true)
   * and their subscriptions end; then the list of resources counts as changed.
   * Limits, owns, errors: as updated(). */
  gantry_status (*deleted)(gantry_host* host, gantry_bytes uri, gantry_bytes metadata);

  /* What: what this plugin answers to "resource_list" has changed.
   * Errors: GANTRY_STOPPING. */
  gantry_status (*list_changed)(gantry_host* host);

  /* What: which of this plugin's URIs somebody is subscribed to now: a JSON array of strings. For
   * a plugin that has to look for changes itself; cheap while there are none.
   * Owns: the bytes are the host's until the sink returns.  Errors: none. */
  gantry_status (*watched)(gantry_host* host, gantry_sink sink);
} gantry_events_api;

#endif
