// host/rpc/message/envelope.hpp: the beginning of every JSON-RPC 2.0 message that the server
// writes.
//
// Each function returns an open JSON object; the caller appends the rest and the closing brace.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry::host::rpc {

// {"jsonrpc":"2.0","id":ID,"MEMBER":  with `member` "result" or "error". `id` is JSON text.
// Reserves memory for `room` more bytes.
std::string response_head(std::string_view id, std::string_view member, std::size_t room = 0);

// {"jsonrpc":"2.0","id":ID,"result":RESULT}  where RESULT is a whole JSON value.
std::string result_message(std::string_view id, std::string_view result);

// {"jsonrpc":"2.0","id":ID,"method":"METHOD"  `id` is JSON text; both methods are escaped.
std::string request_head(std::string_view id, std::string_view method);

// {"jsonrpc":"2.0","method":"METHOD"
std::string notification_head(std::string_view method);

// notifications/cancelled for the request `id` (JSON text); an empty `reason` is left out.
std::string cancelled_message(std::string_view id, std::string_view reason);

}  // namespace gantry::host::rpc
