// host/rpc/continues.hpp: what is still taken while a server ends.
#pragma once

#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

// The message, parsed without error, belongs to work that has begun, so that this may end: answers
// to what the server asked, notifications, a retry that brings input, whatever is about a task, and
// batches of such alone. Whether that work exists is for its own method to say. Any thread.
bool continues_work(const Message& message);

}  // namespace gantry::host::rpc
