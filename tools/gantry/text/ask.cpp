#include "tools/gantry/text/ask.hpp"

#include <iostream>

namespace gantry::cli {

bool confirmed(const std::string& question, std::FILE* out) {
  std::fputs(question.c_str(), out);
  std::fflush(out);
  std::string line;
  return std::getline(std::cin, line) && (line == "y" || line == "yes");
}

}  // namespace gantry::cli
