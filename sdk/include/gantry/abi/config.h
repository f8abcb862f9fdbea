/* gantry/abi/config.h - service "gantry.config/1": the plugin's configuration. */
#ifndef GANTRY_ABI_CONFIG_H
#define GANTRY_ABI_CONFIG_H

#include "bytes.h"
#include "host.h"

#define GANTRY_CONFIG_SERVICE "gantry.config/1"

typedef struct gantry_config_api {
  size_t size; /* sizeof(gantry_config_api) as the host knows it */

  /* What: the plugin's section of the configuration: a JSON object that satisfies the manifest's
   * "config" schema, {} when there is none. It never changes for an instance: a change of the
   * configuration is a new generation.
   * Owns: the host, until destroy() returns.  Errors: none.  Threads: any. */
  gantry_bytes (*get)(gantry_host* host);
} gantry_config_api;

#endif
