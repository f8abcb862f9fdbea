// Lines that a log wrote.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

namespace gantry::host {

// A file that collects lines.
struct Collected {
  Collected() : file(std::tmpfile()) {}
  ~Collected() { std::fclose(file); }
  int fd() const { return fileno(file); }
  std::string text() const {
    struct stat found {};
    fstat(fd(), &found);
    std::string out(static_cast<std::size_t>(found.st_size), '\0');
    EXPECT_EQ(pread(fd(), out.data(), out.size(), 0), found.st_size);
    return out;
  }
  std::FILE* file;
};

}  // namespace gantry::host
