#include "tools/gantry/chat/terminal.hpp"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

// The commands of a chat, for Tab.
constexpr std::array kCommandWords{"/compact", "/cost",  "/exit",  "/help",
                                   "/history", "/reset", "/tools", "/trace"};

std::vector<std::string> commands_like(std::string_view before) {
  std::vector<std::string> out;
  for (const std::string_view word : kCommandWords) {
    if (before.starts_with('/') && word.starts_with(before)) out.emplace_back(word);
  }
  return out;
}

bool is_yes(const std::string& answer) {
  return answer == "y" || answer == "Y" || answer == "yes" || answer == "Yes";
}

}  // namespace

Terminal::Terminal(Stop& stop, bool silent)
    : silent_(silent),
      is_interactive_(::isatty(0) == 1 && ::isatty(2) == 1),
      is_edited_(is_interactive_ && ::isatty(1) == 1),
      lines_(is_edited_ ? console::edited_lines(stop, {}, commands_like)
                        : console::plain_lines(stop)) {}

LineEnd Terminal::read(const std::string& prompt, std::string& line) {
  if (is_interactive_ && !is_edited_) std::fputs(prompt.c_str(), stderr);
  const LineEnd end = lines_->read(prompt, line);
  if (line.ends_with('\r')) line.pop_back();
  return end;
}

Said Terminal::confirm(const std::string& text) {
  end_line();
  std::fprintf(stderr, "%s\n", printable_lines(text).c_str());
  if (!is_interactive_) {
    std::fputs("There is no terminal to ask at: no.\n", stderr);
    return Said::no;
  }
  // What was typed before the question was there is no answer to it.
  ::tcflush(0, TCIFLUSH);
  std::string answer;
  switch (read("[y/N] ", answer)) {
    case LineEnd::interrupted:
      return Said::stopped;
    case LineEnd::ended:
      return Said::no;
    case LineEnd::line:
      return is_yes(answer) ? Said::yes : Said::no;
  }
  return Said::no;
}

std::optional<std::string> Terminal::line(const std::string& prompt) {
  std::string out;
  if (!is_interactive_ || read(prompt, out) != LineEnd::line) return std::nullopt;
  return out;
}

void Terminal::say(std::string_view text) {
  if (silent_ || text.empty()) return;
  const std::string shown = printable_lines(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
  is_within_line_ = !shown.ends_with('\n');
}

void Terminal::end_saying() { end_line(); }

void Terminal::print(const std::string& text) {
  end_line();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Terminal::remark(const std::string& text) {
  const std::lock_guard lock(mutex_);
  std::fprintf(stderr, "%s\n", color_.paint(Tint::dim, printable_lines(text), 2).c_str());
}

void Terminal::end_line() {
  if (is_within_line_) std::fputc('\n', stdout);
  std::fflush(stdout);
  is_within_line_ = false;
}

}  // namespace gantry::cli::chat
