// host/http/wire.hpp (private): response heads as bytes. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/http/exchange.hpp"

namespace gantry::host::http {

enum class Framing { length, chunked, until_close };

struct ReplyHead {
  int status = 200;
  std::string_view content_type;
  Framing framing = Framing::length;
  std::uint64_t length = 0;
  bool keep = true;       // the connection goes on after this answer
  int request_minor = 1;  // of the request answered
  bool stream = false;    // adds the headers of an event stream
};

// 204 and 304 have neither a body nor its length.
bool has_body(int status);

// Names must be tokens, values without control characters (tab allowed).
bool is_sendable(Headers headers, std::string_view content_type);

// Appends status line, headers and the empty line to `out`. Headers must be sendable.
void append_head(std::string& out, const ReplyHead& head, Headers extra);

// "1f\r\n": the line before a chunk of that size, which must not be 0.
std::string chunk_line(std::size_t size);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace gantry::host::http
