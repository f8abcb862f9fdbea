/* gantry/abi/manifest.h - the plugin's description, read before any of its code runs.
 *
 * The manifest is JSON in an ELF note: owner "GANTRY", type 1, at most 4 MiB. The host reads it
 * from the file's bytes and runs no code. schemas/plugin/manifest.schema.json is its grammar and
 * ABI.md its prose: name (the plugin's identity; the file name is not), version, abi, needs,
 * wants, offers, flags, config (JSON Schema of its configuration), items, schemas.
 *
 * gantry_add_plugin() of the CMake package composes and embeds it. A plugin built by hand uses
 * GANTRY_MANIFEST once, with a string literal (compilers promise only 4,095 bytes of one). */
#ifndef GANTRY_ABI_MANIFEST_H
#define GANTRY_ABI_MANIFEST_H

#include <stdint.h>

#define GANTRY_NOTE_OWNER "GANTRY"
#define GANTRY_NOTE_TYPE 1u
#define GANTRY_NOTE_MAX (4u << 20)

#define GANTRY_MANIFEST(json)                                                                   \
  __attribute__((section(".note.gantry"), used, aligned(4))) static const struct {              \
    uint32_t owner_size, body_size, type;                                                       \
    char owner[8];                                                                              \
    char body[(sizeof(json) + 3u) & ~3u];                                                       \
  } gantry_manifest_note = {7u, (sizeof(json) + 3u) & ~3u, GANTRY_NOTE_TYPE, GANTRY_NOTE_OWNER, \
                            json}

/* Flags of a plugin (manifest "flags"):
 *   "reentrant"    invoke() may run on many threads at once. Without it the host lets one call in
 *                  at a time and queues the rest (a strand).
 *   "exclusive"    never two generations alive at once: a swap parks calls, stops the old one,
 *                  then starts the new one.
 *   "unloadable"   after destroy() no thread, timer, thread-local destructor or callback is left;
 *                  without the promise the host keeps the library mapped.
 * Flags of an item ("items[].flags"):
 *   "non_blocking" may run on the host's I/O thread: always done in well under a millisecond.
 *   "blocking"     waits for external events: may use extra threads.
 * "isolate" is "auto" (the default), "in-process" or "process". */

#endif
