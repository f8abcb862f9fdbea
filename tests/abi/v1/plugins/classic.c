/* A plugin of version 1 in C: what its table and those of the host can do, once each. */
#include "common.h"

GANTRY_MANIFEST(
    "{\"name\":\"v1-classic\",\"version\":\"1.0.0\",\"abi\":1,"
    "\"needs\":[\"gantry.call/1\",\"gantry.invoke/1\",\"gantry.config/1\"],"
    "\"flags\":[\"reentrant\",\"unloadable\"],\"self_check\":true,"
    "\"config\":{\"type\":\"object\"},"
    "\"offers\":[\"v1.words/1\"],"
    "\"items\":["
    "{\"kind\":\"tool\",\"name\":\"v1_echo\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"kind\":\"tool\",\"name\":\"v1_text\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"kind\":\"tool\",\"name\":\"v1_fail\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"kind\":\"tool\",\"name\":\"v1_config\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"kind\":\"tool\",\"name\":\"v1_hooks\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"kind\":\"service\",\"name\":\"v1.words/1\"},"
    "{\"kind\":\"resource\",\"name\":\"fixed\",\"uri\":\"v1://fixed\"}]}");

static struct v1_self self_;

static gantry_status create(const gantry_host_api* api, gantry_host* host, void** self) {
  *self = &self_;
  return v1_find(&self_, api, host);
}

static gantry_status start(void* self) {
  (void)self;
  self_.api->log(self_.host, GANTRY_LOG_INFO, v1_text("v1-classic has started"));
  return GANTRY_OK;
}

static void nothing(void* context) { (void)context; }

/* Nine callbacks in turn fit, since each is taken back. */
static gantry_status hooks(gantry_call* call) {
  for (int i = 0; i < 9; ++i) {
    if (self_.call->on_cancel(call, nothing, &self_) != GANTRY_OK) return GANTRY_FAILED;
    if (self_.call->off_cancel(call, nothing, &self_) != GANTRY_OK) return GANTRY_FAILED;
  }
  self_.call->progress(call, 1, 2, v1_text("half"));
  self_.call->log(call, GANTRY_LOG_INFO, v1_text("hooked"));
  return v1_answer(&self_, call, v1_text(self_.call->cancelled(call) ? "true" : "false"));
}

static gantry_status tool(gantry_bytes name, gantry_call* call) {
  if (v1_is(name, "v1_echo")) return v1_answer(&self_, call, self_.call->arguments(call));
  if (v1_is(name, "v1_text")) return self_.call->write(call, v1_text("text"), v1_text("plain"));
  if (v1_is(name, "v1_config")) return v1_answer(&self_, call, self_.config->get(self_.host));
  if (v1_is(name, "v1_hooks")) return hooks(call);
  if (!v1_is(name, "v1_fail")) return GANTRY_NOT_FOUND;
  return self_.call->fail(call, v1_text("invalid_argument"), v1_text("as asked"),
                          v1_text("{\"at\":1}"));
}

static gantry_status invoke(void* self, gantry_bytes kind, gantry_bytes name, gantry_call* call) {
  (void)self;
  if (v1_is(kind, "tool")) return tool(name, call);
  if (v1_is(kind, "service")) {
    return self_.call->write(call, v1_text("words"), v1_text("from the service"));
  }
  if (v1_is(kind, "resource")) {
    return self_.call->write(call, v1_text("text/plain"), v1_text("fixed text"));
  }
  return v1_is(kind, "self_check") ? GANTRY_OK : GANTRY_UNSUPPORTED;
}

static gantry_status stop(void* self, uint64_t deadline) {
  return (void)self, (void)deadline, GANTRY_OK;
}
static void destroy(void* self) { (void)self; }

const gantry_plugin gantry_plugin_v1 = {
    GANTRY_MAGIC, GANTRY_ABI_MINOR, sizeof(gantry_plugin), create, start, invoke, stop, destroy,
};
