/* gantry/abi/status.h - the result codes of the contract's functions.
 *
 * Zero and above is success, below zero is failure. A receiver treats an unknown negative value as
 * GANTRY_FAILED. Values are never reused. */
#ifndef GANTRY_ABI_STATUS_H
#define GANTRY_ABI_STATUS_H

#include <stdint.h>

typedef int32_t gantry_status;

#define GANTRY_OK 0
/* invoke() only: the answer will come later, through gantry_call_api.finish. */
#define GANTRY_PENDING 1
/* invoke() and finish() only: the call asked for inputs (input.h) and ends; the item is entered
 * again with the answers. Also what gantry_input_api.request returns while there is no answer. */
#define GANTRY_INPUT_REQUIRED 2
/* The callee failed; its fault or its backend's. A tool error the model can read. */
#define GANTRY_FAILED (-1)
/* The arguments are invalid; the caller's fault. A tool error the model can read. */
#define GANTRY_INVALID_ARGUMENT (-2)
/* The named object does not exist (or its existence may not be revealed). */
#define GANTRY_NOT_FOUND (-3)
/* The caller's principal may not do this. */
#define GANTRY_DENIED (-4)
/* The call was cancelled, or its deadline has passed: stop working, write no more. */
#define GANTRY_CANCELLED (-5)
/* The deadline passed while the callee waited for something. */
#define GANTRY_TIMED_OUT (-6)
/* Refused because a resource is in use: a non-re-entrant provider already in this call tree, or a
 * limit that is reached. Trying later may help, unless the message names a chain of calls. */
#define GANTRY_BUSY (-7)
/* A size limit would be exceeded; nothing of this piece was kept. */
#define GANTRY_TOO_BIG (-8)
/* The other side does not know this function, kind or form. */
#define GANTRY_UNSUPPORTED (-9)
/* The plugin is being stopped; no new work is accepted. */
#define GANTRY_STOPPING (-10)
/* The rules of the contract were broken by the caller of this function (a second finish, an end
 * without a begin, JSON that is not JSON). Logged with the plugin's name; nothing was done. */
#define GANTRY_MISUSE (-11)

#endif
