// The host's side of a worker alone, with frames made by hand.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/worker/frame_handler.hpp"
#include "tests/host/calls/harness.hpp"

namespace gantry::host {

// A generation without a process: keeps the frames that the host sends; a test says() those of the
// worker.
class FakeWorker final : public Generation, private worker::Outlet {
 public:
  FakeWorker(Origin origin, HostServices& services)
      : Generation(std::move(origin), services, {}),
        jobs(services),
        calls(services, *this, *this, jobs),
        frames(services, *this, *this, calls, jobs) {
    may_offer_ = true;
    in_worker_ = true;
    calls.open(1);
  }

  Status create() override { return Status::ok(); }
  Status start() override { return Status::ok(); }
  void stop(std::chrono::steady_clock::time_point) override {}
  void destroy() override {}
  void pin() override {}
  bool close() override { return true; }
  gantry_status invoke(std::string_view kind, std::string_view name,
                       gantry_call* call) noexcept override {
    return calls.enter(kind, name, call);
  }

  Status say(worker::FrameWriter& frame) { return say_bytes(frame.bytes()); }
  Status say_bytes(std::string_view bytes) {
    const auto header = worker::read_header(bytes);
    if (!header || !*header) return header.status();
    return frames.take(1, {**header, bytes.substr(worker::kHeaderSize)});
  }
  // The id of the next call that was sent.
  std::uint64_t entered() { return wait_for(worker::FrameType::invoke).header.call; }
  // The status of the next reply.
  gantry_status replied() {
    const Sent sent = wait_for(worker::FrameType::reply);
    return worker::BodyReader(sent.body).number<gantry_status>();
  }

  struct Sent {
    worker::Header header;
    std::string body;
  };
  Sent wait_for(worker::FrameType type) {
    std::unique_lock lock(mutex_);
    Sent found;
    const bool there = came_.wait_for(lock, 20s, [&] {
      for (auto it = sent_.begin(); it != sent_.end(); ++it) {
        if (it->header.type != type) continue;
        found = std::move(*it);
        sent_.erase(it);
        return true;
      }
      return false;
    });
    EXPECT_TRUE(there) << "no frame of type " << static_cast<int>(type);
    return found;
  }

  worker::Jobs jobs;
  worker::WorkerCalls calls;
  worker::FrameHandler frames;

 private:
  void send(std::uint64_t, std::string_view frame) override {
    std::lock_guard lock(mutex_);
    sent_.push_back({**worker::read_header(frame), std::string(frame.substr(24))});
    came_.notify_all();
  }
  void wake() override {}
  void answered() override {}
  bool may_log(std::size_t) override { return true; }

  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<Sent> sent_;
};

}  // namespace gantry::host
