/* gantry/abi/catalog.h - service "gantry.catalog/1": the items a caller can see. */
#ifndef GANTRY_ABI_CATALOG_H
#define GANTRY_ABI_CATALOG_H

#include "bytes.h"
#include "host.h"
#include "status.h"

#define GANTRY_CATALOG_SERVICE "gantry.catalog/1"

typedef struct gantry_catalog_api {
  size_t size; /* sizeof(gantry_catalog_api) as the host knows it */

  /* What: the items of a kind ("tool", "prompt", "resource", "resource_template" or "method")
   * that this call's agent may use, in listing order: a JSON array of {name, uri? (of a resource),
   * uriTemplate? (of a template), title?, description?, category, plugin, permission}; of a method
   * {name, title?, description?, plugin, permission, class, type, supports_dry_run, parameters,
   * permitted_keys? (for an agent with agent_debug)}.
   * Owns: the bytes are borrowed until the sink returns.  Errors: GANTRY_UNSUPPORTED (kind).
   * Threads: those on which `call` may be used. */
  gantry_status (*items)(gantry_host* host, gantry_call* call, gantry_bytes kind, gantry_sink sink);

  /* What: whether this call's agent may use one item, and why not: a JSON object
   * {allowed, error_code?, reason?, details?}. `name` is the URI of a resource, the URI template of
   * a template and "Class.name" of a method. An item that the agent may not know of is "not found".
   * Owns, errors, threads: as items(). */
  gantry_status (*explain)(gantry_host* host, gantry_call* call, gantry_bytes kind,
                           gantry_bytes name, gantry_sink sink);
} gantry_catalog_api;

#endif
