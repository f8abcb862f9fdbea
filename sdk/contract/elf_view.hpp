// sdk/contract/elf_view.hpp: bounds-checked reading of a shared library's bytes.
//
// Every offset is checked against the size of the file. Borrows the bytes; any thread.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::contract {

// The refusal of a damaged file, which says `what` makes no sense and what to do.
Status damaged_file(std::string_view what);

class ElfView {
 public:
  // Checks that `bytes` are a 64-bit little-endian shared library for this machine, that its
  // segments and section headers lie within them, and that no mapped segment overlaps the next: the
  // dynamic linker would map it over whatever lies behind the library.
  static Result<ElfView> open(std::string_view bytes);

  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  // Empty for a file without sections.
  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  std::string_view bytes() const { return bytes_; }

  // The bytes [offset, offset + size); nullopt when the file ends before.
  std::optional<std::string_view> slice(std::uint64_t offset, std::uint64_t size) const;

  // The offset in the file of the `size` bytes that are mapped at `address`.
  std::optional<std::uint64_t> file_offset(std::uint64_t address, std::uint64_t size) const;

  // Is [address, address + size) inside one mapped segment (file-backed or zeroed)?
  bool is_mapped(std::uint64_t address, std::uint64_t size) const;

  template <class T>
  std::optional<T> read(std::uint64_t offset) const {
    const auto raw = slice(offset, sizeof(T));
    if (!raw) return std::nullopt;
    T value;
    std::memcpy(&value, raw->data(), sizeof(T));
    return value;
  }

 private:
  // The dynamic linker and the unwinder read some segments by their address only.
  bool is_at_its_address(const Elf64_Phdr& segment) const;
  Status read_header();
  Status read_segments();
  Status read_sections();

  std::string_view bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace gantry::contract
