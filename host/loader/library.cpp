#include "host/loader/library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <vector>

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>

#include "host/loader/thread_keys.hpp"

// The C library's, for the code that a compiler makes of an access to a thread-local variable.
struct ThreadVariable {
  unsigned long module, offset;
};
extern "C" void* __tls_get_addr(ThreadVariable*);  // NOLINT(bugprone-reserved-identifier)

namespace gantry::host {

struct Library::Handle {
  SealedFilePtr file;
  std::filesystem::path name;  // for the dynamic linker
  boost::dll::shared_library library;
};

namespace {

namespace dll = boost::dll;

// Keys that must be left for a library to load.
constexpr int kThreadKeys = 16;

// A path of the descriptor that is never used twice. The dynamic linker finds a loaded library by
// its path, and the number of a descriptor is used again. "/" and "/." mean the same to the kernel,
// so the bits of a counter are written with them: /proc/12/fd/.//7. The process's number, not
// "self": a sanitizer's symbolizer, another process, reads the file too.
std::filesystem::path unique_path(int fd) {
  static std::atomic<std::uint64_t> next{1};
  std::string path = "/proc/" + std::to_string(::getpid()) + "/fd";
  for (std::uint64_t bits = next++; bits != 0; bits >>= 1U) path += (bits & 1U) != 0 ? "/." : "/";
  return path + "/" + std::to_string(fd);
}

// dlerror's text begins with the path, which means nothing to the operator.
std::string reason_of(const std::string& text, const std::filesystem::path& name) {
  const std::size_t at = text.rfind(name.string() + ": ");
  if (at == std::string::npos) return text;
  return text.substr(at + name.string().size() + 2);
}

// Whether the dynamic linker still has the library, which unloading does not say.
bool is_kept(const std::filesystem::path& name) {
  void* const again = ::dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (again) ::dlclose(again);
  return again != nullptr;
}

Status check_table(const gantry_plugin& table) {
  if (table.magic != GANTRY_MAGIC) {
    return {GANTRY_UNSUPPORTED,
            "gantry_plugin_v1 does not begin with GANTRY_MAGIC; set its first member"};
  }
  // The size comes before the members it covers: nothing beyond it may be read.
  if (!GANTRY_HAS(&table, gantry_plugin, destroy)) {
    return Status::invalid("gantry_plugin_v1 says it has " + std::to_string(table.size) +
                           " bytes; set its member size to sizeof(gantry_plugin)");
  }
  const bool whole = table.create && table.start && table.invoke && table.stop && table.destroy;
  if (whole) return Status::ok();
  return Status::invalid(
      "gantry_plugin_v1 lacks a function; set create, start, invoke, stop and destroy");
}

}  // namespace

Result<Library> Library::open(SealedFilePtr file, bool pinned) {
  if (file->is_loaded()) return Status::failed("the same memory file is loaded already");
  if (!thread_keys_are_left(kThreadKeys)) {
    return Status::failed(
        "the process has too few thread-specific keys left, which plugins that cannot be unloaded "
        "made; "
        "stop and start the server");
  }
  auto handle = std::make_unique<Handle>();
  handle->name = unique_path(file->fd());
  handle->file = std::move(file);
  try {
    handle->library.load(handle->name, dll::load_mode::rtld_now | dll::load_mode::rtld_local);
  } catch (const std::exception& error) {
    return Status::failed("the library cannot be loaded: " + reason_of(error.what(), handle->name));
  }
  const gantry_plugin* table = nullptr;
  try {
    table = &handle->library.get<const gantry_plugin>("gantry_plugin_v1");
  } catch (const std::exception&) {
    table = nullptr;  // said below, in our words
  }
  handle->file->set_loaded(true);
  Library library(std::move(handle), table);
  if (pinned) library.pin();
  if (!table) return Status::invalid("the library exports no gantry_plugin_v1");
  if (Status status = check_table(*table); !status) return status;
  return library;
}

Library::Library(std::unique_ptr<Handle> handle, const gantry_plugin* table)
    : handle_(std::move(handle)), table_(table) {}
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&& other) noexcept {
  close();
  handle_ = std::move(other.handle_);
  table_ = other.table_;
  return *this;
}
Library::~Library() { close(); }

// Opening it again with NODELETE marks the mapped library; closing restores the count.
void Library::pin() {
  void* const again = ::dlopen(handle_->name.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  if (again) ::dlclose(again);
}

void Library::touch_thread_memory() const {
  std::size_t module = 0;  // 0: the library has no thread-local variables
  const int found = ::dlinfo(handle_->library.native(), RTLD_DI_TLS_MODID, &module);
  if (found != 0 || module == 0) return;
  ThreadVariable first{module, 0};
  __tls_get_addr(&first);
}

bool Library::close() {
  if (!handle_) return true;
  const std::vector<pthread_key_t> keys = thread_keys_of(handle_->name);
  handle_->library.unload();
  const bool gone = !is_kept(handle_->name);
  // A library that is still mapped may use them.
  if (gone) delete_thread_keys(keys);
  handle_->file->set_loaded(!gone);
  handle_.reset();
  return gone;
}

}  // namespace gantry::host
