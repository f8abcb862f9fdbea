/* gantry/abi/input.h - service "gantry.input/1": a handler asks the caller's person or model.
 *
 * Handlers are re-entrant for input. A handler asks for what it needs with request() and returns
 * GANTRY_INPUT_REQUIRED when something is still missing; the call ends and nothing waits. When the
 * client has answered, the item is entered again from its start, with the same arguments, and
 * request() finds the answers, those of earlier rounds too. The same handler serves every client:
 * in MCP 2026-07-28 the host answers with `input_required`, in older revisions it sends the
 * requests itself. Kinds that may ask: tool, prompt, resource, resource_template; of nested calls
 * (invoke.h) none.
 *
 * What travels through the client between rounds is sealed by the host, bound to the caller, the
 * item and the arguments, expires, and can be used once. If the plugin was replaced by one whose
 * manifest has another "state_version", answers and state are dropped and the item starts anew. */
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
   * elicitation {action, content?}, where accepted content has been checked against
   * params.requestedSchema; an answer of the wrong form counts as none.
   * Limits: key 1 to 64 bytes of A-Z a-z 0-9 _ . -; 16 requests a call; params and answers 64 KiB
   * together; 8 rounds.
   * Owns: key, method and params are copied; *answer is the host's, until the call ends.
   * Errors: GANTRY_OK: *answer is set; GANTRY_INPUT_REQUIRED: asked, *answer is empty;
   * GANTRY_UNSUPPORTED: this client cannot be asked that (it did not declare it, or the call is
   * nested): do without, or end the call with this status and the client is told what it lacks;
   * GANTRY_INVALID_ARGUMENT (key, method or params); GANTRY_TOO_BIG; GANTRY_CANCELLED.
   * Threads: any, one at a time for one call. */
  gantry_status (*request)(gantry_call* call, gantry_bytes key, gantry_bytes method,
                           gantry_bytes params, gantry_bytes* answer);

  /* What: the state that keep() was given in the round before; empty in the first.
   * Owns: the host, until the call ends.  Errors: none.  Threads: any. */
  gantry_bytes (*state)(const gantry_call* call);

  /* What: bytes to be found by state() in the next round, besides the answers.
   * Limits: 16 KiB. The last keep() counts.  Owns: copied.
   * Errors: GANTRY_TOO_BIG, GANTRY_CANCELLED.  Threads: as request(). */
  gantry_status (*keep)(gantry_call* call, gantry_bytes state);
} gantry_input_api;

#endif
