/* The C example: directly on the contract. One tool, answered on the calling thread. */
#include <gantry/abi/abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

typedef struct plugin {
  const gantry_host_api* host_api;
  gantry_host* host;
  const gantry_call_api* calls;
} plugin;

static gantry_bytes text_of(const char* text) {
  gantry_bytes bytes = {text, strlen(text)};
  return bytes;
}

static int is_text(gantry_bytes bytes, const char* text) {
  return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

/* A string argument, unescaped, NUL-terminated and to be freed; *size is 0 when it is absent. */
static char* string_argument(gantry_bytes arguments, const char* name, size_t* size) {
  gantry_bytes value = json_member(arguments, name);
  char* out = malloc(value.size + 1);
  if (out == NULL) return NULL;
  *size = value.size < 2 ? 0 : json_unescape(value, out);
  out[*size] = '\0';
  return out;
}

/* Counts `word`, or all words if it is empty. Modifies `text`. */
static long count_words(char* text, const char* word) {
  long count = 0;
  char* state = NULL;
  for (char* at = strtok_r(text, " \t\r\n\v\f", &state); at != NULL;
       at = strtok_r(NULL, " \t\r\n\v\f", &state)) {
    if (*word == '\0' || strcmp(at, word) == 0) ++count;
  }
  return count;
}

static gantry_status send_count(const plugin* self, gantry_call* call, long words) {
  char json[64];
  int size = snprintf(json, sizeof json, "{\"words\":%ld}", words);
  gantry_bytes bytes = {json, (size_t)size};
  gantry_status status = self->calls->json_begin(call);
  if (status >= 0) status = self->calls->json_raw(call, bytes);
  if (status >= 0) status = self->calls->json_end(call);
  return status;
}

static gantry_status fail(const plugin* self, gantry_call* call, gantry_status status,
                          const char* code, const char* message) {
  gantry_bytes no_details = {NULL, 0};
  self->calls->fail(call, text_of(code), text_of(message), no_details);
  return status;
}

/* Counts repeatedly, so that the call can report progress and check for cancellation. */
static gantry_status repeat_count(const plugin* self, gantry_call* call, long once, long repeat) {
  gantry_bytes no_note = {NULL, 0};
  long words = 0;
  for (long i = 1; i <= repeat; ++i) {
    words += once;
    gantry_status status = self->calls->progress(call, (double)i, (double)repeat, no_note);
    if (status < 0) return status;
  }
  return send_count(self, call, words);
}

static gantry_status word_count(const plugin* self, gantry_call* call) {
  gantry_bytes arguments = self->calls->arguments(call);
  gantry_bytes repeat = json_member(arguments, "repeat");
  size_t text_size = 0, word_size = 0;
  char* text = string_argument(arguments, "text", &text_size);
  char* word = string_argument(arguments, "word", &word_size);
  gantry_status status;
  if (text == NULL || word == NULL) {
    status = fail(self, call, GANTRY_FAILED, "internal_error", "out of memory");
  } else if (text_size == 0) {
    status = fail(self, call, GANTRY_INVALID_ARGUMENT, "invalid_argument",
                  "text is empty; give at least one word");
  } else {
    /* strtod stops after the number. The host has validated that it is integral and in range. */
    long times = repeat.size > 0 ? (long)strtod(repeat.data, NULL) : 1;
    status = repeat_count(self, call, count_words(text, word), times);
  }
  free(text);
  free(word);
  return status;
}

static gantry_status create(const gantry_host_api* api, gantry_host* host, void** out) {
  plugin* self = calloc(1, sizeof *self);
  if (self == NULL) return GANTRY_FAILED;
  self->host_api = api;
  self->host = host;
  self->calls = api->service(host, GANTRY_CALL_SERVICE);
  if (self->calls == NULL) {
    api->log(host, GANTRY_LOG_ERROR, text_of("this host has no " GANTRY_CALL_SERVICE));
    free(self);
    return GANTRY_UNSUPPORTED;
  }
  *out = self;
  return GANTRY_OK;
}

static gantry_status start(void* self) {
  (void)self;
  return GANTRY_OK;
}

static gantry_status invoke(void* self, gantry_bytes kind, gantry_bytes name, gantry_call* call) {
  if (!is_text(kind, "tool")) return GANTRY_UNSUPPORTED;
  if (!is_text(name, "word_count")) return GANTRY_NOT_FOUND;
  return word_count(self, call);
}

static gantry_status stop(void* self, uint64_t deadline) {
  (void)self;
  (void)deadline;
  return GANTRY_OK;
}

static void destroy(void* self) { free(self); }

const gantry_plugin gantry_plugin_v1 = {
    GANTRY_MAGIC, GANTRY_ABI_MINOR, sizeof(gantry_plugin), create, start, invoke, stop, destroy,
};
