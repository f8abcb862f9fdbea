// tools/gantry/text/color.hpp: colours of a terminal.
//
// Declared on the main thread; then any thread.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace gantry::cli {

enum class Tint { none, dim, red, green, yellow };

class Color {
 public:
  // Adds --color to the command.
  static void declare(CLI::App& command, Color& color);

  // The text in that colour where colours are wanted: as --color says, else where `fd` is a
  // terminal, but not with NO_COLOR or TERM=dumb.
  std::string paint(Tint tint, const std::string& text, int fd = 1) const;

 private:
  bool is_wanted(int fd) const;

  std::string when_ = "auto";
};

}  // namespace gantry::cli
