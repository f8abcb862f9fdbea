#include "host/control/server.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <future>

#include <gtest/gtest.h>

#include "tests/host/control/scratch.hpp"
#include "tests/host/rpc/admin/fake.hpp"

namespace gantry::host::control {
namespace {

using namespace std::chrono_literals;

class Client {
 public:
  explicit Client(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size());
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  ssize_t send(const std::string& text) {
    return ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  // The next line without its end; "closed" or "nothing in 5 s" when there is none.
  std::string line() {
    for (;;) {
      const auto end = seen_.find('\n');
      if (end != std::string::npos) {
        const std::string out = seen_.substr(0, end);
        seen_.erase(0, end + 1);
        return out;
      }
      pollfd ready{fd_, POLLIN, 0};
      if (::poll(&ready, 1, 5000) <= 0) return "nothing in 5 s";
      char chunk[4096];
      const ssize_t got = ::recv(fd_, chunk, sizeof chunk, 0);
      if (got <= 0) return "closed";
      seen_.append(chunk, static_cast<std::size_t>(got));
    }
  }
  std::string ask(const std::string& text) {
    send(text + "\n");
    return line();
  }

 private:
  const int fd_;
  std::string seen_;
};

constexpr const char* kList = R"({"jsonrpc":"2.0","id":1,"method":"plugin.list"})";
const std::string kListed = R"({"jsonrpc":"2.0","id":1,"result":{"plugins":[{"name":"alpha")";

struct ControlServerTest : testing::Test {
  void start(const ServerLimits& limits = {}) {
    auto started = Server::start(path, commands, log, limits);
    ASSERT_TRUE(started) << started.message();
    server = std::move(*started);
  }
  bool lists() { return Client(path).ask(kList).starts_with(kListed); }

  const Scratch scratch;
  const std::string path = scratch / "c.sock";
  FakePlugins plugins;
  Log log{{.level = Level::off}};
  rpc::AdminCommands commands{plugins, log, {}};
  std::unique_ptr<Server> server;
};

TEST_F(ControlServerTest, AnswersOneLineWithOne) {
  start();
  Client client(path);
  EXPECT_TRUE(client.ask(kList).starts_with(kListed));
  EXPECT_EQ(client.ask(
                R"({"jsonrpc":"2.0","id":"x","method":"plugin.unload","params":{"name":"alpha"}})"),
            R"({"jsonrpc":"2.0","id":"x","result":{"plugins":[]}})");
  EXPECT_EQ(plugins.asked(), std::vector<std::string>{"unload alpha"});
}

TEST_F(ControlServerTest, TakesLinesInPiecesAndSeveralAtOnce) {
  start();
  Client client(path);
  const std::string both = std::string(kList) + "\n\n" + kList + "\n";
  for (const char c : both) ASSERT_EQ(client.send({c}), 1);
  EXPECT_TRUE(client.line().starts_with(kListed));
  EXPECT_TRUE(client.line().starts_with(kListed));
}

TEST_F(ControlServerTest, AnswersGarbageWithASentenceAndGoesOn) {
  start();
  Client client(path);
  EXPECT_NE(client.ask("GET / HTTP/1.1").find("-32700"), std::string::npos);
  EXPECT_NE(client.ask("[]").find("-32600"), std::string::npos);
  EXPECT_NE(client.ask("7").find("-32600"), std::string::npos);
  EXPECT_NE(client.ask("\xff\xfe").find("-32700"), std::string::npos);
  EXPECT_NE(client.ask("[" + std::string(kList) + "]").find("one request a line"),
            std::string::npos);
  EXPECT_NE(client.ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/call"})").find("-32601"),
            std::string::npos);
  EXPECT_NE(client.ask(R"({"jsonrpc":"2.0","id":2,"method":"plugin.info"})").find("'name'"),
            std::string::npos);
  EXPECT_TRUE(client.ask(kList).starts_with(kListed));
}

TEST_F(ControlServerTest, AnswersNoNotification) {
  start();
  Client client(path);
  client.send("{\"jsonrpc\":\"2.0\",\"method\":\"plugin.reload\"}\n");
  EXPECT_TRUE(client.ask(kList).starts_with(kListed));
  EXPECT_TRUE(plugins.asked().empty());
}

TEST_F(ControlServerTest, EndsAClientThatSendsTooLongALine) {
  start({.line_bytes = 1000});
  Client client(path);
  client.send(std::string(5000, ' '));
  EXPECT_NE(client.line().find("at most 1000 bytes"), std::string::npos);
  EXPECT_EQ(client.line(), "closed");
  EXPECT_TRUE(lists());
}

TEST_F(ControlServerTest, EndsAClientThatSaysNothing) {
  start({.idle = 50ms});
  Client client(path), dripping(path);
  dripping.send("{");
  EXPECT_EQ(client.line(), "closed");
  EXPECT_EQ(dripping.line(), "closed");
  EXPECT_TRUE(lists());
}

TEST_F(ControlServerTest, EndsAClientThatTakesNoAnswer) {
  start({.write = 50ms});
  Client deaf(path);
  std::string many;
  for (int i = 0; i < 100; ++i) many += std::string(kList) + "\n";
  // Until the socket's buffers are full in both directions.
  for (int i = 0; i < 200 && deaf.send(many) > 0; ++i) {
  }
  EXPECT_TRUE(lists());
}

TEST_F(ControlServerTest, RefusesOneClientTooManyAndServesTheOthers) {
  start({.clients = 2});
  {
    Client a(path), b(path);
    EXPECT_TRUE(a.ask(kList).starts_with(kListed));
    EXPECT_TRUE(b.ask(kList).starts_with(kListed));
    Client c(path);
    EXPECT_NE(c.line().find("server busy"), std::string::npos);
    EXPECT_EQ(c.line(), "closed");
    EXPECT_TRUE(a.ask(kList).starts_with(kListed));
  }
  // A client that disconnects frees its place.
  bool served = false;
  for (int i = 0; i < 100 && !served; ++i) {
    served = lists();
    if (!served) std::this_thread::sleep_for(10ms);
  }
  EXPECT_TRUE(served);
}

TEST_F(ControlServerTest, DelaysNoOtherClientForASlowCommand) {
  std::promise<void> inside, go;
  plugins.before = [&] {
    inside.set_value();
    go.get_future().wait();
  };
  start();
  Client slow(path);
  slow.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"plugin.reload\"}\n");
  inside.get_future().wait();
  EXPECT_TRUE(lists());
  go.set_value();
  EXPECT_TRUE(slow.line().starts_with(kListed));
}

TEST_F(ControlServerTest, EndsWithItsClientsAndRemovesItsSocket) {
  start();
  Client client(path);
  EXPECT_TRUE(client.ask(kList).starts_with(kListed));
  server.reset();
  EXPECT_EQ(client.line(), "closed");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(ControlServerTest, FinishesTheCommandThatRunsWhenItEnds) {
  std::promise<void> inside;
  plugins.before = [&] {
    inside.set_value();
    std::this_thread::sleep_for(50ms);
  };
  start();
  Client client(path);
  client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"plugin.reload\"}\n");
  inside.get_future().wait();
  server.reset();
  EXPECT_EQ(plugins.asked(), std::vector<std::string>{"reload "});
}

}  // namespace
}  // namespace gantry::host::control
