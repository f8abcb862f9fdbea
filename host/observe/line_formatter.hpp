// host/observe/line_formatter.hpp (private): formats the beginning and the end of a log line.
//
// As text: "2026-11-22T19:00:00.123Z info    WORDS". As JSON: an object with "time" and "level" and
// the members in the message. Always UTC. The date is formatted once a second, since that is most
// of the cost of spdlog's own patterns. Used by one thread at a time, as spdlog's sinks do.
#pragma once

#include <chrono>
#include <ctime>
#include <memory>
#include <string_view>

#include <spdlog/formatter.h>

namespace gantry::host {

class LineFormatter final : public spdlog::formatter {
 public:
  explicit LineFormatter(bool json) : json_(json) {}

  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    using namespace std::chrono;
    const auto now = floor<milliseconds>(message.time.time_since_epoch());
    const auto second = floor<seconds>(now);
    if (second != second_) set_date(second);
    const auto thousandths = static_cast<int>((now - second).count());
    const char time[] = {static_cast<char>('0' + thousandths / 100),
                         static_cast<char>('0' + thousandths / 10 % 10),
                         static_cast<char>('0' + thousandths % 10), 'Z'};
    const auto level = spdlog::level::to_string_view(message.level);
    if (json_) add(line, "{\"time\":\"");
    add(line, {date_, date_size_});
    add(line, {time, sizeof time});
    add(line, json_ ? "\",\"level\":\"" : " ");
    add(line, {level.data(), level.size()});
    add(line, json_ ? "\"," : blanks_after(level.size()));
    add(line, {message.payload.data(), message.payload.size()});
    add(line, json_ ? "}\n" : "\n");
  }

  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<LineFormatter>(json_);
  }

 private:
  // Levels stand in a column of seven and a blank.
  static std::string_view blanks_after(std::size_t level) {
    constexpr std::string_view kBlanks = "        ";
    return kBlanks.substr(0, level < 7 ? 8 - level : 1);
  }
  static void add(spdlog::memory_buf_t& line, std::string_view text) {
    line.append(text.data(), text.data() + text.size());
  }
  void set_date(std::chrono::seconds second) {
    const auto time = static_cast<std::time_t>(second.count());
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    date_size_ = std::strftime(date_, sizeof date_, "%Y-%m-%dT%H:%M:%S.", &parts);
    second_ = second;
  }

  const bool json_;
  std::chrono::seconds second_{-1};
  char date_[32];
  std::size_t date_size_ = 0;
};

}  // namespace gantry::host
