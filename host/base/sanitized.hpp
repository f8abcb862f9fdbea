// host/base/sanitized.hpp: a constant that is true in builds with ASan or TSan.
//
// Their runtimes map terabytes and catch the signals of crashes, so limits of address space and
// handlers of crashes must differ there.
#pragma once

namespace gantry::host {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace gantry::host
