/* gantry/abi/bytes.h - the form of text and bytes that cross the contract.
 *
 * A gantry_bytes is a borrowed view: its giver owns the memory. An argument is valid until the
 * function it was passed to returns; a returned view is valid as long as that function's comment
 * says. Copy bytes that must live longer. Text is UTF-8, counted, never NUL-terminated. */
#ifndef GANTRY_ABI_BYTES_H
#define GANTRY_ABI_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct gantry_bytes {
  const char* data; /* may be NULL only when size is 0 */
  size_t size;
} gantry_bytes;

/* The receiver's side of an answer: called with parts of it, in order, any number of times.
 * The bytes are borrowed until it returns. It must not throw, block or call back into a call. */
typedef struct gantry_sink {
  void (*write)(void* context, gantry_bytes part);
  void* context; /* handed back unchanged */
} gantry_sink;

/* Is `member` there in this table? Tables begin with their own size and only grow at the end, so
 * a member beyond `size` does not exist and must not be read. */
#define GANTRY_HAS(table, type, member) \
  ((table)->size >= offsetof(type, member) + sizeof((table)->member))

#if defined(__GNUC__)
#define GANTRY_EXPORT __attribute__((visibility("default")))
#else
#define GANTRY_EXPORT
#endif

#endif
