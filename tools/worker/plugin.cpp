#include "plugin.hpp"

#include "call.hpp"
#include "host/plugin/guarded.hpp"
#include "host/worker/process.hpp"
#include "host/worker/sandbox.hpp"
#include "tables.hpp"

namespace gantry::worker {

template <class Function>
gantry_status Plugin::enter(const char* step, Function function) {
  // The host orders the steps and the calls, which is invisible to the memory model of this
  // process.
  turns_.fetch_add(1, std::memory_order_acq_rel);
  struct Left {
    std::atomic<unsigned>& turns;
    ~Left() { turns.fetch_add(1, std::memory_order_acq_rel); }
  } const left{turns_};
  return host::guarded(step, function, [this](const std::string& what) {
    host_api().log(&host_, GANTRY_LOG_ERROR, bytes_of(what));
  });
}

Status Plugin::open(const wire::Setup& setup, std::string_view confinement) {
  host_.config = setup.config;
  host_.services.assign(setup.services.begin(), setup.services.end());
  if (Status confined = host::confine(confinement); !confined) return confined;
  auto file = host::SealedFile::adopt(host::kWorkerLibrary);
  if (!file) return file.status();
  auto library = host::Library::open(std::move(*file), !unloads_);
  if (!library) return library.status();
  library_.emplace(std::move(*library));
  host_.link.done(0, GANTRY_OK, {});
  // A thread allocates its own copy at the first use, perhaps in a much later call.
  library_->touch_thread_memory();
  host_.link.done(0, GANTRY_OK, {});
  return Status::ok();
}

gantry_status Plugin::step(wire::FrameType step, std::uint64_t deadline) {
  const gantry_plugin& plugin = library_->table();
  switch (step) {
    case wire::FrameType::create:
      return enter("create()", [&] { return plugin.create(&host_api(), &host_, &self_); });
    case wire::FrameType::start:
      return enter("start()", [&] { return plugin.start(self_); });
    case wire::FrameType::stop:
      return enter("stop()", [&] { return plugin.stop(self_, deadline); });
    default:
      enter("destroy()", [&] { return plugin.destroy(self_), GANTRY_OK; });
      return GANTRY_OK;
  }
}

gantry_status Plugin::invoke(gantry_call& call) {
  return enter("invoke()", [&] {
    return library_->table().invoke(self_, bytes_of(call.entry.kind), bytes_of(call.entry.name),
                                    &call);
  });
}

void Plugin::unload() {
  if (unloads_) library_->close();
}

}  // namespace gantry::worker
