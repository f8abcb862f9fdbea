#include "tools/gantry/host/event_stream.hpp"

namespace gantry::cli {
namespace {

// The text of the data lines of an event.
std::string data_of(std::string_view event) {
  std::string out;
  while (!event.empty()) {
    const std::size_t end = event.find('\n');
    std::string_view line = event.substr(0, end);
    event.remove_prefix(end == event.npos ? event.size() : end + 1);
    if (!line.starts_with("data:")) continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    line.remove_prefix(line.starts_with("data: ") ? 6 : 5);
    if (!out.empty()) out += '\n';
    out += line;
  }
  return out;
}

// The first empty line from `from` on and where it ends; npos: none is complete.
std::size_t end_of_event(std::string_view body, std::size_t from, std::size_t& next) {
  const std::size_t plain = body.find("\n\n", from), crlf = body.find("\n\r\n", from);
  next = plain < crlf ? plain + 2 : crlf + 3;
  return plain < crlf ? plain : crlf;
}

}  // namespace

void EventStream::read(std::string_view body) {
  for (std::size_t next = 0;;) {
    const std::size_t end = end_of_event(body, read_, next);
    if (end == body.npos) return;
    const std::string data = data_of(body.substr(read_, end - read_));
    read_ = next;
    if (!data.empty()) on_event_(data);
  }
}

}  // namespace gantry::cli
