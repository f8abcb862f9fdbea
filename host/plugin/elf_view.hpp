// host/plugin/elf_view.hpp: bounds-checked reading of a shared library's bytes.
//
// Nothing here trusts the file: every offset is checked against the bytes there are. A view into
// borrowed bytes; any thread.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host {

class ElfView {
 public:
  // Checks what the loader of the C library takes for granted: a 64-bit little-endian shared
  // library for this machine whose segments and section headers lie within `bytes`.
  static Result<ElfView> open(std::string_view bytes);

  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  std::string_view bytes() const { return bytes_; }

  // Empty for a file without sections.
  const std::vector<Elf64_Shdr>& sections() const { return sections_; }

  // The bytes [offset, offset + size), or nothing when they are not all in the file.
  std::optional<std::string_view> slice(std::uint64_t offset, std::uint64_t size) const;

  // Where in the file the `size` bytes mapped at `address` come from.
  std::optional<std::uint64_t> file_offset(std::uint64_t address, std::uint64_t size) const;

  // Is [address, address + size) inside one mapped segment (file-backed or zeroed)?
  bool is_mapped(std::uint64_t address, std::uint64_t size) const;

  // Does a section of at most `size` bytes begin at `address`? True of a file without sections.
  bool is_section(std::uint64_t address, std::uint64_t size) const;

  template <class T>
  std::optional<T> read(std::uint64_t offset) const {
    const auto raw = slice(offset, sizeof(T));
    if (!raw) return std::nullopt;
    T value;
    std::memcpy(&value, raw->data(), sizeof(T));
    return value;
  }

 private:
  Status read_header();
  Status read_segments();
  Status read_sections();

  std::string_view bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace gantry::host
