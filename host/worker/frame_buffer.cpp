#include "host/worker/frame_buffer.hpp"

#include <algorithm>
#include <cstring>

namespace gantry::host::worker {
namespace {

constexpr std::size_t kUsual = 64U << 10U;

}  // namespace

FrameBuffer::FrameBuffer()
    : bytes_(std::make_unique_for_overwrite<char[]>(kUsual)), room_(kUsual) {}

FrameBuffer::~FrameBuffer() { ::explicit_bzero(bytes_.get(), used_); }

void FrameBuffer::take_room(std::size_t room) {
  auto other = std::make_unique_for_overwrite<char[]>(room);
  if (end_ > 0) std::memcpy(other.get(), bytes_.get(), end_);
  ::explicit_bzero(bytes_.get(), used_);
  bytes_ = std::move(other);
  room_ = room;
  used_ = end_;
}

std::pair<char*, std::size_t> FrameBuffer::space() {
  if (begin_ > 0) {
    std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  std::size_t wanted = kUsual;
  const auto header = read_header({bytes_.get(), end_});
  if (header && *header) wanted = std::max<std::size_t>(wanted, (*header)->size);
  // A large frame makes it grow at once, and the next small one shrink again.
  if (room_ < wanted || (end_ == 0 && room_ > kUsual)) take_room(wanted);
  return {bytes_.get() + end_, room_ - end_};
}

Result<std::optional<Frame>> FrameBuffer::next() {
  const std::string_view all(bytes_.get() + begin_, end_ - begin_);
  const auto header = read_header(all);
  if (!header) return header.status();
  if (!*header || (*header)->size > all.size()) return std::optional<Frame>{};
  const Frame frame{**header, all.substr(kHeaderSize, (*header)->size - kHeaderSize)};
  begin_ += frame.header.size;
  return std::optional<Frame>{frame};
}

}  // namespace gantry::host::worker
