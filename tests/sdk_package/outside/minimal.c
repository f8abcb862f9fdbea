/* The smallest plugin in C: its one tool succeeds with an empty answer. */
#include <gantry/abi/abi.h>

static gantry_status create(const gantry_host_api* api, gantry_host* host, void** self) {
  (void)api;
  *self = host;
  return GANTRY_OK;
}
static gantry_status start(void* self) { return (void)self, GANTRY_OK; }
static gantry_status invoke(void* self, gantry_bytes kind, gantry_bytes name, gantry_call* call) {
  (void)self, (void)kind, (void)name, (void)call;
  return GANTRY_OK;
}
static gantry_status stop(void* self, uint64_t deadline) {
  return (void)self, (void)deadline, GANTRY_OK;
}
static void destroy(void* self) { (void)self; }

const gantry_plugin gantry_plugin_v1 = {
    GANTRY_MAGIC, GANTRY_ABI_MINOR, sizeof(gantry_plugin), create, start, invoke, stop, destroy,
};
