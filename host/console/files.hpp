// host/console/files.hpp: the files of the web console, which are part of the program.
//
// CMake makes the table from host/console/web. A path of a caller is looked up in it and reaches no
// file system. Constants; any thread.
#pragma once

#include <span>
#include <string_view>

namespace gantry::host::console {

struct File {
  std::string_view path;  // as in a request: "/console/app.js"; the page itself is "/"
  std::string_view type;  // its Content-Type
  std::string_view etag;  // quoted, of its bytes
  std::string_view bytes;
};

// Sorted by path.
std::span<const File> files();

// The file of a request's path; null: there is none.
const File* find_file(std::string_view path);

}  // namespace gantry::host::console
