/* A plugin of a later minor version on a host of this one: its tables are longer, its manifest has
 * members, flags of items and wishes that no host of version 1.0 knows, and it does without what
 * is not there. */
#include "common.h"

GANTRY_MANIFEST(
    "{\"name\":\"v1-newer\",\"version\":\"9.0.0\",\"abi\":\"1.7\","
    "\"needs\":[\"gantry.call/1\",\"gantry.invoke/1\"],"
    "\"wants\":[\"gantry.teleport/1\",\"gantry.config/1\",\"acme.nowhere/3\"],"
    "\"mood\":{\"today\":\"good\"},\"orbit\":[1,2],"
    "\"items\":[{\"kind\":\"tool\",\"name\":\"v1_newer\",\"inputSchema\":{\"type\":\"object\"},"
    "\"shine\":true,\"echo\":{\"of\":\"tomorrow\"}}]}");

/* As a later header would have them. */
typedef struct newer_call_api {
  gantry_call_api v1;
  gantry_status (*teleport)(gantry_call* call, gantry_bytes where);
} newer_call_api;
typedef struct newer_invocation {
  gantry_invocation v1;
  gantry_bytes mood;
} newer_invocation;
typedef struct newer_plugin {
  gantry_plugin v1;
  gantry_status (*dream)(void* self);
} newer_plugin;

static struct v1_self self_;
static int knows_wish, knows_config;

static gantry_status create(const gantry_host_api* api, gantry_host* host, void** self) {
  *self = &self_;
  knows_wish = api->service(host, "gantry.teleport/1") != NULL;
  knows_config = api->service(host, GANTRY_CONFIG_SERVICE) != NULL;
  return v1_find(&self_, api, host);
}
static gantry_status start(void* self) { return (void)self, GANTRY_OK; }

static void part(void* context, gantry_bytes type, gantry_bytes body) {
  (void)context, (void)type, (void)body;
}

static gantry_status invoke(void* self, gantry_bytes kind, gantry_bytes name, gantry_call* call) {
  (void)self;
  if (!v1_is(kind, "tool")) return GANTRY_UNSUPPORTED;
  if (!v1_is(name, "v1_newer")) return GANTRY_NOT_FOUND;
  newer_invocation what;
  memset(&what, 0, sizeof(what));
  what.v1.size = sizeof(what);
  what.v1.kind = v1_text("tool");
  what.v1.name = v1_text("v1_echo");
  what.mood = v1_text("unheard");
  const gantry_answer answer = {part, NULL};
  const gantry_status called = self_.invoke->call(self_.host, call, &what.v1, answer);
  const int teleports = self_.call->size >= sizeof(newer_call_api);
  if (called != GANTRY_OK) return v1_answer(&self_, call, v1_text("\"the call failed\""));
  if (teleports || knows_wish) return v1_answer(&self_, call, v1_text("\"too much\""));
  return v1_answer(&self_, call, v1_text(knows_config ? "\"as before\"" : "\"no configuration\""));
}

static gantry_status stop(void* self, uint64_t deadline) {
  return (void)self, (void)deadline, GANTRY_OK;
}
static void destroy(void* self) { (void)self; }
static gantry_status dream(void* self) { return (void)self, GANTRY_OK; }

/* Under the name of version 1, which has another type in the header of that version. */
extern GANTRY_EXPORT const newer_plugin newer_table __asm__("gantry_plugin_v1");
const newer_plugin newer_table = {
    {GANTRY_MAGIC, 7, sizeof(newer_plugin), create, start, invoke, stop, destroy}, dream};
