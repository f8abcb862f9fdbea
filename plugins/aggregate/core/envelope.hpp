// core/envelope.hpp: what the aggregate tools write around the data engine's answer.
#pragma once

#include <gantry/data.hpp>

#include <string_view>

namespace aggregate {

// Answers `call` with {class_name?, ROWS_NAME: rows, …meta}, rows passed through unread. A call
// with dry_run has no rows. Arguments go to the operation as they came. Fails the call as the
// operation failed.
void answer(const gantry::Data& data, gantry::Call& call, std::string_view op,
            std::string_view rows_name);

}  // namespace aggregate
