#include "host/worker/wire.hpp"

namespace gantry::host::worker {
namespace {

constexpr std::size_t kTypeAt = 4, kFlagsAt = 6, kCallAt = 8, kRequestAt = 16;

template <class Number>
Number at(std::string_view bytes, std::size_t offset) {
  Number value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool is_known(std::uint16_t type) {
  const auto within = [type](FrameType first, FrameType last) {
    return type >= static_cast<std::uint16_t>(first) && type <= static_cast<std::uint16_t>(last);
  };
  return within(FrameType::create, FrameType::nested_done) ||
         within(FrameType::done, FrameType::nested);
}

}  // namespace

FrameWriter::FrameWriter(FrameType type, std::uint64_t call, std::uint64_t request) {
  number(std::uint32_t{0}).number(static_cast<std::uint16_t>(type)).number(std::uint16_t{0});
  number(call).number(request);
}

FrameWriter& FrameWriter::text(std::string_view value) {
  append_text(bytes_, value);
  return *this;
}

std::string& FrameWriter::bytes() {
  const auto size = static_cast<std::uint32_t>(bytes_.size());
  std::memcpy(bytes_.data(), &size, sizeof size);
  return bytes_;
}

void append_text(std::string& to, std::string_view value) {
  const auto size = static_cast<std::uint32_t>(value.size());
  to.append(reinterpret_cast<const char*>(&size), sizeof size).append(value);
}

std::string_view BodyReader::take(std::size_t size) {
  if (!ok_ || size > rest_.size()) {
    ok_ = false;
    return {};
  }
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

Result<std::optional<Header>> read_header(std::string_view bytes) {
  if (bytes.size() < kHeaderSize) return std::optional<Header>{};
  Header header;
  header.size = at<std::uint32_t>(bytes, 0);
  const auto type = at<std::uint16_t>(bytes, kTypeAt);
  if (header.size < kHeaderSize || header.size > kMaxFrame) {
    return Status::invalid("a frame of " + std::to_string(header.size) + " bytes");
  }
  if (!is_known(type) || at<std::uint16_t>(bytes, kFlagsAt) != 0) {
    return Status::invalid("a frame of the unknown type " + std::to_string(type));
  }
  header.type = static_cast<FrameType>(type);
  header.call = at<std::uint64_t>(bytes, kCallAt);
  header.request = at<std::uint64_t>(bytes, kRequestAt);
  return std::optional<Header>{header};
}

}  // namespace gantry::host::worker
