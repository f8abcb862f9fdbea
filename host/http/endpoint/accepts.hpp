// host/http/endpoint/accepts.hpp: the forms of answer that a client accepts.
#pragma once

#include <optional>
#include <string_view>

namespace gantry::host::http {

struct Accepts {
  bool json = true, stream = true;
};

// From the header Accept; without one both are accepted. Weights other than 0 are ignored. Pure;
// any thread.
Accepts read_accept(std::optional<std::string_view> header);

}  // namespace gantry::host::http
