// Frames as both ends write and read them, and what a stranger may send instead.
#include <gtest/gtest.h>

#include <random>

#include "host/worker/frame_buffer.hpp"
#include "host/worker/messages.hpp"

namespace gantry::host::worker {
namespace {

void feed(FrameBuffer& buffer, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto [to, room] = buffer.space();
    const std::size_t taken = std::min(room, bytes.size());
    std::memcpy(to, bytes.data(), taken);
    buffer.added(taken);
    bytes.remove_prefix(taken);
  }
}

std::string entry_frame() {
  Entry entry;
  entry.kind = "tool";
  entry.name = "echo";
  entry.arguments = R"({"text":"hello"})";
  entry.deadline = 12345;
  entry.agent = R"({"name":"a"})";
  entry.protocol = "2026-07-28";
  entry.max_answer_bytes = "4194304";
  entry.room = 4U << 20U;
  FrameWriter frame(FrameType::invoke, 77);
  entry.put_into(frame);
  return frame.bytes();
}

TEST(Wire, NumbersAndTextsComeBackInOrder) {
  FrameWriter frame(FrameType::progress, 5, 6);
  frame.number(1.5).number(std::int32_t{-3}).text("").text("note");
  FrameBuffer buffer;
  feed(buffer, frame.bytes());
  const auto next = buffer.next();
  ASSERT_TRUE(next && *next);
  EXPECT_EQ((*next)->header.call, 5U);
  EXPECT_EQ((*next)->header.request, 6U);
  BodyReader body((*next)->body);
  EXPECT_EQ(body.number<double>(), 1.5);
  EXPECT_EQ(body.number<std::int32_t>(), -3);
  EXPECT_EQ(body.text(), "");
  EXPECT_EQ(body.text(), "note");
  EXPECT_TRUE(body.complete());
}

TEST(Wire, ReadingBeyondTheBodyGivesNothingFromThenOn) {
  BodyReader body(std::string_view("\x05\0\0\0ab", 6));
  EXPECT_EQ(body.text(), "");
  EXPECT_FALSE(body.ok());
  EXPECT_EQ(body.number<std::uint8_t>(), 0);
  EXPECT_FALSE(body.complete());
}

TEST(Wire, BodyWithSomethingLeftIsNotComplete) {
  BodyReader body("abcd");
  body.number<std::uint8_t>();
  EXPECT_TRUE(body.ok());
  EXPECT_FALSE(body.complete());
}

TEST(Wire, EntryComesBack) {
  const std::string bytes = entry_frame();
  const auto entry = Entry::from(std::string_view(bytes).substr(kHeaderSize));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->name, "echo");
  EXPECT_EQ(entry->arguments, R"({"text":"hello"})");
  EXPECT_EQ(entry->deadline, 12345U);
  EXPECT_EQ(entry->room, 4U << 20U);
}

TEST(Wire, SetupComesBack) {
  FrameWriter frame(FrameType::create);
  const worker::Setup given{R"({"a":1})", {"gantry.call/1", "gantry.input/1"}};
  given.put_into(frame);
  const auto setup = worker::Setup::from(std::string_view(frame.bytes()).substr(kHeaderSize));
  ASSERT_TRUE(setup);
  EXPECT_EQ(setup->config, R"({"a":1})");
  EXPECT_EQ(setup->services.size(), 2U);
}

TEST(Wire, FramesThatComeInPiecesAreWhole) {
  const std::string bytes = entry_frame() + entry_frame();
  for (std::size_t piece : {1U, 7U, 23U, 24U, 25U, 100U}) {
    FrameBuffer buffer;
    int frames = 0;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      feed(buffer, std::string_view(bytes).substr(at, piece));
      for (;;) {
        const auto next = buffer.next();
        ASSERT_TRUE(next);
        if (!*next) break;
        EXPECT_EQ((*next)->body.size(), entry_frame().size() - kHeaderSize);
        ++frames;
      }
    }
    EXPECT_EQ(frames, 2) << piece;
  }
}

TEST(Wire, LargeFrameIsWholeAndTheNextSmallOneToo) {
  FrameWriter large(FrameType::write, 1);
  large.text(std::string(5U << 20U, 'x'));
  FrameBuffer buffer;
  for (const std::string& bytes : {large.bytes(), entry_frame()}) {
    feed(buffer, bytes);
    const auto next = buffer.next();
    ASSERT_TRUE(next && *next);
    EXPECT_EQ((*next)->header.size, bytes.size());
  }
}

TEST(Wire, RestOfALargeFrameStaysWhenTheBufferGrows) {
  FrameWriter large(FrameType::write, 1);
  large.text(std::string(100'000, 'x'));
  FrameBuffer buffer;
  feed(buffer, entry_frame() + large.bytes().substr(0, 50));
  const auto first = buffer.next();
  ASSERT_TRUE(first && *first);
  feed(buffer, large.bytes().substr(50));
  const auto next = buffer.next();
  ASSERT_TRUE(next && *next);
  EXPECT_EQ((*next)->body, std::string_view(large.bytes()).substr(kHeaderSize));
}

TEST(Wire, FrameThatIsTooLargeOrTooSmallIsNone) {
  for (const std::uint32_t size : {0U, 23U, static_cast<std::uint32_t>(kMaxFrame) + 1, ~0U}) {
    std::string bytes = entry_frame();
    std::memcpy(bytes.data(), &size, sizeof size);
    EXPECT_FALSE(read_header(bytes)) << size;
  }
}

TEST(Wire, UnknownTypesAndFlagsAreRefused) {
  for (const std::uint16_t type : std::initializer_list<std::uint16_t>{0, 9, 63, 80, 65535}) {
    std::string bytes = entry_frame();
    std::memcpy(bytes.data() + 4, &type, sizeof type);
    EXPECT_FALSE(read_header(bytes)) << type;
  }
  std::string flagged = entry_frame();
  flagged[6] = 1;
  EXPECT_FALSE(read_header(flagged));
}

TEST(Wire, PartsToTheEndOrNone) {
  std::string fields;
  append_text(fields, "json");
  append_text(fields, "{}");
  BodyReader whole(fields);
  const auto parts = parts_from(whole);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->size(), 1U);
  fields.pop_back();
  BodyReader cut(fields);
  EXPECT_FALSE(parts_from(cut));
}

// Whatever is sent, nothing is read that is not there (the sanitizers look) and nothing loops.
TEST(Wire, MutatedBytesNeverReadBeyondTheirEnd) {
  std::mt19937 random(4711);
  const std::string good = entry_frame() + entry_frame() + entry_frame();
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    for (int change = 0; change < 4; ++change) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    bytes.resize(random() % (bytes.size() + 1));
    FrameBuffer buffer;
    feed(buffer, bytes);
    for (;;) {
      const auto next = buffer.next();
      if (!next || !*next) break;
      EXPECT_LE((*next)->body.size(), bytes.size());
      const auto entry = Entry::from((*next)->body);
      if (entry) {
        EXPECT_LE(entry->arguments.size(), (*next)->body.size());
      }
      const auto setup = worker::Setup::from((*next)->body);
      if (setup) {
        EXPECT_LE(setup->config.size(), (*next)->body.size());
      }
      BodyReader body((*next)->body);
      parts_from(body);
    }
  }
}

}  // namespace
}  // namespace gantry::host::worker
