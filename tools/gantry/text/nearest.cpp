#include "tools/gantry/text/nearest.hpp"

#include <gantry/schema/nearest.hpp>

namespace gantry::cli {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const auto found = schema::nearest(word, std::span<const std::string>(names));
  return found ? "; did you mean '" + std::string(*found) + "'?" : std::string();
}

}  // namespace gantry::cli
