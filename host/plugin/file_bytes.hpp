// host/plugin/file_bytes.hpp: a file as bytes. Any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::host {

// The whole of a regular file of at most 256 MiB. Errors are sentences that say what to do.
Result<std::string> read_file_bytes(const std::filesystem::path& file);
// The same in pieces of at most 64 KiB, in order. An error of `take` ends it and is returned.
Status read_file_pieces(const std::filesystem::path& file,
                        const std::function<Status(std::string_view)>& take);

}  // namespace gantry::host
