#include "note.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdk/contract/manifest_note.hpp"

namespace gantry::testing::detail {
namespace {

// The bytes of a file, mapped: of a library with debug information the note is a small part.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file) {
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat state {};
    if (opened >= 0 && ::fstat(opened, &state) == 0 && state.st_size > 0) {
      size_ = static_cast<std::size_t>(state.st_size);
      begin_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, opened, 0);
    }
    if (opened >= 0) ::close(opened);
  }
  ~MappedFile() {
    if (is_open()) ::munmap(begin_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  bool is_open() const { return begin_ != MAP_FAILED; }
  std::string_view bytes() const { return {static_cast<const char*>(begin_), size_}; }

 private:
  void* begin_ = MAP_FAILED;
  std::size_t size_ = 0;
};

}  // namespace

Result<std::string> read_manifest(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  if (!mapped.is_open()) return Status::not_found("cannot open '" + file.string() + "'");
  const Result<contract::ElfView> elf = contract::ElfView::open(mapped.bytes());
  Result<std::string> manifest = elf ? contract::find_manifest(*elf) : elf.status();
  if (manifest) return manifest;
  return Status::invalid("'" + file.string() + "': " + manifest.message());
}

}  // namespace gantry::testing::detail
