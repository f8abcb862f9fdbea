/* gantry/abi/secret.h - service "gantry.secret/1": credentials the operator granted this plugin.
 *
 * Secrets are named in the plugin's section of the configuration by reference (an environment
 * variable or a file), never by value, and appear in no log and no listing. */
#ifndef GANTRY_ABI_SECRET_H
#define GANTRY_ABI_SECRET_H

#include "bytes.h"
#include "host.h"
#include "status.h"

#define GANTRY_SECRET_SERVICE "gantry.secret/1"

typedef struct gantry_secret_api {
  size_t size; /* sizeof(gantry_secret_api) as the host knows it */

  /* What: passes the secret's bytes to `sink`; they are read on each call. A file's final newline
   * is not part of the secret.
   * Limits: 64 KiB.  Owns: the bytes are overwritten after the sink returns; keep copies short.
   * Errors: GANTRY_NOT_FOUND (not granted under this name, or the variable or file is missing),
   * GANTRY_TOO_BIG.  Threads: any. */
  gantry_status (*read)(gantry_host* host, gantry_bytes name, gantry_sink sink);
} gantry_secret_api;

#endif
