// host/http/endpoint/disposition.hpp: the name under which a download is to be kept. Pure.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host::http {

// `attachment; filename="…"` and, where that cannot say the name, `; filename*=UTF-8''…` (RFC 6266,
// RFC 5987). What could lead out of a folder, hide the file or break the header becomes "_"; a name
// is 200 bytes at most, and "download" where none is left.
std::string disposition(std::string_view name);

}  // namespace gantry::host::http
