// host/plugin/elf_segments.hpp: whether a library's segments agree with its sections.
#pragma once

#include <gantry/status.hpp>

#include "sdk/contract/elf_view.hpp"

namespace gantry::host {

using contract::damaged_file;
using contract::ElfView;

// No trial can judge these: thread-local memory that is too small is overrun by the call that first
// uses its last variables, and wrong protection ends the process at the first write to a page.
// Sections, where the file has them, say the same a second time. The error is the file's fault.
Status check_segments(const ElfView& elf);

}  // namespace gantry::host
