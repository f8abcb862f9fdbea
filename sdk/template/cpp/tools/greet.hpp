// The tool `hello_cpp_greet`: its arguments and its function, independent of the host.
#pragma once

#include <string>
#include <string_view>

#include <gantry/fields.hpp>

namespace greeting {

struct GreetArgs {
  std::string name;
  int times = 1;

  static constexpr auto fields() {
    return gantry::fields(
        gantry::field("name", &GreetArgs::name, "The person to greet").length(1, 100),
        gantry::field("times", &GreetArgs::times, "How often").between(1, 10).optional());
  }
};

// One line for each time.
std::string greet(std::string_view greeting, const GreetArgs& args);

}  // namespace greeting
