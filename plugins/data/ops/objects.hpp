// ops/objects.hpp: the objects of one class as JSON, whatever stores them: columns of a table or
// documents. The operations of read_ops.hpp stand on it.
//
// Reads the arguments where?, keys?, include? and order? of the request, which must outlive it.
// Everything throws QueryError, also for answers that would be too large. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
  // The objects that the where allows, in the order; reduced to what fits the answer.
  virtual ObjectPage page(std::int64_t limit, std::int64_t skip) = 0;
  virtual std::int64_t count() = 0;
  // The objects with these ids, with Rows::ids; ids of a wrong form have none.
  virtual Rows with_ids(const std::vector<std::string_view>& ids) = 0;
  // Why no object can have the id; empty: one can.
  virtual std::string flaw_of(std::string_view id) const = 0;
  virtual Rows first(std::int64_t limit) = 0;
};

std::unique_ptr<Objects> objects_of(const Request& request, const ClassView& cls);

// The two kinds.
std::unique_ptr<Objects> row_objects(const Request& request, const ClassView& cls);
std::unique_ptr<Objects> document_objects(const Request& request, const ClassView& cls);

}  // namespace gantry::data
