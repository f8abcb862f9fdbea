// host/plugin/elf_segments.hpp: whether the segments that the dynamic linker, the unwinder and new
// threads will believe agree with the rest of the file.
#pragma once

#include <gantry/status.hpp>

#include "host/plugin/elf_view.hpp"

namespace gantry::host {

// What a segment says besides where its bytes lie is looked at only later: thread-local memory when
// the first thread wants some (too much of it ends the process), protection when something writes,
// exception tables when something throws. Sections, where the file has them, say most of it a
// second time. The error is the file's fault.
Status check_segments(const ElfView& elf);

}  // namespace gantry::host
