#include <unistd.h>

#include <algorithm>

#include "tools/gantry/console/lines.hpp"

namespace gantry::cli::console {
namespace {

class PlainLines final : public Lines {
 public:
  explicit PlainLines(Stop& stop) : stop_(&stop) {}

  LineEnd read(const std::string& /*prompt*/, std::string& line) override {
    std::size_t end = 0;
    while ((end = unread_.find('\n')) == unread_.npos) {
      char chunk[4096];
      if (wait_for(0, *stop_, std::chrono::milliseconds(-1)) == Woken::stopped) {
        return LineEnd::interrupted;
      }
      const ssize_t got = ::read(0, chunk, sizeof chunk);
      if (got > 0) {
        unread_.append(chunk, static_cast<std::size_t>(got));
        continue;
      }
      if (unread_.empty()) return LineEnd::ended;
      unread_ += '\n';
    }
    line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return LineEnd::line;
  }
  void remember(const std::string& /*command*/) override {}

 private:
  Stop* const stop_;
  std::string unread_;
};

}  // namespace

std::unique_ptr<Lines> plain_lines(Stop& stop) { return std::make_unique<PlainLines>(stop); }

std::string addition_of(std::string_view typed, const std::vector<std::string>& candidates) {
  if (candidates.empty()) return {};
  std::string shared = candidates.front();
  for (const auto& one : candidates) {
    const auto end = std::mismatch(shared.begin(), shared.end(), one.begin(), one.end()).first;
    shared.erase(end, shared.end());
  }
  while (!shared.empty() && candidates.size() > 1 &&
         (candidates.front()[shared.size()] & 0xc0) == 0x80) {
    shared.pop_back();  // no half characters
  }
  if (!shared.starts_with(typed)) return {};
  const bool is_whole = candidates.size() == 1 && !shared.ends_with('=');
  return shared.substr(typed.size()) + (is_whole ? " " : "");
}

}  // namespace gantry::cli::console
