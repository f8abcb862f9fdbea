// The memory of a call is bounded: streaming operations succeed, and operations that must keep more
// than the budget are refused. Every allocation of this program is counted, and SQLite counts its
// own.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "ops/service.hpp"
#include "tests/test_database.hpp"

namespace {

std::atomic<std::size_t> live{0}, peak{0};

void count(std::size_t bytes) {
  const std::size_t now = live += bytes;
  std::size_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
}

}  // namespace

void* operator new(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  count(malloc_usable_size(block));
  return block;
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* block = std::malloc(size);
  if (block != nullptr) count(malloc_usable_size(block));
  return block;
}

void operator delete(void* block) noexcept {
  if (block != nullptr) live -= malloc_usable_size(block);
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }

namespace gantry::data {
namespace {

constexpr std::size_t kBudget = 100u << 20;  // of one query
// Allowance for streamed data; most of it is SQLite's cache.
constexpr std::size_t kPassing = 32u << 20;

// 12,000 rows of 10,000 bytes: more than the budget.
constexpr const char* kRows = R"sql(
  CREATE TABLE big(id INTEGER PRIMARY KEY, k INTEGER, g INTEGER, s TEXT);
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11999)
  INSERT INTO big SELECT i + 1, (i * 7919) % 12000, i % 8, i || printf('%.*c', 10000, 'x') FROM n;
  CREATE INDEX big_by_g ON big(g);
  CREATE TABLE o(id INTEGER PRIMARY KEY, w TEXT, g INTEGER);
  INSERT INTO o VALUES(1,'one',1),(2,'two',2);)sql";

struct Work {
  const char* name;
  const char* op;
  const char* arguments;  // ' for "
};

std::ostream& operator<<(std::ostream& out, const Work& work) { return out << work.name; }

class Memory : public ::testing::TestWithParam<Work> {
 protected:
  static void SetUpTestSuite() {
    database_ = new testing::TestDatabase(kRows);
    service_ = Service::open(database_->path()).value().release();
  }
  static void TearDownTestSuite() {
    delete service_;
    delete database_;
  }

  static Outcome<Reply> run(const Work& work) {
    std::string arguments = work.arguments;
    std::replace(arguments.begin(), arguments.end(), '\'', '"');
    return service_->run(R"({"op":")" + std::string(work.op) + R"(","args":)" + arguments + "}",
                         {Budget::for_ms(120'000), 4u << 20, nullptr});
  }

  // The peak of memory during the work, beyond the memory in use before.
  static std::size_t peak_of(const Work& work, std::string& error) {
    const std::size_t before = live;
    peak = before;
    sqlite3_memory_highwater(1);
    const auto reply = run(work);
    error = reply ? "" : reply.error().code + ": " + reply.error().message;
    return peak - before + static_cast<std::size_t>(sqlite3_memory_highwater(0));
  }

  static inline testing::TestDatabase* database_ = nullptr;
  static inline Service* service_ = nullptr;
};

class StreamedMemory : public Memory {};

TEST_P(StreamedMemory, IsFlat) {
  std::string error;
  const std::size_t most = peak_of(GetParam(), error);
  EXPECT_EQ(error, "");
  EXPECT_LT(most, kPassing);
  EXPECT_GT(most, 10'000u) << "something must have been counted";
}

constexpr Work kGoingBy[] = {
    {"match", "aggregate",
     "{'class_name':'big','pipeline':[{'$match':{'$expr':{'$gt':[{'$strLenBytes':'$s'},5]}}},"
     "{'$count':'n'}]}"},
    {"limit", "aggregate", "{'class_name':'big','pipeline':[{'$set':{'x':'$s'}},{'$limit':5}]}"},
    {"group", "aggregate",
     "{'class_name':'big','pipeline':[{'$group':{'_id':'$g','n':{'$sum':1},'last':{'$max':'$s'}}}]"
     "}"},
    {"bounded_sort", "aggregate",
     "{'class_name':'big','pipeline':[{'$set':{'x':{'$mod':['$k',97]}}},{'$sort':{'x':1,'s':1}},"
     "{'$limit':20}]}"},
    {"lookup", "aggregate",
     "{'class_name':'big','pipeline':[{'$lookup':{'from':'o','localField':'g','foreignField':'_id',"
     "'as':'o'}},{'$group':{'_id':'$o.w','n':{'$sum':1}}}]}"},
    {"printed_lookup", "aggregate",
     "{'class_name':'big','pipeline':[{'$lookup':{'from':'o','localField':'g','foreignField':'_id',"
     "'as':'o'}},{'$skip':11900},{'$limit':100}]}"},
    {"printed_unwind", "aggregate",
     "{'class_name':'o','pipeline':[{'$lookup':{'from':'big','localField':'g','foreignField':'g',"
     "'as':'big'}},{'$unwind':'$big'},{'$skip':2900},{'$limit':100}]}"},
    {"group_by", "group_by", "{'class_name':'big','field':'g','operation':'count'}"},
    {"query", "query", "{'class_name':'big','order':'-s','limit':20}"},
    {"count", "count", "{'class_name':'big','where':{'s':{'$regex':'y$'}}}"},
    {"exported", "export",
     "{'class_name':'big','format':'csv','columns':['id','g'],'row_cap':10000}"},
};

INSTANTIATE_TEST_SUITE_P(Works, StreamedMemory, ::testing::ValuesIn(kGoingBy),
                         [](const auto& work) { return std::string(work.param.name); });

class KeptMemory : public Memory {};

TEST_P(KeptMemory, EndsAtTheBudgetWithARefusal) {
  std::string error;
  const std::size_t most = peak_of(GetParam(), error);
  EXPECT_NE(error.find("more documents than the memory of one query allows"), std::string::npos)
      << error;
  EXPECT_GT(most, kBudget / 2);
  EXPECT_LT(most, kBudget + kBudget / 4);
  const auto reply = run({"", "count", "{'class_name':'big'}"});
  ASSERT_TRUE(reply.is_ok());
  EXPECT_EQ(reply->meta, R"({"count":12000})");
}

constexpr Work kKept[] = {
    {"sort", "aggregate",
     "{'class_name':'big','pipeline':[{'$set':{'x':{'$mod':['$k',97]}}},{'$sort':{'x':1}},"
     "{'$group':{'_id':null,'n':{'$max':'$s'}}}]}"},
    {"group_of_many", "aggregate",
     "{'class_name':'big','pipeline':[{'$group':{'_id':'$s','n':{'$sum':1}}},{'$count':'n'}]}"},
    {"push", "aggregate",
     "{'class_name':'big','pipeline':[{'$group':{'_id':null,'all':{'$push':'$s'}}},"
     "{'$project':{'n':{'$size':'$all'}}}]}"},
    {"add_to_set", "aggregate",
     "{'class_name':'big','pipeline':[{'$group':{'_id':'$g','all':{'$addToSet':'$s'}}},"
     "{'$project':{'n':{'$size':'$all'}}}]}"},
    {"sort_by_count", "aggregate",
     "{'class_name':'big','pipeline':[{'$sortByCount':'$s'},{'$count':'n'}]}"},
    {"window", "aggregate",
     "{'class_name':'big','pipeline':[{'$setWindowFields':{'sortBy':{'k':1},'output':"
     "{'n':{'$documentNumber':{}}}}},{'$match':{'$expr':{'$eq':['$n','$s']}}}]}"},
    {"bucket_auto", "aggregate",
     "{'class_name':'big','pipeline':[{'$bucketAuto':{'groupBy':'$s','buckets':3}}]}"},
    {"facet", "aggregate",
     "{'class_name':'big','pipeline':[{'$facet':{'a':[{'$match':{'s':{'$gt':''}}},"
     "{'$sort':{'s':1}}]}}]}"},
};

INSTANTIATE_TEST_SUITE_P(Works, KeptMemory, ::testing::ValuesIn(kKept),
                         [](const auto& work) { return std::string(work.param.name); });

}  // namespace
}  // namespace gantry::data
