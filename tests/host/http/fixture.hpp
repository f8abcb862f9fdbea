// A server on a free port whose handler is a function of the test.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "client.hpp"
#include "host/http/server.hpp"

namespace gantry::host::http::testing {

using namespace std::chrono_literals;

using OnRequest = std::function<void(Request&&, std::shared_ptr<Exchange>)>;

// "METHOD target|name=value;…|body": everything a handler got, as one line.
inline std::string describe(const Request& request) {
  std::string out = std::string(request.method()) + " " + std::string(request.target()) + "|";
  for (std::size_t i = 0; i < request.header_count(); ++i) {
    auto h = request.header_at(i);
    out += std::string(h.name) + "=" + std::string(h.value) + ";";
  }
  return out + "|" + request.body;
}

inline void echo(Request&& request, std::shared_ptr<Exchange> exchange) {
  exchange->reply(200, "text/plain", describe(request));
}

// The one page that may read why a request was refused.
inline constexpr std::string_view kGoodPage = "https://good.example";

class TestServer final : public Handler {
 public:
  explicit TestServer(OnRequest on_request, Limits limits = {}, std::size_t io_threads = 1)
      : on_request_(std::move(on_request)) {
    Options options;
    options.limits = limits;
    options.io_threads = io_threads;
    auto started = Server::start(options, *this);
    if (!started) throw std::runtime_error(started.message());
    server_ = std::move(started).value();
  }
  ~TestServer() override {
    server_->stop();
    for (auto& thread : threads_) thread.join();
  }

  void on_request(Request&& request, std::shared_ptr<Exchange> exchange) override {
    on_request_(std::move(request), std::move(exchange));
  }

  bool may_read(const Request& page) override {
    return page.header("origin") == kGoodPage && page.header("host").value_or("t") == "t";
  }

  Server& operator*() { return *server_; }
  Server* operator->() { return server_.get(); }
  Client connect(int receive_buffer = 0) { return Client(server_->port(), receive_buffer); }

  // Runs on another thread, joined when the server is gone.
  void elsewhere(std::function<void()> work) {
    std::lock_guard lock(mutex_);
    threads_.emplace_back(std::move(work));
  }

 private:
  OnRequest on_request_;
  std::unique_ptr<Server> server_;
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

// Waits up to ten seconds for something another thread brings about.
inline bool eventually(const std::function<bool()>& condition) {
  auto end = std::chrono::steady_clock::now() + 10s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

// The exchanges a handler was given, for the test to answer.
class Kept {
 public:
  OnRequest keeper() {
    return [this](Request&&, std::shared_ptr<Exchange> exchange) {
      std::lock_guard lock(mutex_);
      exchanges_.push_back(std::move(exchange));
      came_.notify_all();
    };
  }
  std::shared_ptr<Exchange> wait(std::size_t index = 0) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, 10s, [&] { return exchanges_.size() > index; });
    return exchanges_.size() > index ? exchanges_[index] : nullptr;
  }
  void forget() {
    std::lock_guard lock(mutex_);
    exchanges_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::shared_ptr<Exchange>> exchanges_;
};

inline std::string get(std::string_view target, std::string_view more = "") {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: t\r\n" + std::string(more) + "\r\n";
}

inline std::string post(std::string_view body) {
  return "POST /p HTTP/1.1\r\nHost: t\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

}  // namespace gantry::host::http::testing
