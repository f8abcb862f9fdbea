// ops/objects.hpp: the objects of a read as JSON, whatever stores them: columns of a table or
// documents. The operations of read_ops.hpp stand on it.
//
// The request and the read must outlive it. Everything throws QueryError, also for answers that
// would be too large. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ops/page.hpp"
#include "ops/request.hpp"
#include "ops/row_reader.hpp"

namespace gantry::data {

struct ObjectPage {
  Fitted fitted;
  bool has_more = false;  // objects beyond these
};

class Objects {
 public:
  virtual ~Objects() = default;
  // The first `limit` objects, reduced to what fits the answer. The read's own limit is larger.
  virtual ObjectPage page(std::size_t limit) = 0;
  // All objects; with Rows::ids for a read by ids.
  virtual Rows all() = 0;
  // The member of the answer that names what included objects leave out, see
  // include_narrowing.hpp; empty: nothing. After page() or all().
  virtual std::string truncated_includes() const = 0;
  // The place in `ids`, which are Rows::ids, of the object that the caller names otherwise than
  // they do, see SameIds in object_id.hpp; empty: it has none.
  virtual std::optional<std::size_t> place_of(std::string_view id,
                                              std::span<const std::string> ids) const = 0;
  // Why no object can have the id; empty: one can.
  virtual std::string flaw_of(std::string_view id) const = 0;
};

std::unique_ptr<Objects> objects_of(const Request& request, const Read& read);

// The two kinds.
std::unique_ptr<Objects> row_objects(const Request& request, const Read& read);
std::unique_ptr<Objects> document_objects(const Request& request, const Read& read);

}  // namespace gantry::data
