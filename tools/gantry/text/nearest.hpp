// tools/gantry/text/nearest.hpp: corrections of misspelt names.
//
// Pure functions.
#pragma once

#include <string>
#include <vector>

namespace gantry::cli {

// The nearest of `names`, as the end of a sentence: "; did you mean 'x'?". Empty if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

}  // namespace gantry::cli
