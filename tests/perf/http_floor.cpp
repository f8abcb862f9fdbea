// http_floor PORT [THREADS] [pool]: host/http with a handler that does nothing but echo, so that
// what HTTP itself costs can be compared with raw_epoll. With "pool" every answer is given by
// another thread.
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "host/http/server.hpp"

namespace {

using namespace gantry::host::http;

constexpr const char* kFixed = R"({"jsonrpc":"2.0","id":1,"result":{}})";

class Pool {
 public:
  Pool() : thread_([this] { run(); }) {}
  ~Pool() {
    post({});
    thread_.join();
  }
  void post(std::function<void()> job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    ready_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return !jobs_.empty(); });
      auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      if (!job) return;
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> jobs_;
  std::thread thread_;
};

class Echo final : public Handler {
 public:
  explicit Echo(Pool* pool) : pool_(pool) {}
  void on_request(Request&& request, std::shared_ptr<Exchange> exchange) override {
    std::string body = request.body.empty() ? std::string(kFixed) : std::move(request.body);
    if (!pool_) {
      exchange->reply(200, "application/json", std::move(body));
      return;
    }
    pool_->post([exchange = std::move(exchange), body = std::move(body)]() mutable {
      exchange->reply(200, "application/json", std::move(body));
    });
  }

 private:
  Pool* pool_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: http_floor PORT [THREADS] [pool]\n");
    return 2;
  }
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGINT);
  sigaddset(&stop, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);

  Options options;
  options.port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  options.io_threads = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 1;
  Pool pool;
  Echo echo(argc > 3 && std::string_view(argv[3]) == "pool" ? &pool : nullptr);
  auto server = Server::start(options, echo);
  if (!server) {
    std::fprintf(stderr, "http_floor: %s\n", server.message().c_str());
    return 1;
  }
  int signal = 0;
  sigwait(&stop, &signal);
}
