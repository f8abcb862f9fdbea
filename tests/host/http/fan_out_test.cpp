// What many streams hear at once: each its own events, whole and in order, whoever else is slow,
// gone or just ending.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <vector>

#include "fixture.hpp"
#include "host/base/deferred_wakeups.hpp"

namespace gantry::host::http::testing {
namespace {

constexpr std::size_t kStreams = 150;

class FanOut {
 public:
  FanOut() {
    for (std::size_t i = 0; i < kStreams; ++i) {
      clients_.push_back(server_.connect(i == kSlow ? 4096 : 0));
      clients_.back().send(get("/"));
      const auto exchange = kept_.wait(i);
      EXPECT_TRUE(exchange && exchange->open_stream());
      exchanges_.push_back(exchange);
      clients_.back().read_until("\r\n\r\n");
    }
  }
  ~FanOut() {
    exchanges_.clear();
    kept_.forget();
  }

  static constexpr std::size_t kSlow = 7;
  static std::string event(std::size_t stream, int number, std::size_t size = 20) {
    std::string text = "data: " + std::to_string(stream) + "." + std::to_string(number) + " ";
    return text.append(size, 'x') + "\n\n";
  }
  // To everyone at once; false for those who are not there any more.
  std::vector<bool> write(int number, std::size_t size = 20, std::size_t slow_size = 20) {
    const DeferredWakeups scope;
    std::vector<bool> taken;
    for (std::size_t i = 0; i < kStreams; ++i)
      taken.push_back(exchanges_[i]->write(event(i, number, i == kSlow ? slow_size : size)));
    return taken;
  }
  Client& client(std::size_t i) { return clients_[i]; }
  Exchange& exchange(std::size_t i) { return *exchanges_[i]; }
  Server& server() { return *server_; }

 private:
  Kept kept_;
  TestServer server_{kept_.keeper()};
  std::vector<Client> clients_;
  std::vector<std::shared_ptr<Exchange>> exchanges_;
};

std::string chunk(const std::string& event) {
  std::array<char, 20> size{};
  std::snprintf(size.data(), size.size(), "%zx\r\n", event.size());
  return size.data() + event + "\r\n";
}

TEST(FanOut, EveryStreamHearsItsOwnInOrder) {
  FanOut all;
  for (int number = 0; number < 20; ++number) all.write(number);
  for (std::size_t i = 0; i < kStreams; ++i) {
    for (int number = 0; number < 20; ++number) {
      const auto wanted = chunk(FanOut::event(i, number));
      ASSERT_EQ(all.client(i).read_until(" " + std::string(20, 'x') + "\n\n\r\n"), wanted);
    }
  }
}

TEST(FanOut, AReaderThatIsSlowGetsAllOfItLater) {
  FanOut all;
  constexpr std::size_t kBig = 4000;
  int events = 0, behind = 0;
  for (; behind < 20 && events < 3000; ++events) {  // until its sockets are full, and some more
    all.write(events, 20, kBig);
    ASSERT_EQ(all.client(0).read_until("x\n\n\r\n"), chunk(FanOut::event(0, events)));
    behind += all.exchange(FanOut::kSlow).backlog() > 0;
  }
  EXPECT_EQ(behind, 20);
  for (std::size_t i = 1; i < kStreams; ++i) {
    const std::size_t size = i == FanOut::kSlow ? kBig : 20;
    std::string wanted;
    for (int number = 0; number < events; ++number) wanted += chunk(FanOut::event(i, number, size));
    ASSERT_TRUE(all.client(i).read_until(chunk(FanOut::event(i, events - 1, size))) == wanted) << i;
  }
}

TEST(FanOut, OnesThatAreGoneCostTheOthersNothing) {
  FanOut all;
  for (std::size_t i = 0; i < kStreams; i += 3) all.client(i).reset();
  all.write(1);
  all.write(2);
  for (std::size_t i = 0; i < kStreams; ++i) {
    if (i % 3 == 0) continue;
    ASSERT_EQ(all.client(i).read_until("x\n\n\r\n"), chunk(FanOut::event(i, 1)));
    ASSERT_EQ(all.client(i).read_until("x\n\n\r\n"), chunk(FanOut::event(i, 2)));
  }
  EXPECT_TRUE(eventually(
      [&] { return all.server().counters().connections == kStreams - (kStreams + 2) / 3; }));
}

TEST(FanOut, AnEndBehindAnEventComesAfterIt) {
  FanOut all;
  {
    const DeferredWakeups scope;
    all.write(1);
    for (std::size_t i = 0; i < kStreams; i += 2) all.exchange(i).close();
  }
  for (std::size_t i = 0; i < kStreams; ++i) {
    ASSERT_EQ(all.client(i).read_until("x\n\n\r\n"), chunk(FanOut::event(i, 1)));
    if (i % 2 == 0) {
      ASSERT_EQ(all.client(i).read_until("0\r\n\r\n"), "0\r\n\r\n");
    }
  }
  const auto taken = all.write(2);
  for (std::size_t i = 0; i < kStreams; ++i) EXPECT_EQ(taken[i], i % 2 == 1);
}

}  // namespace
}  // namespace gantry::host::http::testing
