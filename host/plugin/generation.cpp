#include "host/plugin/generation.hpp"

#include <gantry/abi/manifest.h>

#include <algorithm>
#include <utility>

#include "sdk/contract/limits.hpp"
#include "sdk/contract/undeclared.hpp"

namespace gantry::host {
namespace {

std::atomic<std::uint64_t> next_generation{1};

// Undeclared services that are reported of one plugin; further ones are not.
constexpr std::size_t kMaxUndeclared = 16;

// At most contract::kMaxLogLine bytes, not cut inside a character.
std::string_view shortened(std::string_view text) {
  if (text.size() <= contract::kMaxLogLine) return text;
  std::size_t end = contract::kMaxLogLine;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

}  // namespace

Instance& instance_of(gantry_host* handle) { return *handle->instance; }

Generation::Generation(Origin origin, HostServices& services, LogSink log)
    : services_(services), log_(std::move(log)) {
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

Status Generation::failed(const char* step, gantry_status status) {
  const std::string reason = take_reason();
  if (!reason.empty()) return {status, std::string(step) + " failed: " + reason};
  return {status, std::string(step) + " failed with status " + std::to_string(status) +
                      " and gave no reason; a plugin says why with log() at error level"};
}

std::string Generation::take_reason() {
  std::lock_guard lock(reason_mutex_);
  return std::exchange(reason_, {});
}

Health Generation::health() const {
  Health health;
  health.abandoned_calls = abandoned_calls_->load(std::memory_order_relaxed);
  return health;
}

const void* Generation::service(std::string_view id) {
  const void* const table = services_.service(id);
  if (manifest_.asks_for(id)) return table;
  if (table != nullptr) report_undeclared(id);
  return nullptr;
}

void Generation::report_undeclared(std::string_view id) {
  {
    std::lock_guard lock(reason_mutex_);
    const bool known = std::find(undeclared_.begin(), undeclared_.end(), id) != undeclared_.end();
    if (known || undeclared_.size() == kMaxUndeclared) return;
    undeclared_.emplace_back(id);
  }
  log(GANTRY_LOG_WARNING, contract::undeclared_service(id));
}

void Generation::log(int level, std::string_view text) {
  if (level < GANTRY_LOG_EMERGENCY || level > GANTRY_LOG_DEBUG) level = GANTRY_LOG_ERROR;
  text = shortened(text);
  if (level <= GANTRY_LOG_ERROR) {
    std::lock_guard lock(reason_mutex_);
    reason_ = text;
  }
  if (log_) log_(manifest_.name, level, text);
}

gantry_status Generation::offer(std::string_view json) {
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
    denied_ = denied_ || status.code() == GANTRY_DENIED;
    log(GANTRY_LOG_ERROR, status.message());
  }
  return status.code();
}

Origin origin_of(const Generation& generation) {
  return {generation.manifest(), generation.settings(), generation.file(),
          generation.sha256(),   generation.builtin(),  generation.plugin_needs()};
}

InstancePtr share(const GenerationPtr& generation) {
  return generation ? generation->holders().share(*generation) : nullptr;
}

void keep_for_ever(GenerationPtr instance) {
  // Never destroyed: static destructors run while the plugin's code may run.
  static std::mutex mutex;
  static auto* const kept = new std::vector<GenerationPtr>;
  std::lock_guard lock(mutex);
  kept->push_back(std::move(instance));
}

}  // namespace gantry::host
