#include "tools/gantry/text/listing.hpp"

#include <utility>

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {

std::string listing_table(const rapidjson::Value& answer, const Listing& listing,
                          std::size_t width) {
  std::vector<std::vector<std::string>> rows{listing.heading};
  for (const auto& one : items(member(answer, listing.member))) {
    auto cells = listing.row(one);
    for (auto& cell : cells) cell = printable(cell);
    rows.push_back(std::move(cells));
  }
  return rows.size() == 1 ? listing.none + "\n" : table(fitted(std::move(rows), width));
}

}  // namespace gantry::cli
