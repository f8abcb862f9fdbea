// sdk/contract/manifest_note.hpp: the manifest in a plugin's file, read without running its code.
//
// Pure functions; any thread.
#pragma once

#include <string>

#include <gantry/result.hpp>

#include "sdk/contract/elf_view.hpp"

namespace gantry::contract {

// The JSON of the one note of GANTRY_MANIFEST, without trailing NULs and blanks; not parsed.
// GANTRY_INVALID_ARGUMENT: none, two, an empty one or one of more than GANTRY_NOTE_MAX bytes.
Result<std::string> find_manifest(const ElfView& elf);

}  // namespace gantry::contract
