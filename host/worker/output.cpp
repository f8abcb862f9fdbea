#include "host/worker/output.hpp"

#include <algorithm>

namespace gantry::host {
namespace {

constexpr std::chrono::seconds kWindow{1};
constexpr std::size_t kLastBytes = 256;

}  // namespace

void OutputLines::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    const std::size_t fits = std::min(part.size(), kLineBytes - line_.size());
    line_.append(part.substr(0, fits));
    cut_ += part.size() - fits;
    if (end == std::string_view::npos) return;
    line_done();
    bytes.remove_prefix(end + 1);
  }
}

void OutputLines::line_done() {
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  if (!line_.empty()) {
    last_ = line_.substr(0, kLastBytes);
    open_window(clock_.now());
    if (emitted_ < kLines) {
      ++emitted_;
      if (cut_ != 0) line_ += " [" + std::to_string(cut_) + " more bytes on this line]";
      emit_(line_);
    } else {
      ++dropped_lines_;
      dropped_bytes_ += line_.size() + cut_;
    }
  }
  line_.clear();
  cut_ = 0;
}

void OutputLines::open_window(Clock::Instant now) {
  if (has_window_ && now - window_ < kWindow) return;
  say_dropped();
  window_ = now;
  has_window_ = true;
  emitted_ = 0;
}

void OutputLines::say_dropped() {
  if (dropped_lines_ == 0) return;
  emit_("it printed more than " + std::to_string(kLines) + " lines in a second; " +
        std::to_string(dropped_lines_) + " lines (" + std::to_string(dropped_bytes_) +
        " bytes) are not shown");
  dropped_lines_ = dropped_bytes_ = 0;
}

void OutputLines::tick() {
  if (owes()) open_window(clock_.now());
}

void OutputLines::end() {
  line_done();
  say_dropped();
}

}  // namespace gantry::host
