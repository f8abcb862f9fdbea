// tools/gantry/chat/person.hpp: questions to the user of the chat.
//
// Main thread, if nothing else is said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gantry::cli::chat {

// stopped: the user pressed Ctrl-C.
enum class Said : std::uint8_t { yes, no, stopped };

class Person {
 public:
  virtual ~Person() = default;
  // Shows `text`, which may have several lines, and asks "[y/N]". Without a terminal: no. What was
  // typed before does not count.
  virtual Said confirm(const std::string& text) = 0;
  // A line; nothing: the user stopped, or there is no terminal.
  virtual std::optional<std::string> line(const std::string& prompt) = 0;
  // Shows a line beside the conversation. Any thread.
  virtual void remark(const std::string& text) = 0;
};

}  // namespace gantry::cli::chat
