// tools/gantry/console/lines.hpp: lines of the user, edited on a terminal.
//
// Main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli::console {

enum class LineEnd : std::uint8_t { line, interrupted, ended };

// Words that may stand in the place of the one at the end of `before`, the text up to the cursor.
using Complete = std::function<std::vector<std::string>(std::string_view before)>;

class Lines {
 public:
  virtual ~Lines() = default;
  // The next line without its break. Interrupted: Ctrl-C, or SIGTERM, which `stop` keeps.
  virtual LineEnd read(const std::string& prompt, std::string& line) = 0;
  // Keeps a command for the next start too.
  virtual void remember(const std::string& command) = 0;
};

// From a terminal: with editing, history and Tab. `history` is its file, made if missing with mode
// 0600; empty: none. `stop` must outlive the result.
std::unique_ptr<Lines> edited_lines(Stop& stop, const std::string& history, Complete complete);

// From anything else, without a prompt.
std::unique_ptr<Lines> plain_lines(Stop& stop);

// What Tab adds for the word that ends with `typed`: the rest that all candidates share, and a
// blank behind a single one that is whole.
std::string addition_of(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace gantry::cli::console
