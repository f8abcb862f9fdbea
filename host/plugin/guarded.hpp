// host/plugin/guarded.hpp: a step of a plugin's life, or a call, whose exceptions end here.
//
// An exception across the contract is the plugin's fault. Catching it works for plugins in C++ and
// keeps the process alive, but what the plugin left behind is unknown. Any thread.
#pragma once

#include <exception>
#include <string>

#include <gantry/abi/status.h>

namespace gantry::host {

// What `function` gives, or GANTRY_FAILED when it threw; then `log` gets a sentence for the
// plugin's author that names `step`.
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
