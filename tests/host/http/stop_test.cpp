// Starting, draining, stopping.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <latch>
#include <set>
#include <string>

#include "fixture.hpp"

namespace gantry::host::http::testing::stop_test {
namespace {

using std::chrono::steady_clock;

class Nothing final : public Handler {
 public:
  void on_request(Request&& r, std::shared_ptr<Exchange> e) override {
    echo(std::move(r), std::move(e));
  }
};

TEST(Start, OnAPortInUseSaysWhichAndWhy) {
  TestServer server(echo);
  Nothing handler;
  Options options;
  options.port = server->port();
  auto second = Server::start(options, handler);
  ASSERT_FALSE(second.is_ok());
  EXPECT_NE(second.message().find("127.0.0.1:" + std::to_string(server->port())),
            std::string::npos);
  EXPECT_NE(second.message().find("in use"), std::string::npos) << second.message();
}

TEST(Start, OnNoAddressIsAnError) {
  Nothing handler;
  Options options;
  options.address = "no.such.host.invalid";
  auto server = Server::start(options, handler);
  ASSERT_FALSE(server.is_ok());
  EXPECT_NE(server.message().find("no.such.host.invalid"), std::string::npos);
}

TEST(Start, TakesAnIpv6AddressWithoutBrackets) {
  Nothing handler;
  Options options;
  options.address = "::1";
  auto server = Server::start(options, handler);
  ASSERT_TRUE(server.is_ok()) << server.message();
  EXPECT_GT((*server)->port(), 0);
}

TEST(Start, AgainOnTheSamePortWorksAtOnce) {
  Nothing handler;
  Options options;
  for (int i = 0; i < 5; ++i) {
    auto server = Server::start(options, handler);
    ASSERT_TRUE(server.is_ok()) << server.message();
    options.port = (*server)->port();
    Client client(options.port);
    client.send(get("/"));
    EXPECT_EQ(client.read_response().status, 200);
  }
}

TEST(Start, NamesItsThreads) {
  TestServer server(echo, {}, 2);
  auto client = server.connect();
  client.send(get("/"));
  EXPECT_EQ(client.read_response().status, 200);
  const auto names = [] {
    std::set<std::string> found;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string name;
      std::getline(std::ifstream(task.path() / "comm"), name);
      found.insert(name);
    }
    return found;
  };
  for (const auto name : {"gantry-accept", "gantry-io-0", "gantry-io-1"}) {
    EXPECT_TRUE(eventually([&] { return names().count(name) == 1; })) << name;
  }
  std::string own;
  std::getline(std::ifstream("/proc/thread-self/comm"), own);
  EXPECT_NE(own, "gantry-accept");
}

TEST(Drain, WaitsForRequestsOnAllThreads) {
  Kept kept;
  TestServer server(kept.keeper(), {}, 2);
  std::vector<Client> clients;
  for (std::size_t i = 0; i < 6; ++i) {
    clients.push_back(server.connect());
    clients.back().send(get("/"));
    ASSERT_TRUE(kept.wait(i));
  }
  server->begin_drain();
  server.elsewhere([&] {
    for (std::size_t i = 0; i < clients.size(); ++i) {
      std::this_thread::sleep_for(2ms);
      kept.wait(i)->reply(200, "text/plain", "done");
    }
    kept.forget();
  });
  EXPECT_TRUE(server->wait_idle(steady_clock::now() + 10s));
  EXPECT_EQ(server->counters().active, 0u);
  for (auto& client : clients) EXPECT_EQ(client.read_response().body, "done");
  EXPECT_TRUE(server->wait_idle(steady_clock::now())) << "nothing to wait for";
}

TEST(Drain, AnswersOpenRequestsAndRefusesNewOnes) {
  Kept kept;
  TestServer server(kept.keeper());
  auto open = server.connect();
  open.send(get("/") + get("/next"));
  auto exchange = kept.wait();
  auto half = server.connect();
  half.send("GET / HT");
  auto idle = server.connect();
  EXPECT_TRUE(eventually([&] { return server->counters().connections == 3; }));
  std::this_thread::sleep_for(20ms);

  server->begin_drain();
  half.send("TP/1.1\r\nHost: t\r\n\r\n");
  idle.send(get("/"));
  for (auto* late : {&half, &idle}) {
    auto refused = late->read_response();
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.header("Connection"), "close");
  }
  EXPECT_FALSE(server->wait_idle(steady_clock::now() + 20ms));

  exchange->reply(200, "text/plain", "still");
  auto last = open.read_response();
  EXPECT_EQ(last.body, "still");
  EXPECT_EQ(last.header("Connection"), "close");
  EXPECT_TRUE(open.closed());
  EXPECT_TRUE(server->wait_idle(steady_clock::now() + 10s));
  EXPECT_EQ(server->counters().requests, 1u);
  kept.forget();
}

TEST(Drain, WaitsForBytesThatAreNotYetSent) {
  std::string big(8 * 1024 * 1024, 'x');
  TestServer server([&](Request&&, std::shared_ptr<Exchange> exchange) {
    exchange->reply(200, "text/plain", big);
  });
  auto client = server.connect(4096);
  client.send(get("/"));
  EXPECT_TRUE(eventually([&] { return server->counters().active == 1; }));
  server->begin_drain();
  EXPECT_FALSE(server->wait_idle(steady_clock::now() + 20ms));
  EXPECT_EQ(client.read_response().body.size(), big.size());
  EXPECT_TRUE(server->wait_idle(steady_clock::now() + 10s));
}

TEST(Drain, StreamsGoOnUntilTheyAreClosed) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/"));
  auto stream = kept.wait();
  stream->open_stream();
  server->begin_drain();
  EXPECT_TRUE(stream->write("data: last\n\n"));
  EXPECT_FALSE(server->wait_idle(steady_clock::now() + 20ms));
  stream->close();
  EXPECT_TRUE(server->wait_idle(steady_clock::now() + 10s));
  EXPECT_EQ(client.read_response().body, "data: last\n\n");
  EXPECT_TRUE(client.closed());
  kept.forget();
}

TEST(Stop, ReportsPendingRequestsAndSurvivesLateAnswers) {
  Kept kept;
  std::atomic<int> gone{0};
  auto server = std::make_unique<TestServer>([&](Request&& r, std::shared_ptr<Exchange> exchange) {
    exchange->on_disconnect([&] { ++gone; });
    kept.keeper()(std::move(r), std::move(exchange));
  });
  auto one = server->connect();
  one.send(get("/"));
  auto two = server->connect();
  two.send(get("/"));
  auto pending = kept.wait(0);
  auto stream = kept.wait(1);
  stream->open_stream();
  server.reset();
  EXPECT_EQ(gone, 2);
  EXPECT_FALSE(pending->reply(200, "text/plain", "late"));
  EXPECT_FALSE(stream->write("data: late\n\n"));
  stream->close();
  pending->on_disconnect([] {});
  kept.forget();
}

TEST(Stop, WhileRequestsRunOnManyThreadsIsClean) {
  for (int round = 0; round < 5; ++round) {
    TestServer* at = nullptr;
    TestServer server(
        [&](Request&&, std::shared_ptr<Exchange> exchange) {
          at->elsewhere([exchange] {
            std::this_thread::sleep_for(1ms);
            exchange->reply(200, "text/plain", std::string(1000, 'x'));
          });
        },
        {}, 2);
    at = &server;
    std::atomic<int> answered{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i) {
      clients.emplace_back([&] {
        auto client = server.connect();
        while (client.try_send(get("/")) && client.read_response().status == 200) ++answered;
      });
    }
    EXPECT_TRUE(eventually([&] { return answered > 50; }));
    server->stop();
    for (auto& client : clients) client.join();
    server->stop();
  }
}

// Serves; a request for /busy keeps its I/O thread until it is let go.
class Busy {
 public:
  OnRequest handler() {
    return [this](Request&& request, std::shared_ptr<Exchange> exchange) {
      if (request.path() == "/busy") {
        began_.count_down();
        over_.wait();
      }
      echo(std::move(request), std::move(exchange));
    };
  }
  void wait() { began_.wait(); }
  void end() { over_.count_down(); }

 private:
  std::latch began_{1}, over_{1};
};

bool can_connect(std::uint16_t port) {
  try {
    Client client(port);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

TEST(Stop, AnswersSentRequestsAndClosesIdleClientsCleanly) {
  Busy busy;
  TestServer server(busy.handler());
  auto idle = server.connect(), open = server.connect();
  for (auto* client : {&idle, &open}) {
    client->send(get("/"));
    EXPECT_EQ(client->read_response().status, 200);
  }
  auto first = server.connect();
  first.send(get("/busy"));
  busy.wait();
  // No thread has read these, and the last three are not even accepted by the I/O thread.
  open.send(get("/unread"));
  auto fresh = server.connect(), half = server.connect(), silent = server.connect();
  fresh.send(get("/fresh"));
  half.send("GET /half HT");
  std::thread stopping([&] { server->stop(); });
  std::this_thread::sleep_for(20ms);
  busy.end();
  EXPECT_TRUE(half.try_send("TP/1.1\r\nHost: t\r\n\r\n"));
  EXPECT_EQ(first.read_response().status, 200);
  for (auto* client : {&open, &fresh, &half}) {
    const auto refused = client->read_response();
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.header("Connection"), "close");
  }
  for (auto* client : {&idle, &silent}) {
    EXPECT_TRUE(client->closed());
    EXPECT_FALSE(client->was_reset());
  }
  stopping.join();
  EXPECT_FALSE(can_connect(server->port()));
}

TEST(Stop, RefusesARequestThatIsNeverCompleted) {
  TestServer server(echo);
  auto half = server.connect();
  half.send("POST /p HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\n12345");
  EXPECT_TRUE(eventually([&] { return server->counters().connections == 1; }));
  std::thread stopping([&] { server->stop(); });
  EXPECT_EQ(half.read_response().status, 503);
  half.close();
  stopping.join();
}

// Whether the socket hears what arrives for it.
void set_deaf(int fd, bool is_deaf) {
  sock_filter nothing[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
  const sock_fprog filter{.len = 1, .filter = nothing};
  const int option = is_deaf ? SO_ATTACH_FILTER : SO_DETACH_FILTER;
  ASSERT_EQ(::setsockopt(fd, SOL_SOCKET, option, &filter, sizeof filter), 0);
}

// The server has answered the handshake before it stops, and the client gets that answer after.
TEST(Stop, LosesNoClientWhoseHandshakeIsUnderWay) {
  TestServer server(echo);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server->port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  set_deaf(fd, true);
  ASSERT_NE(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(errno, EINPROGRESS);
  std::thread stopping([&] { server->stop(); });
  std::this_thread::sleep_for(100ms);
  set_deaf(fd, false);
  pollfd connected{fd, POLLOUT, 0};
  EXPECT_EQ(::poll(&connected, 1, 10'000), 1);
  ::fcntl(fd, F_SETFL, 0);
  Client client = Client::over(fd);
  EXPECT_TRUE(client.try_send(get("/")));
  EXPECT_EQ(client.read_response().status, 503);
  stopping.join();
}

// Under load each client gets an answer to what it has sent, until one is refused at connecting.
// The clients have more time for that than a loaded machine keeps a thread waiting.
TEST(Stop, LosesNoRequestOfAClientThatConnected) {
  Limits limits;
  limits.last_requests = 20s;
  std::atomic<int> answered{0}, lost{0};
  for (int round = 0; round < 10; ++round) {
    TestServer server(echo, limits, 2);
    std::atomic<int> now{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
      clients.emplace_back([&] {
        try {
          for (;;) {
            auto client = server.connect();
            const bool sent = client.try_send(get("/"));
            (sent && client.read_response().status != 0 ? now : lost) += 1;
          }
        } catch (const std::runtime_error&) {  // refused
        }
      });
    }
    EXPECT_TRUE(eventually([&] { return now > 40; }));
    server->stop();
    for (auto& client : clients) client.join();
    answered += now;
  }
  EXPECT_GT(answered, 400);
  EXPECT_EQ(lost, 0);
}

TEST(Stop, ANotYetAnsweredExchangeMayOutliveTheServer) {
  std::shared_ptr<Exchange> left;
  {
    Kept kept;
    TestServer server(kept.keeper());
    auto client = server.connect();
    client.send(get("/"));
    left = kept.wait();
    kept.forget();
  }
  EXPECT_FALSE(left->is_open());
  left.reset();
}

}  // namespace
}  // namespace gantry::host::http::testing::stop_test
