// tools/gantry/chat/terminal.hpp: the terminal of a chat: lines from it, text and remarks to it.
//
// What the model says goes to standard output, all else to standard error. Text of others loses its
// control characters. Remarks any thread, all else main thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tools/gantry/chat/person.hpp"
#include "tools/gantry/console/lines.hpp"
#include "tools/gantry/dev/stop.hpp"
#include "tools/gantry/text/color.hpp"

namespace gantry::cli::chat {

using console::LineEnd;

class Terminal final : public Person {
 public:
  // `silent`: what the model says is not shown. `stop` must outlive it.
  Terminal(Stop& stop, bool silent);

  // The next line without its break. The prompt is shown on a terminal only.
  LineEnd read(const std::string& prompt, std::string& line);
  // Has the arrow keys find a line again.
  void remember(const std::string& line) { lines_->remember(line); }

  Said confirm(const std::string& text) override;
  std::optional<std::string> line(const std::string& prompt) override;
  // Dim.
  void remark(const std::string& text) override;

  // A part of what the model says.
  void say(std::string_view text);
  // Ends the line of what was said.
  void end_saying();
  // Text for standard output as it is, such as a table.
  void print(const std::string& text);

  bool is_interactive() const { return is_interactive_; }

 private:
  void end_line();

  const bool silent_, is_interactive_, is_edited_;
  const Color color_;
  const std::unique_ptr<console::Lines> lines_;
  std::mutex mutex_;
  bool is_within_line_ = false;  // of standard output
};

}  // namespace gantry::cli::chat
