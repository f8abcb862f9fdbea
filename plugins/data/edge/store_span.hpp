// edge/store_span.hpp: tells the host what a call asked the database, if the call is traced.
//
// Construct it before the engine runs, on the same thread. It holds no text of a statement and no
// value of an argument, but the name of a class that the caller may see.
#pragma once

#include <optional>
#include <string_view>

#include <gantry/call.hpp>

#include "errors/error.hpp"
#include "ops/request.hpp"
#include "values/asked.hpp"

namespace gantry::data {

class StoreSpan {
 public:
  // `call` must outlive it.
  explicit StoreSpan(const CallView& call) : call_(call) {
    if (call.property("is_traced") == "true") asked_.emplace();
  }

  // Writes the span; nothing if the database was not asked.
  void give(const Outcome<Reply>& reply) const {
    if (asked_ && asked_->any()) write(reply);
  }

 private:
  void write(const Outcome<Reply>& reply) const;

  const CallView& call_;
  std::optional<Asked> asked_;
};

}  // namespace gantry::data
