#include "host/rpc/message/batch.hpp"
#include "host/rpc/message/classify.hpp"

namespace gantry::host::rpc {

std::optional<Error> check_batch(const Message& batch) {
  if (batch.elements().size() > kMaxBatch) {
    return Error::invalid_request("A batch may hold at most " + std::to_string(kMaxBatch) +
                                  " messages");
  }
  for (const auto text : batch.elements()) {
    Message message(text);
    if (!text.empty() && !message.parse() && has_envelope(message)) {
      return Error::invalid_request("Revision " + std::string(kModernRevision) + " has no batches");
    }
  }
  return std::nullopt;
}

}  // namespace gantry::host::rpc
