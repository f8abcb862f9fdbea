/* The whole plugin. The host sees only the table at the end. */
#include <gantry/abi/abi.h>
#include <stdlib.h>
#include <string.h>

typedef struct plugin {
  const gantry_call_api* calls;
} plugin;

static gantry_bytes text_of(const char* text) {
  gantry_bytes bytes = {text, strlen(text)};
  return bytes;
}

static int is_text(gantry_bytes bytes, const char* text) {
  return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

/* The text between the quotes of "name". The host has validated the arguments against the schema:
 * an object with this one member, a string. Its bytes, escapes included, are copied into the
 * answer's JSON unchanged. For more members, use a JSON library. */
static gantry_bytes name_of(gantry_bytes arguments) {
  const char* end = arguments.data + arguments.size;
  const char* colon = memchr(arguments.data, ':', arguments.size);
  const char* open = memchr(colon, '"', (size_t)(end - colon));
  while (end[-1] != '"') --end;
  gantry_bytes name = {open + 1, (size_t)(end - 1 - (open + 1))};
  return name;
}

static gantry_status greet(const plugin* self, gantry_call* call) {
  gantry_bytes name = name_of(self->calls->arguments(call));
  gantry_status status = self->calls->json_begin(call);
  if (status >= 0) status = self->calls->json_raw(call, text_of("{\"greeting\":\"Hello, "));
  if (status >= 0) status = self->calls->json_raw(call, name);
  if (status >= 0) status = self->calls->json_raw(call, text_of("!\"}"));
  if (status >= 0) status = self->calls->json_end(call);
  return status;
}

static gantry_status create(const gantry_host_api* api, gantry_host* host, void** out) {
  plugin* self = calloc(1, sizeof *self);
  if (self == NULL) return GANTRY_FAILED;
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
  if (!is_text(name, "hello_c_greet")) return GANTRY_NOT_FOUND;
  return greet(self, call);
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
