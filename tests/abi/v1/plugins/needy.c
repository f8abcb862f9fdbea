/* Needs what no host of this version has. It must be refused before any of its code runs: its
 * constructor would end the process. */
#include "common.h"

#include <stdlib.h>

GANTRY_MANIFEST(
    "{\"name\":\"v1-needy\",\"version\":\"9.0.0\",\"abi\":1,"
    "\"needs\":[\"gantry.call/1\",\"gantry.teleport/1\"],\"items\":[]}");

__attribute__((constructor)) static void too_early(void) { abort(); }

static gantry_status create(const gantry_host_api* api, gantry_host* host, void** self) {
  return (void)api, (void)host, (void)self, GANTRY_FAILED;
}
static gantry_status start(void* self) { return (void)self, GANTRY_OK; }
static gantry_status invoke(void* self, gantry_bytes kind, gantry_bytes name, gantry_call* call) {
  return (void)self, (void)kind, (void)name, (void)call, GANTRY_UNSUPPORTED;
}
static gantry_status stop(void* self, uint64_t deadline) {
  return (void)self, (void)deadline, GANTRY_OK;
}
static void destroy(void* self) { (void)self; }

const gantry_plugin gantry_plugin_v1 = {
    GANTRY_MAGIC, GANTRY_ABI_MINOR, sizeof(gantry_plugin), create, start, invoke, stop, destroy,
};
