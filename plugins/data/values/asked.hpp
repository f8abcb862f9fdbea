// values/asked.hpp: what one request asked the database, for the host's trace of the request.
//
// A statement is noted with the Asked of its thread, as values are charged to the Spending. Without
// one nothing is noted or measured. The texts of statements are not kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gantry::data {

// Constructed on a request's thread, and destroyed there after all its statements.
class Asked {
 public:
  Asked() : before_(std::exchange(current_, this)) {}
  ~Asked() { current_ = before_; }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  // Of the request that runs on this thread; null: it is not traced.
  static Asked* current() { return current_; }

  // A statement begins, ends, or has given a row.
  void begin(std::string_view sql);
  void end() { end_ns_ = now_ns(); }
  void row() { ++rows_; }

  // Some statement was run.
  bool any() const { return begin_ns_ != 0; }
  // Nanoseconds since 1970: of the first statement's begin, of the last one's end.
  std::int64_t begin_ns() const { return begin_ns_; }
  std::int64_t end_ns() const { return end_ns_; }
  std::int64_t rows() const { return rows_; }
  // The first word of the first statement; of the first that writes, if one does.
  const std::string& operation() const { return operation_; }

 private:
  static std::int64_t now_ns();

  static inline constinit thread_local Asked* current_ = nullptr;
  Asked* const before_;
  std::int64_t begin_ns_ = 0, end_ns_ = 0, rows_ = 0;
  std::string operation_;
};

// Notes one statement from here to the end of the scope.
class AskedStatement {
 public:
  explicit AskedStatement(std::string_view sql) : asked_(Asked::current()) {
    if (asked_ != nullptr) asked_->begin(sql);
  }
  ~AskedStatement() {
    if (asked_ != nullptr) asked_->end();
  }
  AskedStatement(const AskedStatement&) = delete;
  AskedStatement& operator=(const AskedStatement&) = delete;

  void row() const {
    if (asked_ != nullptr) asked_->row();
  }

 private:
  Asked* const asked_;
};

}  // namespace gantry::data
