#include "host/console/files.hpp"

#include <algorithm>

namespace gantry::host::console {

const File* find_file(std::string_view path) {
  const auto all = files();
  const auto at =
      std::lower_bound(all.begin(), all.end(), path,
                       [](const File& file, std::string_view p) { return file.path < p; });
  return at != all.end() && at->path == path ? &*at : nullptr;
}

}  // namespace gantry::host::console
