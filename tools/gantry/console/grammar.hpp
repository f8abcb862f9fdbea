// tools/gantry/console/grammar.hpp: lines of the console as words.
//
// Blanks separate words, but not within quotes or brackets. 'x' and "x" at the begin of a word or
// after its = are the text between the quotes; within brackets the text is JSON and stays as it is.
// Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::cli::console {

// True while a bracket or a quote of the text is open, so that the next line continues it.
bool is_open(std::string_view text);

// The words; of an open one, what there is.
std::vector<std::string> words_of(std::string_view text);

}  // namespace gantry::cli::console
