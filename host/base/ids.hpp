// host/base/ids.hpp: random identifiers that cannot be guessed.
//
// Any thread.
#pragma once

#include <cstddef>
#include <string>

namespace gantry::host {

// `bytes` bytes from the kernel's random source as lower-case hex. Aborts when the kernel has none:
// an id that can be guessed is worse than no service.
std::string random_hex(std::size_t bytes);

}  // namespace gantry::host
