#include "host/plugin/sealed_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "tests/host/plugin/plugin_files.hpp"

namespace gantry::host::testing {
namespace {

std::string content(const SealedFile& file) {
  const auto bytes = file.read();
  EXPECT_TRUE(bytes) << bytes.message();
  return bytes ? std::string(bytes->view()) : "";
}

TEST(SealedFile, HoldsTheBytesItWasMadeOf) {
  const std::string large(3'000'001, 'x');
  for (const std::string& bytes : {std::string(), std::string("a\0b", 3), large}) {
    const auto file = SealedFile::of(bytes);
    ASSERT_TRUE(file) << file.message();
    EXPECT_EQ(content(**file), bytes);
  }
}

// Each way that a process with a descriptor, or with the path of one, could change the bytes.
TEST(SealedFile, CannotBeChangedByAnyProcess) {
  const SealedFilePtr file = *SealedFile::of("the code that was checked");
  const std::string path = "/proc/self/fd/" + std::to_string(file->fd());
  const UniqueFd reopened(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  for (const int fd : {file->fd(), reopened.get()}) {
    if (fd < 0) continue;  // the kernel refuses to open it
    EXPECT_EQ(::pwrite(fd, "X", 1, 0), -1);
    EXPECT_EQ(::ftruncate(fd, 0), -1);
    EXPECT_EQ(::ftruncate(fd, 1 << 20), -1);
    EXPECT_EQ(::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4), -1);
    EXPECT_EQ(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    void* const shared = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (shared != MAP_FAILED) {
      EXPECT_EQ(::mprotect(shared, 4096, PROT_READ | PROT_WRITE), -1);
      ::munmap(shared, 4096);
    }
    EXPECT_EQ(::fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1) << "seals are sealed";
  }
  EXPECT_EQ(::truncate(path.c_str(), 0), -1);
  EXPECT_EQ(::open(path.c_str(), O_WRONLY | O_TRUNC), -1);
  EXPECT_EQ(content(*file), "the code that was checked");
}

TEST(SealedFile, HasNoNameInAnyDirectory) {
  const SealedFilePtr file = *SealedFile::of("bytes");
  struct stat info {};
  ASSERT_EQ(::fstat(file->fd(), &info), 0);
  EXPECT_EQ(info.st_nlink, 0U);
  EXPECT_EQ(::fcntl(file->fd(), F_GETFD), FD_CLOEXEC);
}

TEST(SealedFile, OfTheSameBytesIsAnotherFile) {
  const SealedFilePtr one = *SealedFile::of("bytes");
  const auto two = one->copy();
  ASSERT_TRUE(two) << two.message();
  struct stat first {
  }, second{};
  ::fstat(one->fd(), &first);
  ::fstat((*two)->fd(), &second);
  EXPECT_NE(first.st_ino, second.st_ino);
  EXPECT_EQ(content(**two), "bytes");
}

TEST(SealedFile, TakesOverOnlySealedFiles) {
  const auto again = SealedFile::adopt(::dup((*SealedFile::of("bytes"))->fd()));
  ASSERT_TRUE(again) << again.message();
  EXPECT_EQ(content(**again), "bytes");
  EXPECT_EQ(::fcntl((*again)->fd(), F_GETFD), FD_CLOEXEC);
  const auto open = SealedFile::adopt(::memfd_create("open", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_EQ(open.message(), "the plugin's memory file is not sealed");
  EXPECT_FALSE(SealedFile::adopt(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  EXPECT_FALSE(SealedFile::adopt(-1));
}

}  // namespace
}  // namespace gantry::host::testing
