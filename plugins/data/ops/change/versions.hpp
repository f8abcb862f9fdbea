// ops/change/versions.hpp: digests of objects, and the comparison of a write with its dry run.
//
// A version is a digest of an object as one agent reads it by id: of what the agent does not see it
// tells nothing. 32 hexadecimal digits. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct evp_md_ctx_st;

namespace gantry::data {

// The digest of a text that comes in pieces.
class Digest {
 public:
  Digest();
  void add(std::string_view piece);
  std::string hex();  // once

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// Of an object's JSON; empty for an empty text.
std::string version_of(std::string_view object);
// The same of the members that `counts` names.
std::string version_of(std::string_view object,
                       const std::function<bool(std::string_view name)>& counts);

// The members that the write changed to a time near `now_ms`: text of ISO 8601, or a number of
// seconds, milliseconds or days (Julian). Both texts are JSON of one object; near is within the
// widest time zone. A trigger that notes the time of change writes another one each time.
std::vector<std::string> new_times(std::string_view before, std::string_view after,
                                   std::int64_t now_ms);

// What a dry run saw, as opaque text, for the write that follows it.
struct Versions {
  struct Row {
    std::string before, after;  // empty: there is no object
  };
  std::vector<Row> rows;         // of the writes, in order
  std::vector<std::string> ids;  // that were made for new objects

  std::string text() const;
};

// The `meta` of a dry run. `before`, `after`: elements of a JSON array, objects or null.
// `cascades`: a JSON array of the rows that foreign keys change, which are among `rows`.
std::string preview_json(std::size_t rows, std::string_view before, std::string_view after,
                         const Versions& versions, std::string_view cascades = "[]");

// Throws QueryError: the text is none.
Versions read_versions(std::string_view text);

}  // namespace gantry::data
