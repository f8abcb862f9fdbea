// host/base/sanitized.hpp: true in builds with ASan or TSan, whose runtimes map terabytes and catch
// the signals of crashes.
#pragma once

namespace gantry::host {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace gantry::host
