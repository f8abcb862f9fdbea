#include "host/observe/tracer.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "host/base/ids.hpp"
#include "host/observe/otlp_post.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMostAtOnce = 512;  // spans of one body

double random_part() {
  thread_local std::minstd_rand random(std::random_device{}());
  return std::uniform_real_distribution<double>()(random);
}

}  // namespace

// `is_failing` belongs to the sender.
struct Tracer::State {
  State(TracerOptions o, Log& l) : options(std::move(o)), log(l) {}

  void run();
  void send(std::span<const Span> spans);

  TracerOptions options;
  Log& log;
  bool is_failing = false;
  OtlpPost post;

  std::mutex mutex;  // of `waiting` and `stopping`
  std::condition_variable ready;
  std::vector<Span> waiting;
  bool stopping = false;
  std::atomic<std::uint64_t> dropped{0};  // never decreases
  std::thread sender;
};

void Tracer::State::run() {
  ::pthread_setname_np(::pthread_self(), "gantry-traces");
  std::unique_lock lock(mutex);
  for (;;) {
    ready.wait(lock, [this] { return stopping || !waiting.empty(); });
    if (waiting.empty()) return;
    ready.wait_for(lock, options.every,
                   [this] { return stopping || waiting.size() >= kMostAtOnce; });
    const std::vector<Span> batch = std::exchange(waiting, {});
    lock.unlock();
    for (std::size_t at = 0; at < batch.size(); at += kMostAtOnce) {
      send(std::span(batch).subspan(at, std::min(kMostAtOnce, batch.size() - at)));
    }
    lock.lock();
  }
}

void Tracer::State::send(std::span<const Span> spans) {
  const std::string body = otlp_json(spans, options.version);
  const Status sent = options.send ? options.send(body) : post.send(options.url, body);
  if (sent) {
    if (std::exchange(is_failing, false)) log.write(Level::warn, "spans are sent again");
    return;
  }
  dropped += spans.size();
  if (std::exchange(is_failing, true)) return;
  log.write(Level::error, "the collector takes no spans; they are dropped and counted",
            {{"reason", sent.message()}});
}

Tracer::Tracer(TracerOptions options, Log& log)
    : state_(std::make_unique<State>(std::move(options), log)) {
  state_->sender = std::thread([this] { state_->run(); });
}

Tracer::~Tracer() {
  {
    std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->post.hurry();
  }
  state_->ready.notify_one();
  state_->sender.join();
}

std::optional<Span> Tracer::begin(const std::optional<TraceContext>& parent) const {
  const bool sampled = parent ? parent->sampled : random_part() < state_->options.sample;
  if (!sampled) return std::nullopt;
  Span span;
  span.self = {parent ? parent->trace_id : random_hex(16), random_hex(8), true};
  if (parent) span.parent_id = parent->span_id;
  span.begin = std::chrono::system_clock::now();
  return span;
}

Span Tracer::inside(const Span& parent) {
  Span span;
  span.self = {parent.self.trace_id, random_hex(8), true};
  span.parent_id = parent.self.span_id;
  return span;
}

void Tracer::end(Span&& span) noexcept {
  if (span.end == Span::Time()) span.end = std::chrono::system_clock::now();
  bool wake = false;
  try {
    std::lock_guard lock(state_->mutex);
    if (state_->waiting.size() >= state_->options.max_waiting) {
      ++state_->dropped;
      return;
    }
    wake = state_->waiting.empty() || state_->waiting.size() + 1 == kMostAtOnce;
    state_->waiting.push_back(std::move(span));
  } catch (...) {
    ++state_->dropped;
    return;
  }
  if (wake) state_->ready.notify_one();
}

std::uint64_t Tracer::dropped() const { return state_->dropped; }

}  // namespace gantry::host
