// host/worker/output.hpp: turns the output of a worker into lines of the log.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "host/base/clock.hpp"

namespace gantry::host {

// Cuts a stream into lines: at most kLines a second, each of at most kLineBytes. The rest is
// dropped, and its amount said in one line when the second is over.
class OutputLines {
 public:
  static constexpr int kLines = 100;
  static constexpr std::size_t kLineBytes = std::size_t{16} << 10U;

  using Emit = std::function<void(std::string_view line)>;
  OutputLines(Emit emit, const Clock& clock) : emit_(std::move(emit)), clock_(clock) {}

  void feed(std::string_view bytes);
  // Logs how much was dropped, once its second is over. Call it now and then while owes() is true.
  void tick();
  bool owes() const { return dropped_lines_ != 0; }
  // The stream is over: an unfinished line counts, and nothing stays unsaid.
  void end();

  // The last line that was not empty, whether it was logged or dropped; at most 256 bytes of it.
  const std::string& last() const { return last_; }

 private:
  void line_done();
  void open_window(Clock::Instant now);
  void say_dropped();

  Emit emit_;
  const Clock& clock_;
  std::string line_;
  std::size_t cut_ = 0;  // bytes of this line that did not fit
  Clock::Instant window_{};
  bool has_window_ = false;
  int emitted_ = 0;
  std::uint64_t dropped_lines_ = 0, dropped_bytes_ = 0;
  std::string last_;
};

}  // namespace gantry::host
