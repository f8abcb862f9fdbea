// host/http/endpoint/disposition.hpp: the file name of a download, as a header. Pure.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host::http {

// `attachment; filename="…"` and, for a name that is not ASCII, `; filename*=UTF-8''…` (RFC 6266,
// RFC 5987). Characters that could lead out of a folder, hide the file or break the header become
// "_"; a name is 200 bytes at most, and "download" if it would be empty.
std::string disposition(std::string_view name);

}  // namespace gantry::host::http
