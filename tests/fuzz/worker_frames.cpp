// Fuzzes the frames that a worker process sends, in pieces as a socket gives them. The first byte
// of an input is the size of the pieces.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "host/worker/frame_buffer.hpp"
#include "host/worker/messages.hpp"
#include "require.hpp"

namespace gantry::fuzz {
namespace {

using namespace host::worker;

template <class Message>
void check_message(std::string_view body, FrameType type) {
  const auto message = Message::from(body);
  if (!message) return;
  FrameWriter again(type);
  message->put_into(again);
  require(again.bytes().substr(kHeaderSize) == body, "a body that can be read is written the same");
}

void check_parts(std::string_view body) {
  BodyReader reader(body);
  const auto parts = parts_from(reader);
  if (!parts) return;
  std::string again;
  for (const auto& [type, text] : *parts) {
    append_text(again, type);
    append_text(again, text);
  }
  require(again == body, "parts that can be read are written the same");
}

// False when the bytes are no frames any more.
bool take_frames(FrameBuffer& buffer) {
  for (;;) {
    const auto next = buffer.next();
    if (!next) return false;
    if (!*next) return true;
    const Frame& frame = **next;
    require(frame.header.size == kHeaderSize + frame.body.size(), "a frame is as long as it says");
    require(frame.header.size <= kMaxFrame, "no frame is larger than allowed");
    check_message<Entry>(frame.body, FrameType::invoke);
    check_message<Setup>(frame.body, FrameType::create);
    check_parts(frame.body);
  }
}

void check(std::string_view input) {
  if (input.empty()) return;
  const std::size_t piece = 1U + static_cast<unsigned char>(input.front());
  input.remove_prefix(1);
  FrameBuffer buffer;
  while (!input.empty()) {
    const auto [to, room] = buffer.space();
    const std::size_t taken = std::min({room, piece, input.size()});
    require(taken > 0, "there is always room for more");
    std::memcpy(to, input.data(), taken);
    buffer.added(taken);
    input.remove_prefix(taken);
    if (!take_frames(buffer)) return;
  }
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gantry::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
