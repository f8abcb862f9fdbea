// host/rpc/message/classify.hpp: finds the era of a message and checks its headers against it.
//
// Pure functions; any thread.
#pragma once

#include <optional>

#include "host/rpc/message/era.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/message/headers.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

// The error for a modern request whose envelope is missing or incomplete.
Error missing_envelope();

inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kClientInfoKey = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";

struct Classified {
  Era era = Era::legacy;
  std::optional<Error> error;
};

// Classifies a request or notification received by HTTP. The first of several errors counts, in the
// order of the protocol's implementations: envelope, headers that differ, version, missing headers,
// name. A notification has no error: no header rules exist for notifications.
Classified classify_http(const Message& message, const Headers& headers);

// Checks the modern envelope in params._meta; returns an error or nothing. The version it names is
// checked by check_version().
std::optional<Error> check_envelope(const Message& message);
std::optional<Error> check_version(const Message& message);

// The message carries a modern envelope, good or bad.
inline bool has_envelope(const Message& message) { return message.meta(kVersionKey) != nullptr; }

}  // namespace gantry::host::rpc
