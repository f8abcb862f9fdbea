#include "tools/gantry/check/report.hpp"

#include <unistd.h>

namespace gantry::cli {
namespace {

constexpr char kField = '\t';

// A sentence is one line here.
std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' || c == kField || c == '\0' ? ' ' : c;
  return out;
}

}  // namespace

void Report::line(std::string_view word, std::string_view text) {
  const std::string whole = std::string(word) + kField + one_line(text) + "\n";
  const std::lock_guard lock(mutex_);
  std::string_view rest = whole;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written <= 0) return;  // the reader has closed the pipe
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Report::offered(std::string_view kind, std::string_view name) {
  line("offered", std::string(kind) + " " + std::string(name));
}

bool read_report(std::string_view text, Outcome& outcome) {
  bool done = false;
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return false;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const auto field = line.find(kField);
    if (field == std::string_view::npos) continue;
    const std::string_view word = line.substr(0, field);
    std::string rest(line.substr(field + 1));
    done = word == "done";
    if (word == "note")
      outcome.findings.push_back({Level::note, std::move(rest)});
    else if (word == "warning")
      outcome.findings.push_back({Level::warning, std::move(rest)});
    else if (word == "fault")
      outcome.findings.push_back({Level::fault, std::move(rest)});
    else if (word == "calling")
      outcome.called = std::move(rest);
    else if (word == "offered") {
      const auto space = rest.find(' ');
      outcome.offered.push_back({rest.substr(0, space), rest.substr(space + 1)});
    }
  }
  return done;
}

}  // namespace gantry::cli
