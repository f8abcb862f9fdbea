// host/observe/sink.hpp (private): an spdlog sink whose own thread writes to a descriptor.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include <spdlog/sinks/sink.h>

namespace gantry::host {

class DescriptorSink final : public spdlog::sinks::sink {
 public:
  explicit DescriptorSink(int fd);
  ~DescriptorSink() override;

  void log(const spdlog::details::log_msg& message) override;
  void flush() override;
  void set_pattern(const std::string& pattern) override;
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override;

 private:
  void run();
  void send(std::string_view bytes) const;

  const int fd_;
  std::mutex mutex_;
  std::condition_variable ready_, drained_;
  std::unique_ptr<spdlog::formatter> formatter_;
  std::string waiting_;
  std::size_t dropped_ = 0;
  int flushing_ = 0;
  bool writing_ = false, gathering_ = false, stopping_ = false;
  std::thread writer_;
};

}  // namespace gantry::host
