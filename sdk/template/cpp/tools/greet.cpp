#include "tools/greet.hpp"

namespace greeting {

std::string greet(std::string_view greeting, const GreetArgs& args) {
  std::string text;
  for (int i = 0; i < args.times; ++i) {
    if (i > 0) text += '\n';
    text.append(greeting).append(", ").append(args.name).append("!");
  }
  return text;
}

}  // namespace greeting
