// core/samples.hpp: a minimal valid picture and sound.
#pragma once

#include <cstddef>
#include <string_view>

namespace conformance {

// A PNG of one red pixel.
std::string_view png();
// A WAV of eight silent samples, 8 kHz, mono, 8 bits.
std::string_view wav();

}  // namespace conformance
