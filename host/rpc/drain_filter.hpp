// host/rpc/drain_filter.hpp: decides which messages are accepted while the server drains.
#pragma once

#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

// True if the message, parsed without error, lets running work finish: responses, notifications, a
// retry that carries input, task methods, and batches of only these. It does not check whether that
// work exists; the method does. Any thread.
bool accepted_while_draining(const Message& message);

}  // namespace gantry::host::rpc
