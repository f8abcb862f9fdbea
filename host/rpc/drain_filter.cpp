#include "host/rpc/drain_filter.hpp"

#include <algorithm>

namespace gantry::host::rpc {
namespace {

bool element_continues(std::string_view text) {
  Message message(text);
  const bool whole = !text.empty() && !message.parse() && message.kind() != Message::Kind::batch;
  return whole && accepted_while_draining(message);
}

}  // namespace

bool accepted_while_draining(const Message& message) {
  switch (message.kind()) {
    case Message::Kind::response:
    case Message::Kind::notification:
      return true;
    case Message::Kind::batch:
      return std::all_of(message.elements().begin(), message.elements().end(), element_continues);
    case Message::Kind::request:
      break;
  }
  return message.method().starts_with("tasks/") || message.param("requestState") != nullptr ||
         message.param("inputResponses") != nullptr;
}

}  // namespace gantry::host::rpc
