// Deeds with files and directories, of others and of the worker's own.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "deeds.hpp"

namespace {

std::string own(const std::string& name) { return std::string(std::getenv("TMPDIR")) + "/" + name; }

int make_own(const std::string& name, int mode = 0600) {
  return ::open(own(name).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, mode);
}

// The error of `deed` on a file of its own, which is made before.
void report_on_own(const std::function<long(const std::string&, int)>& deed) {
  const int fd = make_own("file");
  if (fd < 0) return report(fd);
  report(deed(own("file"), fd));
}

void rename_across() {
  ::mkdir(own("below").c_str(), 0700);
  report_on_own([](const std::string& file, int) {
    return ::rename(file.c_str(), own("below/file").c_str());
  });
}

void list_directory() { report(::open(argument.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }

void read_file() {
  const int fd = ::open(argument.c_str(), O_RDONLY | O_CLOEXEC);
  char byte = 0;
  report(fd < 0 ? fd : ::read(fd, &byte, 1));
}

void create_file() { report(::open(argument.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)); }

void open_how() {
  struct {
    std::uint64_t flags, mode, resolve;
  } how = {O_RDONLY, 0, 0};
  report(::syscall(SYS_openat2, AT_FDCWD, "/dev/null", &how, sizeof how));
}

// A program in its own directory, which it may write but not run.
void run_own() {
  const int from = ::open("/bin/true", O_RDONLY | O_CLOEXEC), to = make_own("program", 0700);
  for (char block[4096]; true;) {
    const ssize_t size = ::read(from, block, sizeof block);
    if (size <= 0 || ::write(to, block, static_cast<std::size_t>(size)) != size) break;
  }
  ::close(to);
  char* const words[] = {nullptr};
  report(::execve(own("program").c_str(), words, words));
}

void write_bytes(int fd, std::size_t mebibytes) {
  const std::vector<char> block(std::size_t{1} << 20U, 'x');
  for (; mebibytes > 0; --mebibytes)
    if (::write(fd, block.data(), block.size()) < 0) return say(::strerrorname_np(errno));
}

// 1 MiB each.
void fill_disk() {
  for (int i = 0; i < std::stoi(argument); ++i)
    write_bytes(make_own("file" + std::to_string(i)), 1);
  burn();
}

void fill_nameless() {
  for (int i = 0; i < std::stoi(argument); ++i) {
    const int fd = make_own("file");
    ::unlink(own("file").c_str());
    write_bytes(fd, 1);
  }
  burn();
}

void fill_mapped() {
  for (int i = 0; i < std::stoi(argument); ++i) {
    const int fd = make_own("file");
    write_bytes(fd, 1);
    if (::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED) report(-1);
    ::unlink(own("file").c_str());
    ::close(fd);
  }
  burn();
}

// Its host cannot read the names in a directory of mode 0300.
void fill_hidden() {
  ::mkdir(own("hidden").c_str(), 0300);
  for (int i = 0; i < std::stoi(argument); ++i)
    write_bytes(make_own("hidden/file" + std::to_string(i)), 1);
  burn();
}

void make_files() {
  for (int i = 0; i < std::stoi(argument); ++i) ::close(make_own("file" + std::to_string(i)));
  burn();
}

void dig() {
  std::string path = "down";
  for (int i = 0; i < std::stoi(argument); ++i, path += "/down") ::mkdir(own(path).c_str(), 0700);
  burn();
}

void write_long_file() {
  write_bytes(make_own("file"), std::stoul(argument));
  say("written");
}

}  // namespace

const Deeds& file_deeds() {
  static const Deeds all{
      {"rename", rename_across},
      {"read", read_file},
      {"memory-library",
       [] {
         argument = "/proc/self/fd/4";
         read_file();
       }},
      {"list", list_directory},
      {"create", create_file},
      {"create-own", [] { report(make_own("file")); }},
      {"own-directory", [] { say(own("")); }},
      {"truncate",
       [] { report_on_own([](const auto& file, int) { return ::truncate(file.c_str(), 0); }); }},
      {"open-truncate",
       [] {
         report_on_own([](const auto& file, int) {
           return ::open(file.c_str(), O_RDONLY | O_TRUNC | O_CLOEXEC);
         });
       }},
      {"open-neither",
       [] {
         report_on_own(
             [](const auto& file, int) { return ::open(file.c_str(), O_ACCMODE | O_CLOEXEC); });
       }},
      {"open-how", open_how},
      {"chmod",
       [] { report_on_own([](const auto& file, int) { return ::chmod(file.c_str(), 0600); }); }},
      {"fchmod", [] { report_on_own([](const auto&, int fd) { return ::fchmod(fd, 0600); }); }},
      {"fchown", [] { report_on_own([](const auto&, int fd) { return ::fchown(fd, 0, 0); }); }},
      {"utimes",
       [] { report_on_own([](const auto&, int fd) { return ::futimens(fd, nullptr); }); }},
      {"set-attribute",
       [] {
         report_on_own([](const auto&, int fd) { return ::fsetxattr(fd, "user.a", "b", 1, 0); });
       }},
      {"list-attributes", [] { report(::listxattr("/etc/passwd", nullptr, 0)); }},
      {"set-flags",
       [] {
         report_on_own([](const auto&, int fd) {
           int flags = 0;
           return ::ioctl(fd, FS_IOC_SETFLAGS, &flags);
         });
       }},
      {"lease",
       [] { report_on_own([](const auto&, int fd) { return ::fcntl(fd, F_SETLEASE, F_UNLCK); }); }},
      {"symlink", [] { report(::symlink("/etc/passwd", own("link").c_str())); }},
      {"link", [] { report(::link("/proc/self/exe", own("link").c_str())); }},
      {"device", [] { report(::mknod(own("null").c_str(), S_IFCHR | 0600, 0x103)); }},
      {"fifo", [] { report(::mkfifo(own("fifo").c_str(), 0600)); }},
      {"run-own", run_own},
      {"host-environment",
       [] {
         argument = "/proc/" + std::to_string(::getppid()) + "/environ";
         read_file();
       }},
      {"fill-disk", fill_disk},
      {"fill-nameless", fill_nameless},
      {"fill-mapped", fill_mapped},
      {"fill-hidden", fill_hidden},
      {"many-files", make_files},
      {"dig", dig},
      {"long-file", write_long_file},
  };
  return all;
}
