// host/loader/library.hpp: one mapped shared library. The only user of the dynamic linker.
//
// Control thread.
#pragma once

#include <memory>

#include <gantry/abi/plugin.h>
#include <gantry/result.hpp>

#include "host/plugin/sealed_file.hpp"

namespace gantry::host {

class Library {
 public:
  // Maps `file`, all symbols resolved and none shared with others, and finds its table. Refuses a
  // file that is mapped already: the dynamic linker would return the same library again. `pinned`:
  // it stays mapped for ever, also after close(). Constructors of the library run here. The error
  // carries the dynamic linker's reason.
  static Result<Library> open(SealedFilePtr file, bool pinned);

  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;
  ~Library();  // closes

  // Checked: the magic, the size, every function there.
  const gantry_plugin& table() const { return *table_; }

  // From now on it stays mapped for ever, also after close().
  void pin();

  // Allocates the calling thread's copy of the library's thread-local variables, as its first use
  // of one does. With a damaged file this may end the process. It does nothing for a library
  // without such variables.
  void touch_thread_memory() const;

  // Gives the library back. True when it is really gone from the process; the thread-specific keys
  // that it left behind are deleted then.
  bool close();

 private:
  struct Handle;
  Library(std::unique_ptr<Handle> handle, const gantry_plugin* table);

  std::unique_ptr<Handle> handle_;
  const gantry_plugin* table_;
};

}  // namespace gantry::host
