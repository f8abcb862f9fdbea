/* gantry/abi/call.h - service "gantry.call/1": one call, as seen by the plugin that answers it.
 *
 * A gantry_call is valid from the entry of invoke() until invoke() returns something other than
 * GANTRY_PENDING, or else until finish(). When its deadline passes or it is cancelled the host
 * answers for it; the object stays valid, and every write returns GANTRY_CANCELLED. */
#ifndef GANTRY_ABI_CALL_H
#define GANTRY_ABI_CALL_H

#include "bytes.h"
#include "host.h"
#include "status.h"

#define GANTRY_CALL_SERVICE "gantry.call/1"

typedef struct gantry_call_api {
  size_t size; /* sizeof(gantry_call_api) as the host knows it */

  /* What: the arguments, a JSON object that satisfies the item's input schema.
   * Limits: 1 MiB.  Owns: the host, until the call ends.  Errors: none.  Threads: any. */
  gantry_bytes (*arguments)(const gantry_call* call);

  /* What: a property of the call. "agent": the caller as JSON {name, permissions, user?, role?,
   * tenant_id?, depth, classes?, limits? {rows?, calls?, seconds?}}; "correlation_id": text;
   * "protocol": the MCP revision of the client, e.g. "2026-07-28"; "max_answer_bytes": the cap on
   * this answer in decimal, "4194304"; "agent_scope": to a plugin in the host's process all rights
   * of the caller as JSON, to others nothing; "writes_up_to", likewise: "readonly", "write" or
   * "admin", the tier up to which this call may change something now. It is below the caller's own
   * where a person must approve and did not; "previews_up_to", likewise: the tier up to which
   * it may show a change and take it back; "tool", likewise: the name of the tool that the client
   * called; "is_of_host", likewise: "true" for a call that the host makes for itself.
   * Owns: the host, until the call ends.  Errors: unknown key: empty.  Threads: any. */
  gantry_bytes (*property)(const gantry_call* call, gantry_bytes key);

  /* What: appends to the answer. For a tool `type` is "text", an image or audio type such as
   * "image/png" with the raw bytes as body (the host encodes them), or "block" with one whole MCP
   * content block as JSON. For a service `type` names a part of the answer; bodies of the same
   * part are joined.
   * Limits: the host's cap on answers, 4 MiB by default.  Owns: both are copied.
   * Errors: GANTRY_TOO_BIG (this piece was not kept), GANTRY_CANCELLED, GANTRY_UNSUPPORTED (type),
   * GANTRY_INVALID_ARGUMENT (a block that is not a content block).
   * Threads: any, one at a time for one call. */
  gantry_status (*write)(gantry_call* call, gantry_bytes type, gantry_bytes body);

  /* What: the structured result of a tool, in pieces of JSON text: begin once, raw any number of
   * times, end once. The host also sends the text as a text block to clients that need one.
   * Limits, owns, threads: as write().
   * Errors: as write(); GANTRY_MISUSE for a wrong order; a text that is not one JSON value makes
   * the call an internal error and is logged as this plugin's fault. */
  gantry_status (*json_begin)(gantry_call* call);
  gantry_status (*json_raw)(gantry_call* call, gantry_bytes part);
  gantry_status (*json_end)(gantry_call* call);

  /* What: makes the answer an error: `code` is one of the error codes of ABI.md
   * ("invalid_argument", "not_found", …), `message` a sentence, `details` a JSON object or empty.
   * Drops what was written. The last fail() counts. Limits: a message of more than 2 KiB loses its
   * middle, details of more than 32 KiB are left out.  Owns: copied.  Errors: returns
   * GANTRY_FAILED when all is well, so that a handler can end with it; GANTRY_CANCELLED as write().
   * Threads: as write(). */
  gantry_status (*fail)(gantry_call* call, gantry_bytes code, gantry_bytes message,
                        gantry_bytes details);

  /* What: reports the call's progress to the client. `total` 0 = unknown.
   * Limits: `done` must grow from report to report, else the report is dropped.
   * Owns: note is copied.  Errors: GANTRY_CANCELLED means stop now; GANTRY_OK also when the client
   * did not ask for progress.  Threads: any. */
  gantry_status (*progress)(gantry_call* call, double done, double total, gantry_bytes note);

  /* What: a log message to the client that made the call, if it asked for that level.
   * Limits: 16 KiB.  Owns: copied.  Errors: as progress().  Threads: any. */
  gantry_status (*log)(gantry_call* call, int32_t level, gantry_bytes text);

  /* What: 1 when no caller waits for the answer any more; poll it in loops, it is cheap.
   * Threads: any. */
  int32_t (*cancelled)(const gantry_call* call);

  /* What: registers a callback: `fn(context)` is called once when the call is cancelled or its
   * deadline passes, at once if that has happened. Never called after the call ended, nor after
   * off_cancel() removed it.
   * Limits: 8 for a call; fn must be quick, must not call into the host except finish(), and must
   * not take a lock that its plugin holds while it calls finish(): finish() waits for running
   * callbacks.
   * Errors: GANTRY_TOO_BIG.  Threads: any; fn runs on a thread of the host. */
  gantry_status (*on_cancel)(gantry_call* call, void (*fn)(void* context), void* context);

  /* What: the deadline of the call: CLOCK_MONOTONIC nanoseconds, 0 = never.  Threads: any. */
  uint64_t (*deadline)(const gantry_call* call);

  /* What: ends a call whose invoke() returned GANTRY_PENDING; exactly once. `status` as invoke()
   * would have returned it. It may come before invoke() has returned GANTRY_PENDING.
   * Errors: GANTRY_MISUSE.  Threads: any; the call is gone when it returns. */
  gantry_status (*finish)(gantry_call* call, gantry_status status);

  /* What: removes the latest on_cancel() of this call with the same fn and context. After return
   * that callback is not running (unless it is the caller of this function) and will not run, and
   * its slot of the 8 is free. For calls with many callbacks one after the other.
   * Owns: nothing crosses; the memory behind context may be freed when it returns.
   * Errors: GANTRY_NOT_FOUND: there is none, or it has run; GANTRY_MISUSE.
   * Threads: any; it waits while callbacks of the call run, so hold no lock that one of them
   * takes. */
  gantry_status (*off_cancel)(gantry_call* call, void (*fn)(void* context), void* context);
} gantry_call_api;

#endif
