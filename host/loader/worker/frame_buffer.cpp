#include "host/loader/worker/frame_buffer.hpp"

#include <algorithm>

namespace gantry::host::worker {
namespace {

constexpr std::size_t kUsual = 64U << 10U;

}  // namespace

FrameBuffer::FrameBuffer() : bytes_(kUsual, '\0') {}

FrameBuffer::~FrameBuffer() { ::explicit_bzero(bytes_.data(), bytes_.size()); }

std::pair<char*, std::size_t> FrameBuffer::space() {
  if (begin_ > 0) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  std::size_t wanted = kUsual;
  const auto header = read_header({bytes_.data(), end_});
  if (header && *header) wanted = std::max<std::size_t>(wanted, (*header)->size);
  // A large frame makes it grow at once, and the next small one shrink again.
  if (bytes_.size() < wanted || (end_ == 0 && bytes_.size() > kUsual)) {
    std::string other(wanted, '\0');
    std::memcpy(other.data(), bytes_.data(), end_);
    ::explicit_bzero(bytes_.data(), bytes_.size());
    bytes_.swap(other);
  }
  return {bytes_.data() + end_, bytes_.size() - end_};
}

Result<std::optional<Frame>> FrameBuffer::next() {
  const std::string_view all(bytes_.data() + begin_, end_ - begin_);
  const auto header = read_header(all);
  if (!header) return header.status();
  if (!*header || (*header)->size > all.size()) return std::optional<Frame>{};
  const Frame frame{**header, all.substr(kHeaderSize, (*header)->size - kHeaderSize)};
  begin_ += frame.header.size;
  return std::optional<Frame>{frame};
}

}  // namespace gantry::host::worker
