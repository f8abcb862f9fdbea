#include <atomic>
#include <thread>
#include <vector>

#include "store/sqlite/pool.hpp"
#include "tests/test_database.hpp"

namespace gantry::data {
namespace {

using testing::ask;
using testing::TestDatabase;
using testing::Writer;

template <class Body>
void in_parallel(int threads, Body body) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back([&body, i] { body(i); });
  for (auto& thread : running) thread.join();
}

TEST(StoreThreads, ManyLeasesShareFewConnections) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1),(2),(3)");
  auto store = db.open({2, {}});
  in_parallel(8, [&](int) {
    for (int i = 0; i < 50; ++i) EXPECT_EQ(ask(*store, "SELECT sum(a) FROM t"), "6");
  });
}

TEST(StoreThreads, CatalogsAreSharedWhileTheSchemaChanges) {
  TestDatabase db("CREATE TABLE t0(a TEXT); INSERT INTO t0 VALUES('{}')");
  auto store = db.open({2, {}});
  std::atomic<bool> done = false;
  std::thread writer([&] {
    Writer connection(db.path());
    connection.run("PRAGMA busy_timeout=5000");
    for (int i = 1; i < 10; ++i) connection.run("CREATE TABLE t" + std::to_string(i) + "(a)");
    done = true;
  });
  in_parallel(4, [&](int) {
    do {
      auto catalog = store->catalog();
      ASSERT_TRUE(catalog.is_ok()) << catalog.message();
      for (const auto& cls : (*catalog)->classes()) EXPECT_TRUE((*catalog)->find(cls.name));
    } while (!done);
  });
  writer.join();
  EXPECT_EQ((*store->catalog())->classes().size(), 10u);
}

TEST(StoreThreads, AQuietDatabaseBecomesLiveUnderLoad) {
  TestDatabase db("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  auto store = db.open({2, {}});
  std::atomic<bool> done = false;
  std::thread writer([&] {
    Writer connection(db.path());
    for (int i = 0; i < 20; ++i) connection.run("INSERT INTO t VALUES(1)");
    done = true;
  });
  in_parallel(4, [&](int) {
    while (!done) {
      const auto count = ask(*store, "SELECT count(*) FROM t");
      EXPECT_FALSE(count.starts_with("!")) << count;
    }
  });
  writer.join();
  EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), "21");
}

// Other threads hold their connections for the duration of long statements.
TEST(StoreThreads, AStatementFindsAConnectionWhileLongOnesHoldAll) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  const auto pool = std::make_shared<sqlite::Pool>(db.path(), 2, sqlite::Tuning{},
                                                   std::move(*sqlite::ReadVfs::make()));
  const auto lease = [&] {
    return sqlite::Lease(pool, std::move(*pool->take(Budget::for_ms(20'000))));
  };
  std::vector<sqlite::Lease> held;
  for (int i = 0; i < 5; ++i) held.push_back(lease());
  EXPECT_EQ(ask(held.back(), "SELECT a FROM t"), "1");
  EXPECT_EQ(pool->connections(), 5u);
  held.clear();
  EXPECT_EQ(pool->connections(), 2u) << "extra ones are closed when they are not needed any more";
  EXPECT_EQ(ask(*std::make_unique<sqlite::Lease>(lease()), "SELECT a FROM t"), "1");
}

TEST(StoreThreads, ExtraConnectionsAreBounded) {
  TestDatabase db("CREATE TABLE t(a)");
  const auto pool = std::make_shared<sqlite::Pool>(db.path(), 1, sqlite::Tuning{},
                                                   std::move(*sqlite::ReadVfs::make()));
  std::vector<sqlite::Lease> held;
  for (std::size_t i = 0; i < 1 + sqlite::Pool::kMostExtra; ++i) {
    held.emplace_back(pool, std::move(*pool->take(Budget::for_ms(20'000))));
  }
  const auto refused = pool->take(Budget::for_ms(200));
  ASSERT_FALSE(refused.is_ok());
  EXPECT_EQ(refused.status().code(), GANTRY_TIMED_OUT);
  EXPECT_EQ(pool->connections(), 1 + sqlite::Pool::kMostExtra);
}

TEST(StoreThreads, CancellingOneLeavesTheOthers) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  auto store = db.open({4, {}});
  in_parallel(4, [&](int i) {
    auto lease = store->lease(i == 0 ? Budget::for_ms(20) : Budget{});
    const auto answer =
        ask(**lease, i == 0 ? "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) "
                              "SELECT count(*) FROM n"
                            : "SELECT a FROM t");
    EXPECT_EQ(answer.starts_with("!"), i == 0) << answer;
  });
}

}  // namespace
}  // namespace gantry::data
