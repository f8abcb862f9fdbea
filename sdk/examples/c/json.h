/* The little JSON that the example needs: members of an object that the host has validated. */
#ifndef EXAMPLE_JSON_H
#define EXAMPLE_JSON_H

#include <gantry/abi/bytes.h>

/* The value of the member `name`, as written; size 0 when there is none. */
gantry_bytes json_member(gantry_bytes object, const char* name);

/* Writes the string `value` with its escapes resolved to `out`, which has room for value.size
 * bytes; returns how many were written. */
size_t json_unescape(gantry_bytes value, char* out);

#endif
