// What a call costs into a plugin in a worker process, beside the bare round trip of 64 bytes
// between two processes over a socket pair, which sleep until the bytes are there.
#include <benchmark/benchmark.h>
#include <rapidjson/document.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <memory>
#include <semaphore>
#include <string>

#include "host/calls/calls.hpp"
#include "host/plugin/elf_inspection.hpp"
#include "host/plugin/file_bytes.hpp"
#include "host/worker/worker_instance.hpp"

namespace gantry::host {
namespace {

// The peer sends back the bytes that come, until the other end is closed.
void send_back(int socket) {
  std::array<char, 64> bytes{};
  while (::recv(socket, bytes.data(), bytes.size(), MSG_WAITALL) > 0) {
    if (::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) return;
  }
}

void bare_round_trip(benchmark::State& state) {
  std::array<int, 2> sockets{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()) != 0) {
    return state.SkipWithError("no socket pair");
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(sockets[0]);
    send_back(sockets[1]);
    ::_exit(0);
  }
  ::close(sockets[1]);
  std::array<char, 64> bytes{};
  for (auto round : state) {
    (void)round;
    if (::send(sockets[0], bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) break;
    if (::recv(sockets[0], bytes.data(), bytes.size(), MSG_WAITALL) < 0) break;
  }
  ::close(sockets[0]);
  ::waitpid(child, nullptr, 0);
}
BENCHMARK(bare_round_trip)->UseRealTime();

class Waiter final : public CallListener {
 public:
  void progress(double, double, std::string_view) override {}
  void log(int, std::string_view, std::string_view) override {}
  void done(ItemAnswer&& answer) override {
    good += answer.kind == ItemAnswer::Kind::result;
    answered.release();
  }
  std::int64_t good = 0;
  std::binary_semaphore answered{0};
};

class InWorker {
 public:
  InWorker() {
    auto keeper = WorkerKeeper::create();
    const std::filesystem::path file = GANTRY_PERF_PLUGIN;
    const auto bytes = read_file_bytes(file);
    if (!keeper || !bytes) return;
    keeper_ = std::move(*keeper);
    const auto seen = inspect_elf(*bytes);
    auto manifest = parse_manifest(seen->manifest);
    Origin origin;
    origin.manifest = std::move(*manifest);
    origin.file = file;
    worker_ = std::make_shared<WorkerInstance>(std::move(origin), *SealedFile::of(*bytes), *calls_,
                                               LogSink(), WorkerPlace{*keeper_, clock_, {}, {}});
    good_ = worker_->create().is_ok() && worker_->start().is_ok();
    if (good_) registry_.set_plugins({worker_}, {});
  }
  ~InWorker() {
    registry_.set_plugins({}, {});
    Registry::release_cached();
    if (!worker_) return;
    worker_->stop(std::chrono::steady_clock::now() + std::chrono::seconds(2));
    worker_->destroy();
    worker_->close();
  }

  bool is_good() const { return good_; }
  Calls& calls() { return *calls_; }
  const Registry& registry() const { return registry_; }

 private:
  Registry registry_;
  Bus bus_;
  Metrics metrics_;
  SystemClock clock_;
  std::unique_ptr<Calls> calls_ =
      Calls::create(registry_, bus_, metrics_, {}, [](std::string_view, std::string_view) {});
  std::unique_ptr<WorkerKeeper> keeper_;
  std::shared_ptr<WorkerInstance> worker_;
  bool good_ = false;
};

// From the engine into the worker's plugin and back to the listener: 64 bytes of arguments.
void worker_call(benchmark::State& state) {
  InWorker worker;
  if (!worker.is_good()) return state.SkipWithError("the plugin does not run in a worker");
  const std::string arguments = R"({"text":")" + std::string(53, 'x') + R"("})";
  rapidjson::Document parsed;
  parsed.Parse(arguments.c_str());
  ItemCall call;
  call.agent = std::make_shared<const Agent>();
  call.snapshot = worker.registry().current();
  const auto& tools = call.snapshot->tool_by_name;
  const auto found = tools.find(std::string_view("echo"));
  if (found == tools.end()) return state.SkipWithError("there is no tool 'echo'");
  call.item = found->second;
  call.kind = "tool";
  call.name = "echo";
  call.arguments = arguments;
  call.parsed = &parsed;
  call.protocol = "2026-07-28";
  const auto waiter = std::make_shared<Waiter>();
  for (auto round : state) {
    (void)round;
    worker.calls().start(call, waiter);
    waiter->answered.acquire();
  }
  call.snapshot.reset();
  if (waiter->good != static_cast<std::int64_t>(state.iterations())) {
    state.SkipWithError("not every call was answered");
  }
}
BENCHMARK(worker_call)->UseRealTime();

}  // namespace
}  // namespace gantry::host

BENCHMARK_MAIN();
