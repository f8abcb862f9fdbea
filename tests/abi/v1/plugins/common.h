/* What the plugins of this folder share. They include the frozen headers and nothing newer. */
#ifndef GANTRY_TESTS_ABI_V1_COMMON_H
#define GANTRY_TESTS_ABI_V1_COMMON_H

#include <gantry/abi/abi.h>
#include <string.h>

#define V1_SPARE __attribute__((unused)) static

/* The one instance: the tests never have two generations of these at once. */
struct v1_self {
  const gantry_host_api* api;
  gantry_host* host;
  const gantry_call_api* call;
  const gantry_invoke_api* invoke;
  const gantry_config_api* config;
};

V1_SPARE gantry_bytes v1_text(const char* text) {
  gantry_bytes bytes;
  bytes.data = text;
  bytes.size = strlen(text);
  return bytes;
}

V1_SPARE int v1_is(gantry_bytes bytes, const char* text) {
  return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

/* The tables a plugin of version 1 needs; a shorter one than it knows is an error of the host. */
V1_SPARE gantry_status v1_find(struct v1_self* self, const gantry_host_api* api,
                               gantry_host* host) {
  self->api = api;
  self->host = host;
  self->call = (const gantry_call_api*)api->service(host, GANTRY_CALL_SERVICE);
  self->invoke = (const gantry_invoke_api*)api->service(host, GANTRY_INVOKE_SERVICE);
  self->config = (const gantry_config_api*)api->service(host, GANTRY_CONFIG_SERVICE);
  if (!GANTRY_HAS(api, gantry_host_api, offer) || self->call == NULL ||
      !GANTRY_HAS(self->call, gantry_call_api, off_cancel)) {
    api->log(host, GANTRY_LOG_ERROR, v1_text("a table of version 1 is missing or too short"));
    return GANTRY_UNSUPPORTED;
  }
  return GANTRY_OK;
}

/* The structured result {"text": …}; `json` is a JSON value. */
V1_SPARE gantry_status v1_answer(const struct v1_self* self, gantry_call* call, gantry_bytes json) {
  self->call->json_begin(call);
  self->call->json_raw(call, v1_text("{\"got\":"));
  self->call->json_raw(call, json);
  self->call->json_raw(call, v1_text("}"));
  return self->call->json_end(call);
}

#endif
