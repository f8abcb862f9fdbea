// host/loader/loaded_instance.hpp: a generation whose code is in a library mapped into this
// process.
#pragma once

#include "host/loader/library.hpp"
#include "host/plugin/generation.hpp"

namespace gantry::host {

class LoadedInstance final : public Generation {
 public:
  LoadedInstance(Origin origin, Library library, HostServices& services, LogSink log);

  Status create() override;
  Status start() override;
  void stop(std::chrono::steady_clock::time_point deadline) override;
  void destroy() override;
  void pin() override { library_.pin(); }
  bool close() override;

  gantry_status invoke(std::string_view kind, std::string_view name,
                       gantry_call* call) noexcept override;

 private:
  template <class Function>
  gantry_status guarded(const char* step, Function function) noexcept;

  Library library_;
  void* self_ = nullptr;
};

}  // namespace gantry::host
