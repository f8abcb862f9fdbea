// host/plugin/guarded.hpp: catches the exceptions of a plugin's step or call.
//
// An exception across the contract is the plugin's fault. Catching it works for plugins in C++ and
// keeps the process alive, but the plugin's state is unknown afterwards. Any thread.
#pragma once

#include <exception>
#include <string>

#include <gantry/abi/status.h>

namespace gantry::host {

// Returns the result of `function`, or GANTRY_FAILED when it threw; then `log` gets a sentence for
// the plugin's author that names `step`.
template <class Function, class Log>
gantry_status guarded(const char* step, Function function, Log log) {
  const auto threw = [&](const std::string& what) {
    log(std::string(step) + " threw " + what +
        " across the contract; catch exceptions inside the plugin");
    return GANTRY_FAILED;
  };
  try {
    return function();
  } catch (const std::exception& error) {
    return threw(std::string("\"") + error.what() + "\"");
  } catch (...) {
    return threw("an exception");
  }
}

}  // namespace gantry::host
