/* gantry/abi/invoke.h - service "gantry.invoke/1": a plugin calls tools and services of others.
 *
 * The callee runs as this call's caller: same principal, same deadline, same cancellation, one set
 * of plugin generations for the whole tree. `kind` is "tool" or "service". `narrowing` is empty or
 * a JSON object that restricts the callee's agent, never extends it: {permissions?, tools? {only,
 * except}, classes? {only, except}}; asking for more fails with GANTRY_DENIED.
 * Depth: 8 calls, 4 of them narrowed. A provider that is not re-entrant and already in this tree
 * fails at once with GANTRY_BUSY, naming the chain.
 *
 * The answer comes in parts: a tool gives "json" (its structured result), "text" and "block"
 * (content); a service gives the parts its documentation names. A failure gives one part "error":
 * {"error_code":…,"error":…,"details"?:…}, and the negative status. */
#ifndef GANTRY_ABI_INVOKE_H
#define GANTRY_ABI_INVOKE_H

#include "bytes.h"
#include "host.h"
#include "status.h"

#define GANTRY_INVOKE_SERVICE "gantry.invoke/1"

/* The caller's side of an answer: called with each part. Bytes are borrowed until it returns. */
typedef struct gantry_answer {
  void (*part)(void* context, gantry_bytes type, gantry_bytes body);
  void* context;
} gantry_answer;

typedef struct gantry_invocation {
  size_t size; /* sizeof(gantry_invocation) as the plugin knows it */
  gantry_bytes kind;
  gantry_bytes name;
  gantry_bytes arguments; /* a JSON object; empty = {} */
  gantry_bytes narrowing; /* empty = none */
} gantry_invocation;

typedef struct gantry_invoke_api {
  size_t size; /* sizeof(gantry_invoke_api) as the host knows it */

  /* What: calls and waits. Runs the callee at once on this thread; it never queues behind others.
   * Owns: everything is borrowed until it returns.
   * Errors: the callee's status; GANTRY_NOT_FOUND (no such item, or not for this caller),
   * GANTRY_INVALID_ARGUMENT, GANTRY_DENIED, GANTRY_BUSY, GANTRY_CANCELLED, GANTRY_TIMED_OUT.
   * Threads: those on which `parent` may be used; parts arrive on the calling thread. */
  gantry_status (*call)(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                        gantry_answer answer);

  /* What: as call(), but the bodies of the part `splice` go straight into the structured result
   * that `parent` has open (between json_begin and json_end); the other parts go to `answer`.
   * Errors: as call(); GANTRY_MISUSE when nothing is open. */
  gantry_status (*forward)(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                           gantry_bytes splice, gantry_answer answer);

  /* What: calls without waiting: `done(context, status)` is called exactly once, after the parts,
   * on a thread of the host, possibly before start() returns. `parent` must outlive it: return
   * GANTRY_PENDING from its invoke() and finish() it after done.
   * Owns: `what` is copied; answer.context and context stay the caller's.
   * Errors: a negative status means done() will not come; otherwise GANTRY_OK. */
  gantry_status (*start)(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                         gantry_answer answer, void (*done)(void* context, gantry_status status),
                         void* context);
} gantry_invoke_api;

#endif
