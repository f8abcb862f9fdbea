// Workers of the program `worker_deeds`, and what they printed.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "host/worker/process.hpp"

namespace gantry::host {

inline constexpr std::chrono::seconds kPatience{20};

struct Printed {
  void add(int level, std::string_view line) {
    const std::lock_guard lock(mutex);
    lines.emplace_back(level, line);
  }
  // Of all levels, in the order of their coming.
  std::vector<std::string> texts() const {
    const std::lock_guard lock(mutex);
    std::vector<std::string> out;
    for (const auto& [level, line] : lines) out.push_back(line);
    return out;
  }
  bool has(int level, const std::string& text) const {
    const std::lock_guard lock(mutex);
    return std::find(lines.begin(), lines.end(), std::pair(level, text)) != lines.end();
  }

  mutable std::mutex mutex;
  std::vector<std::pair<int, std::string>> lines;
};

class WorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = WorkerKeeper::create();
    ASSERT_TRUE(made) << made.message();
    keeper_ = std::move(made).value();
  }

  WorkerStart start_of(const std::string& deed, const WorkerLimits& limits = {}) {
    return {.program = GANTRY_BINARY_DIR "/tests/worker_deeds",
            .plugin = "under-test",
            .library = {},
            .limits = limits,
            .arguments = {deed},
            .log = [this](std::string_view, int level,
                          std::string_view text) { printed_.add(level, text); },
            .ended = {}};
  }

  std::unique_ptr<WorkerProcess> spawn(const std::string& deed, const WorkerLimits& limits = {}) {
    auto worker = keeper_->spawn(start_of(deed, limits));
    EXPECT_TRUE(worker) << worker.message();
    return worker ? std::move(worker).value() : nullptr;
  }

  // The cause of the end of a worker that ends by itself.
  std::string end_of(const std::string& deed, const WorkerLimits& limits = {}) {
    const auto worker = spawn(deed, limits);
    if (!worker || !ended(*worker)) return "did not end";
    return worker->cause();
  }

  // What a worker printed that did its deed and was then let go.
  std::vector<std::string> printed_by(const std::string& deed, const WorkerLimits& limits = {}) {
    const auto worker = spawn(deed, limits);
    if (!worker) return {};
    EXPECT_EQ(::shutdown(worker->socket(), SHUT_RDWR), 0);
    EXPECT_TRUE(ended(*worker));
    EXPECT_EQ(worker->cause(), "called exit(0)") << deed;
    return printed_.texts();
  }

  static bool ended(WorkerProcess& worker) {
    return worker.wait_until(std::chrono::steady_clock::now() + kPatience);
  }

  Printed printed_;
  std::unique_ptr<WorkerKeeper> keeper_;
};

}  // namespace gantry::host
