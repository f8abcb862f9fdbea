#include "host/loader/host_api.hpp"

#include <gantry/abi/version.h>

#include <cstring>
#include <string_view>

#include "host/plugin/contract_bytes.hpp"
#include "host/plugin/generation.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMaxServiceId = 63;

Generation& plugin_of(gantry_host* handle) { return static_cast<Generation&>(instance_of(handle)); }

const void* service(gantry_host* host, const char* id) noexcept {
  if (!host || !id) return nullptr;
  const std::size_t size = ::strnlen(id, kMaxServiceId + 1);
  if (size > kMaxServiceId) return nullptr;
  try {
    return plugin_of(host).service({id, size});
  } catch (...) {
    return nullptr;  // out of memory: the same to the plugin as not being there
  }
}

void log(gantry_host* host, int32_t level, gantry_bytes text) noexcept {
  if (!host) return;
  try {
    plugin_of(host).log(level, view(text));
  } catch (...) {
    // A line that cannot be logged is lost; there is no way to report it.
  }
}

gantry_status offer(gantry_host* host, gantry_bytes json) noexcept {
  if (!host) return GANTRY_MISUSE;
  try {
    return plugin_of(host).offer(view(json));
  } catch (...) {
    return GANTRY_FAILED;
  }
}

}  // namespace

const gantry_host_api& host_api() {
  static constexpr gantry_host_api kApi = {
      sizeof(gantry_host_api), GANTRY_ABI_MINOR, 0, service, log, offer};
  return kApi;
}

}  // namespace gantry::host
