// host/trust/small_file.hpp: the text of a small regular file, without ever waiting for one
// that is a pipe. Any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <gantry/result.hpp>

namespace gantry::host::trust {

// GANTRY_NOT_FOUND, GANTRY_TOO_BIG beyond `most` bytes; sentences.
Result<std::string> read_small_file(const std::filesystem::path& file, std::size_t most);

}  // namespace gantry::host::trust
