/* gantry/abi/plugin.h - the one symbol a plugin exports, and the life of an instance.
 *
 *   create -> start -> invoke … invoke -> stop -> destroy
 *
 * Nothing unwinds across the contract: no exception, panic, longjmp or thread cancellation leaves
 * any function of a plugin or of the host. A plugin never changes the process (working directory,
 * umask, locale, signal handlers, standard streams) and never calls exit(). */
#ifndef GANTRY_ABI_PLUGIN_H
#define GANTRY_ABI_PLUGIN_H

#include "bytes.h"
#include "host.h"
#include "status.h"
#include "version.h"

#define GANTRY_MAGIC 0x31544e47u /* "GNT1", little-endian; another major has another magic */

typedef struct gantry_plugin {
  uint32_t magic; /* GANTRY_MAGIC */
  uint32_t minor; /* GANTRY_ABI_MINOR the plugin was built with: for messages only */
  size_t size;    /* sizeof(gantry_plugin) as the plugin knows it */

  /* What: makes an instance. `*self` is handed back to every other function.
   * Limits: 10 s. No threads yet.
   * Owns: `api` and `host` are the host's and stay valid until destroy() returns; *self is the
   * plugin's.
   * Errors: any negative status refuses the plugin; say why with log(). destroy() is not called.
   * Threads: the control thread: create, start, stop and destroy of an instance never overlap. */
  gantry_status (*create)(const gantry_host_api* api, gantry_host* host, void** self);

  /* What: begins work; configuration and services are available, threads may be made, offer() may
   * be called.
   * Limits: 10 s.
   * Owns: nothing crosses.
   * Errors: any negative status refuses the plugin; destroy() follows, stop() does not.
   * Threads: the control thread. */
  gantry_status (*start)(void* self);

  /* What: enters an item: `kind` is "tool", "service", "prompt", "resource", "resource_template",
   * "resource_list", "completion" or "self_check" (name empty); a kind the plugin does not know is
   * answered with GANTRY_UNSUPPORTED. Arguments and answer go through the
   * service gantry.call/1 and are JSON whose shape per kind is written in ABI.md.
   * Limits: the call's deadline.
   * Owns: kind, name and call are borrowed until it returns, or, after GANTRY_PENDING, call until
   * finish().
   * Errors: a negative status makes a tool error; status.h says which side is at fault.
   * Threads: any; many at once only if the manifest says "reentrant". */
  gantry_status (*invoke)(void* self, gantry_bytes kind, gantry_bytes name, gantry_call* call);

  /* What: ends work: finish pending calls, join every thread. No invoke() comes after it and none
   * is running.
   * Limits: `deadline` is CLOCK_MONOTONIC in nanoseconds.
   * Owns: nothing crosses.
   * Errors: a negative status is logged; the library then stays mapped.
   * Threads: the control thread. */
  gantry_status (*stop)(void* self, uint64_t deadline);

  /* What: frees the instance; the last function called before the library is unloaded.
   * Limits: 10 s.  Owns: self ends.  Errors: none.  Threads: the control thread. */
  void (*destroy)(void* self);
} gantry_plugin;

/* The symbol, exactly one, const data. Its name holds the major version. */
#ifdef __cplusplus
extern "C" {
#endif
extern GANTRY_EXPORT const gantry_plugin gantry_plugin_v1;
#ifdef __cplusplus
}
#endif

#endif
