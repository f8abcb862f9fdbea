/* The JSON parsing that the example needs: members of an object that the host has validated. */
#ifndef EXAMPLE_JSON_H
#define EXAMPLE_JSON_H

#include <gantry/abi/bytes.h>

/* The text of the member `name`; size 0 if there is none. */
gantry_bytes json_member(gantry_bytes object, const char* name);

/* Writes the string `value` with its escapes resolved to `out`, which has room for value.size
 * bytes; returns how many were written. */
size_t json_unescape(gantry_bytes value, char* out);

#endif
