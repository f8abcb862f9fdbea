// tests/other_program.hpp: a second process that writes a database. Needed for tests of locks and
// side files, because locks of one process do not exclude itself.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace gantry::data::testing {

class OtherProgram {
 public:
  explicit OtherProgram(const std::string& path) {
    int to[2], from[2];
    if (::pipe(to) != 0 || ::pipe(from) != 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      ::close(to[1]);
      ::close(from[0]);
      serve(path, to[0], from[1]);
    }
    ::close(to[0]);
    ::close(from[1]);
    to_ = to[1];
    from_ = from[0];
  }
  ~OtherProgram() { close(); }
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;

  void run(const std::string& sql) {
    const std::uint64_t size = sql.size();
    char done = 0;
    ASSERT_EQ(::write(to_, &size, sizeof size), ssize_t{sizeof size});
    ASSERT_EQ(::write(to_, sql.data(), size), static_cast<ssize_t>(size));
    ASSERT_EQ(::read(from_, &done, 1), 1) << sql;
    EXPECT_EQ(done, 1) << sql;
  }
  // Closes the database normally.
  void close() { end(0); }
  // kill -9.
  void crash() { end(SIGKILL); }

 private:
  [[noreturn]] static void serve(const std::string& path, int in, int out) {
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    sqlite3_busy_timeout(db, 5000);
    std::uint64_t size = 0;
    while (::read(in, &size, sizeof size) == ssize_t{sizeof size}) {
      std::string sql(size, ' ');
      for (std::size_t got = 0; got < size;) {
        const ssize_t more = ::read(in, sql.data() + got, size - got);
        if (more <= 0) ::_exit(3);
        got += static_cast<std::size_t>(more);
      }
      const char done = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
      if (::write(out, &done, 1) != 1) ::_exit(4);
    }
    sqlite3_close(db);
    ::_exit(0);
  }

  void end(int signal) {
    if (child_ <= 0) return;
    if (signal != 0) ::kill(child_, signal);
    ::close(to_);
    ::waitpid(child_, nullptr, 0);
    ::close(from_);
    child_ = 0;
  }

  pid_t child_ = 0;
  int to_ = -1, from_ = -1;
};

}  // namespace gantry::data::testing
