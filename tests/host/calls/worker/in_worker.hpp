// Calls of the script plugins (tests/fixtures/plugins/script) that run in real worker processes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/plugin/elf_inspection.hpp"
#include "host/plugin/file_bytes.hpp"
#include "host/worker/worker_instance.hpp"
#include "tests/host/calls/harness.hpp"

namespace gantry::host {

class InWorkerTest : public CallsTest {
 protected:
  void SetUp() override {
    CallsTest::SetUp();
    auto keeper = WorkerKeeper::create();
    ASSERT_TRUE(keeper) << keeper.message();
    keeper_ = std::move(*keeper);
  }

  void TearDown() override {
    calls_->drain(2s);
    registry_.set_plugins({}, {});
    Registry::release_cached();
    for (const auto& worker : workers_) {
      worker->stop(std::chrono::steady_clock::now() + 5s);
      worker->destroy();
      EXPECT_TRUE(worker->close());
    }
    workers_.clear();
    CallsTest::TearDown();
  }

  static SealedFilePtr sealed(const std::filesystem::path& file) {
    const auto bytes = read_file_bytes(file);
    EXPECT_TRUE(bytes) << bytes.message();
    return *SealedFile::of(*bytes);
  }

  static Manifest manifest_of(const std::filesystem::path& file) {
    const auto bytes = sealed(file)->read();
    EXPECT_TRUE(bytes) << bytes.message();
    const auto seen = inspect_elf(bytes->view());
    EXPECT_TRUE(seen) << seen.message();
    auto manifest = parse_manifest(seen->manifest);
    EXPECT_TRUE(manifest) << manifest.message();
    return std::move(*manifest);
  }

  std::shared_ptr<WorkerInstance> make(const std::string& name, PluginSettings settings = {}) {
    const std::filesystem::path file =
        std::string(GANTRY_BINARY_DIR "/test-plugins/") + name + ".so";
    Origin origin;
    origin.manifest = manifest_of(file);
    origin.settings = std::move(settings);
    origin.file = file;
    return std::make_shared<WorkerInstance>(
        std::move(origin), sealed(file), *calls_,
        [this](std::string_view, int level, std::string_view text) {
          std::lock_guard lock(lines_mutex_);
          lines_.push_back(std::to_string(level) + " " + std::string(text));
        },
        WorkerPlace{*keeper_, clock_, GANTRY_BINARY_DIR "/bin/gantry-worker", {}});
  }

  // Started, and on offer after publish_workers().
  WorkerInstance& run_worker(const std::string& name, PluginSettings settings = {}) {
    auto worker = make(name, std::move(settings));
    Status status = worker->create();
    EXPECT_TRUE(status) << status.message();
    status = worker->start();
    EXPECT_TRUE(status) << status.message();
    workers_.push_back(worker);
    return *worker;
  }
  void publish_workers() {
    std::vector<InstancePtr> all(workers_.begin(), workers_.end());
    for (const auto& made : plugins_) {
      made->served_by(*calls_);
      all.push_back(made);
    }
    registry_.set_plugins(std::move(all), {});
  }

  static std::string steps(const std::string& inside) { return R"({"steps":[)" + inside + "]}"; }
  std::string journal(const std::string& inside, std::string_view tool = "script") {
    const ItemAnswer answer = run(tool, steps(inside));
    EXPECT_EQ(answer.kind, ItemAnswer::Kind::result) << answer.message;
    return answer.structured;
  }
  struct Running {
    std::shared_ptr<Recorder> answer;
    std::shared_ptr<CallHandle> handle;
  };
  // A call whose plugin has begun these steps.
  Running running(const std::string& inside, std::string_view tool = "script") {
    Running out{std::make_shared<Recorder>(), nullptr};
    out.handle = start(tool, out.answer,
                       steps(R"({"do":"progress","done":1,"note":"inside"},)" + inside), true);
    out.answer->wait_for_note("inside");
    return out;
  }
  bool logged(const std::string& part) {
    std::lock_guard lock(lines_mutex_);
    for (const std::string& line : lines_) {
      if (line.find(part) != std::string::npos) return true;
    }
    return false;
  }

  SystemClock clock_;
  std::unique_ptr<WorkerKeeper> keeper_;
  std::vector<std::shared_ptr<WorkerInstance>> workers_;

 private:
  std::mutex lines_mutex_;
  std::vector<std::string> lines_;
};

}  // namespace gantry::host
