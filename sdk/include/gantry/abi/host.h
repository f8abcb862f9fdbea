/* gantry/abi/host.h - the host's core table, which a plugin gets in create().
 *
 * The core is three functions; everything else is a service table found by name and revision.
 * gantry_host is the plugin instance's identity towards the host: opaque, never shared between
 * instances, valid from create() until destroy() returns. */
#ifndef GANTRY_ABI_HOST_H
#define GANTRY_ABI_HOST_H

#include "bytes.h"
#include "status.h"

typedef struct gantry_host gantry_host;
typedef struct gantry_call gantry_call;

/* Severities are those of syslog and of MCP's logging levels. */
#define GANTRY_LOG_EMERGENCY 0
#define GANTRY_LOG_ALERT 1
#define GANTRY_LOG_CRITICAL 2
#define GANTRY_LOG_ERROR 3
#define GANTRY_LOG_WARNING 4
#define GANTRY_LOG_NOTICE 5
#define GANTRY_LOG_INFO 6
#define GANTRY_LOG_DEBUG 7

typedef struct gantry_host_api {
  size_t size;    /* sizeof(gantry_host_api) as the host knows it */
  uint32_t minor; /* the host's minor version: for messages only */
  uint32_t reserved;

  /* What: finds a host service table, e.g. "gantry.call/1", as declared in the manifest's needs
   * or wants.
   * Limits: `id` is NUL-terminated, at most 63 bytes.
   * Owns: the table is the host's, valid until destroy() returns.
   * Errors: NULL when the host has no such service or the manifest did not ask for it.
   * Threads: any, from create() on. */
  const void* (*service)(gantry_host* host, const char* id);

  /* What: writes a line to the host's structured log under the plugin's name. The last line at
   * GANTRY_LOG_ERROR or worse inside create(), start() or a self-check is shown as the reason when
   * that function fails.
   * Limits: text beyond 16 KiB is cut; a level outside 0..7 counts as GANTRY_LOG_ERROR.
   * Owns: text is copied.
   * Errors: none.
   * Threads: any. */
  void (*log)(gantry_host* host, int32_t level, gantry_bytes text);

  /* What: replaces everything this plugin offers, atomically: a JSON array of items as in the
   * manifest's "items". Clients are notified only if a list they can see changed.
   * Limits: 4 MiB; at most 1,024 items.
   * Owns: json is copied.
   * Errors: GANTRY_INVALID_ARGUMENT (not an array of valid items), GANTRY_DENIED (a name is taken
   * by another plugin), GANTRY_TOO_BIG; the old offer stays and the reason is logged.
   * Threads: any, from start() until stop() is called. */
  gantry_status (*offer)(gantry_host* host, gantry_bytes json);
} gantry_host_api;

#endif
