#include "host/loader/loaded_instance.hpp"

#include <gantry/abi/manifest.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include "host/loader/host_api.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMaxLine = 16U << 10U;
constexpr std::chrono::milliseconds kPoll{2};

std::atomic<std::uint64_t> next_generation{1};

gantry_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

// At most kMaxLine bytes, not cut inside a character.
std::string_view shortened(std::string_view text) {
  if (text.size() <= kMaxLine) return text;
  std::size_t end = kMaxLine;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

std::uint64_t nanoseconds(std::chrono::steady_clock::time_point when) {
  using std::chrono::nanoseconds;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<nanoseconds>(when.time_since_epoch()).count());
}

}  // namespace

Instance& instance_of(gantry_host* handle) { return *handle->instance; }

LoadedInstance::LoadedInstance(Origin origin, Library library, HostServices& services, LogSink log)
    : library_(std::move(library)), services_(services), log_(std::move(log)) {
  manifest_ = std::move(origin.manifest);
  settings_ = std::move(origin.settings);
  file_ = std::move(origin.file);
  sha256_ = std::move(origin.sha256);
  builtin_ = origin.builtin;
  plugin_needs_ = std::move(origin.plugin_needs);
  generation_ = next_generation++;
  host_.instance = this;
  host_.services = &services;
  handle_ = &host_;
}

// An exception here is a broken contract; catching it works for plugins in C++ and keeps the host
// alive, but what the plugin left behind is unknown.
template <class Function>
gantry_status LoadedInstance::guarded(const char* step, Function function) noexcept {
  const auto threw = [&](std::string_view what) {
    log(GANTRY_LOG_ERROR, std::string(step) + " threw " + std::string(what) +
                              " across the contract; catch exceptions inside the plugin");
  };
  try {
    return function();
  } catch (const std::exception& error) {
    threw(std::string("\"") + error.what() + "\"");
  } catch (...) {
    threw("an exception");
  }
  return GANTRY_FAILED;
}

Status LoadedInstance::failed(const char* step, gantry_status status) {
  const std::string reason = take_reason();
  if (!reason.empty()) return {status, std::string(step) + " failed: " + reason};
  return {status, std::string(step) + " failed with status " + std::to_string(status) +
                      " and gave no reason; a plugin says why with log() at error level"};
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
      guarded("stop()", [&] { return library_.table().stop(self_, nanoseconds(deadline)); });
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

std::string LoadedInstance::take_reason() {
  std::lock_guard lock(reason_mutex_);
  return std::exchange(reason_, {});
}

const void* LoadedInstance::service(std::string_view id) const {
  const auto& needs = manifest_.needs;
  if (std::find(needs.begin(), needs.end(), id) == needs.end()) return nullptr;
  return services_.service(id);
}

void LoadedInstance::log(int level, std::string_view text) {
  if (level < GANTRY_LOG_EMERGENCY || level > GANTRY_LOG_DEBUG) level = GANTRY_LOG_ERROR;
  text = shortened(text);
  if (level <= GANTRY_LOG_ERROR) {
    std::lock_guard lock(reason_mutex_);
    reason_ = text;
  }
  if (log_) log_(manifest_.name, level, text);
}

gantry_status LoadedInstance::offer(std::string_view json) {
  if (!may_offer_) {
    log(GANTRY_LOG_ERROR, "offer() is for the time from start() until stop(); nothing changed");
    return GANTRY_MISUSE;
  }
  Status status = json.size() > GANTRY_NOTE_MAX
                      ? Status{GANTRY_TOO_BIG, "an offer has at most 4 MiB; nothing changed"}
                      : services_.offer(*this, json);
  if (status) {
    offered_ = true;
  } else {
    log(GANTRY_LOG_ERROR, status.message());
  }
  return status.code();
}

bool wait_until_unused(const LoadedPtr& instance, std::chrono::steady_clock::time_point deadline) {
  while (instance.use_count() > 1) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kPoll);
  }
  // Reading the count orders nothing. Touching it does: what the others did before they let go is
  // seen here.
  LoadedPtr(instance).reset();
  return true;
}

void keep_for_ever(LoadedPtr instance) {
  // Never destroyed, so it also outlives the end of main().
  static std::mutex mutex;
  static auto* const kept = new std::vector<LoadedPtr>;
  std::lock_guard lock(mutex);
  kept->push_back(std::move(instance));
}

}  // namespace gantry::host
