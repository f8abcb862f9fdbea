/* gantry/abi/input.h - service "gantry.input/1": a handler asks the caller's user or model.
 *
 * Handlers are re-entrant for input. A handler asks for each input with request() and returns
 * GANTRY_INPUT_REQUIRED when one is still missing; the call ends and nothing waits. When the client
 * has answered, the item is entered again from its start, with the same arguments, and request()
 * finds the answers, including those of earlier rounds. The same handler serves every client: in
 * MCP 2026-07-28 the host answers with `input_required`, in older revisions it sends the requests
 * itself. Kinds that may ask: tool, prompt, resource, resource_template. Nested calls (invoke.h)
 * may not ask.
 *
 * The data that travels through the client between rounds is sealed by the host, bound to the
 * caller, the item and the arguments, expires, and can be used once. If the plugin was replaced by
 * one with another "state_version" in its manifest, answers and state are dropped and the item
 * starts again. */
#ifndef GANTRY_ABI_INPUT_H
#define GANTRY_ABI_INPUT_H

#include "bytes.h"
#include "host.h"
#include "status.h"

#define GANTRY_INPUT_SERVICE "gantry.input/1"

typedef struct gantry_input_api {
  size_t size; /* sizeof(gantry_input_api) as the host knows it */

  /* What: the answer to the request named `key`, or asks for it. `method` is
   * "elicitation/create", "sampling/createMessage" or "roots/list"; `params` a JSON object as MCP
   * defines for the method (empty = {}). The answer is the result object of that method: for an
   * elicitation {action, content?}, where accepted content has been validated against
   * params.requestedSchema; an answer of the wrong form is ignored.
   * Limits: key 1 to 64 bytes of A-Z a-z 0-9 _ . -; 16 requests a call; params and answers 64 KiB
   * together; 8 rounds.
   * Owns: key, method and params are copied; *answer is the host's, until the call ends.
   * Errors: GANTRY_OK: *answer is set; GANTRY_INPUT_REQUIRED: asked, *answer is empty;
   * GANTRY_UNSUPPORTED: this client does not support the question (it did not declare the
   * capability, or the call is nested): continue without, or end the call with this status, and
   * the host tells the client which capability is missing;
   * GANTRY_INVALID_ARGUMENT (key, method or params); GANTRY_TOO_BIG; GANTRY_CANCELLED.
   * Threads: any, one at a time for one call. */
  gantry_status (*request)(gantry_call* call, gantry_bytes key, gantry_bytes method,
                           gantry_bytes params, gantry_bytes* answer);

  /* What: the bytes given to keep() in the previous round; empty in the first.
   * Owns: the host, until the call ends.  Errors: none.  Threads: any. */
  gantry_bytes (*state)(const gantry_call* call);

  /* What: stores bytes that state() returns in the next round, in addition to the answers.
   * Limits: 16 KiB. Only the last keep() is used.  Owns: copied.
   * Errors: GANTRY_TOO_BIG, GANTRY_CANCELLED.  Threads: as request(). */
  gantry_status (*keep)(gantry_call* call, gantry_bytes state);
} gantry_input_api;

#endif
