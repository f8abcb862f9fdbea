/* gantry/abi/task.h - service "gantry.task/1": a call that continues without a connected client.
 *
 * A task (MCP extension io.modelcontextprotocol/tasks) outlives the request that started it: the
 * client gets the task's name at once and requests status and result later. For the plugin the call
 * is unchanged: it answers, fails, asks for input (input.h) and is cancelled as before, but through
 * the task. Progress becomes the task's status message; log messages are dropped.
 *
 * Clients of MCP 2025-11-25 request tasks themselves (params.task), of every tool whose plugin
 * names this service in its manifest. Such a call is a task from its start and cannot ask for
 * input. */
#ifndef GANTRY_ABI_TASK_H
#define GANTRY_ABI_TASK_H

#include "host.h"
#include "status.h"

#define GANTRY_TASK_SERVICE "gantry.task/1"

typedef struct gantry_task_api {
  size_t size; /* sizeof(gantry_task_api) as the host knows it */

  /* What: makes this tool call a task. Call it before long work.
   * Owns: nothing crosses.
   * Errors: GANTRY_OK also if it is a task already (a later round); GANTRY_UNSUPPORTED: the client
   * does not support tasks, or the call is nested or not a tool's: do the work as a plain call, or
   * end with this status, and the host tells the client which capability is missing; GANTRY_BUSY:
   * too many tasks; GANTRY_CANCELLED.  Threads: as gantry_call_api.write. */
  gantry_status (*begin)(gantry_call* call);

  /* What: ends the connection on which this call's client waits, if the client can reconnect for
   * the answer (MCP 2025-11-25 in a session, over HTTP): the call continues, and its messages are
   * kept until the client reconnects. For calls that take long without any message.
   * Owns: nothing crosses.
   * Errors: GANTRY_UNSUPPORTED: this client would lose the answer, nothing happened;
   * GANTRY_CANCELLED.  Threads: as gantry_call_api.write. */
  gantry_status (*release)(gantry_call* call);
} gantry_task_api;

#endif
