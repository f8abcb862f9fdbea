// host/plugin/elf_tables.hpp: whether the tables that the dynamic linker will follow are there.
#pragma once

#include <vector>

#include <gantry/status.hpp>

#include "host/plugin/elf_view.hpp"

namespace gantry::host {

// The dynamic linker believes what it reads, and some of it only when the library is unloaded. So:
// every entry (all of the segment, also behind the end mark) is of a kind that exists, what is
// there once is there once, what has a size has one, and lies where something of the file lies.
// The error is the file's fault.
Status check_tables(const ElfView& elf, const std::vector<Elf64_Dyn>& entries);

}  // namespace gantry::host
