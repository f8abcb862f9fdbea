// host/http/endpoint/accepts.hpp: the forms of an answer that a client takes.
#pragma once

#include <optional>
#include <string_view>

namespace gantry::host::http {

struct Accepts {
  bool json = true, stream = true;
};

// From the header Accept; without one everything is taken. Weights other than 0 make no
// difference. Pure; any thread.
Accepts read_accept(std::optional<std::string_view> header);

}  // namespace gantry::host::http
