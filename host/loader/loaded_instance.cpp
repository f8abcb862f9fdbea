#include "host/loader/loaded_instance.hpp"

#include "host/base/deadline.hpp"
#include "host/loader/host_api.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "host/plugin/guarded.hpp"

namespace gantry::host {

LoadedInstance::LoadedInstance(Origin origin, Library library, HostServices& services, LogSink log)
    : Generation(std::move(origin), services, std::move(log)), library_(std::move(library)) {}

template <class Function>
gantry_status LoadedInstance::guarded(const char* step, Function function) noexcept {
  return host::guarded(step, function,
                       [this](std::string_view what) { log(GANTRY_LOG_ERROR, what); });
}

Status LoadedInstance::create() {
  take_reason();
  const gantry_status status =
      guarded("create()", [&] { return library_.table().create(&host_api(), handle_, &self_); });
  return status < 0 ? failed("create()", status) : Status::ok();
}

Status LoadedInstance::start() {
  take_reason();
  may_offer_ = true;
  const gantry_status status = guarded("start()", [&] { return library_.table().start(self_); });
  if (status >= 0) return Status::ok();
  may_offer_ = false;
  return failed("start()", status);
}

void LoadedInstance::stop(std::chrono::steady_clock::time_point deadline) {
  may_offer_ = false;
  const gantry_status status =
      guarded("stop()", [&] { return library_.table().stop(self_, deadline_from(deadline)); });
  stopped_well_ = status >= 0;
  if (!stopped_well_) {
    log(GANTRY_LOG_ERROR,
        "stop() failed with status " + std::to_string(status) + "; its library stays mapped");
  }
}

void LoadedInstance::destroy() {
  guarded("destroy()", [&] {
    library_.table().destroy(self_);
    return GANTRY_OK;
  });
  self_ = nullptr;
}

bool LoadedInstance::close() { return library_.close(); }

gantry_status LoadedInstance::invoke(std::string_view kind, std::string_view name,
                                     gantry_call* call) noexcept {
  return guarded("invoke()", [&] {
    return library_.table().invoke(self_, bytes_of(kind), bytes_of(name), call);
  });
}

}  // namespace gantry::host
