// host/plugin/file_bytes.hpp: a file as bytes, and their hash. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::host {

// The whole of a regular file of at most 256 MiB. Errors are sentences that say what to do.
Result<std::string> read_file_bytes(const std::filesystem::path& file);

// Lower-case hex.
std::string sha256_hex(std::string_view bytes);

}  // namespace gantry::host
