#include "host/plugin/elf_segments.hpp"

#include <unistd.h>

#include <algorithm>

namespace gantry::host {
namespace {

bool is_alloc(const Elf64_Shdr& section) {
  return (section.sh_flags & SHF_ALLOC) != 0 && section.sh_size > 0;
}
bool is_thread_local(const Elf64_Shdr& section) {
  return is_alloc(section) && (section.sh_flags & SHF_TLS) != 0;
}
bool is_zeroed(const Elf64_Shdr& section) { return section.sh_type == SHT_NOBITS; }
std::uint64_t end_of(const Elf64_Shdr& section) { return section.sh_addr + section.sh_size; }

// Memory of a thread: the bytes of the file first, then zeros. A trial finds too much of it.
bool is_sound_thread_local(const Elf64_Phdr& segment, const std::vector<Elf64_Shdr>& sections) {
  const std::uint64_t end = segment.p_vaddr + segment.p_memsz;
  const std::uint64_t zeros = segment.p_vaddr + segment.p_filesz;
  return std::all_of(sections.begin(), sections.end(), [&](const Elf64_Shdr& s) {
    if (!is_thread_local(s)) return true;
    const bool is_inside = s.sh_addr >= segment.p_vaddr && end_of(s) <= end;
    return is_inside && (is_zeroed(s) ? s.sh_addr >= zeros : end_of(s) <= zeros);
  });
}

// LLVM's linker gives the protected sections a segment of their own, padded to the end of its page.
bool is_own_segment(const ElfView& elf, const Elf64_Phdr& segment, std::uint64_t page) {
  const std::uint64_t padding = (0 - (segment.p_vaddr + segment.p_filesz)) % page;
  return segment.p_memsz == segment.p_filesz + padding &&
         std::any_of(elf.segments().begin(), elf.segments().end(), [&](const Elf64_Phdr& load) {
           return load.p_type == PT_LOAD && load.p_vaddr == segment.p_vaddr &&
                  load.p_filesz == segment.p_filesz && load.p_memsz == load.p_filesz;
         });
}

// Whole pages become read-only. A variable may not lie across their end, except for the first three
// words of the table of functions, which GNU's linker protects.
bool is_sound_read_only(const ElfView& elf, const Elf64_Phdr& segment,
                        const std::vector<Elf64_Shdr>& sections) {
  constexpr std::uint64_t kFront = 3 * sizeof(Elf64_Addr);
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t end = (segment.p_vaddr + segment.p_memsz) & ~(page - 1);
  const bool is_inside =
      elf.is_mapped(segment.p_vaddr, segment.p_memsz) || is_own_segment(elf, segment, page);
  return is_inside && std::none_of(sections.begin(), sections.end(), [&](const Elf64_Shdr& s) {
           const bool is_written = is_alloc(s) && (s.sh_flags & SHF_WRITE) != 0;
           return is_written && !is_thread_local(s) && s.sh_addr + kFront < end && end < end_of(s);
         });
}

bool holds(const Elf64_Phdr& segment, const Elf64_Shdr& section) {
  return section.sh_addr >= segment.p_vaddr && end_of(section) <= segment.p_vaddr + segment.p_memsz;
}

// Readable, with the rights that its sections need, and with zeros where a section has no bytes.
bool is_sound_load(const Elf64_Phdr& segment, const std::vector<Elf64_Shdr>& sections) {
  if ((segment.p_flags & PF_R) == 0) return false;
  std::uint64_t last = segment.p_vaddr;  // the end of the last section with bytes in the file
  for (const Elf64_Shdr& s : sections) {
    if (!is_alloc(s) || is_thread_local(s) || !holds(segment, s)) continue;
    const bool may = ((s.sh_flags & SHF_WRITE) == 0 || (segment.p_flags & PF_W) != 0) &&
                     ((s.sh_flags & SHF_EXECINSTR) == 0 || (segment.p_flags & PF_X) != 0);
    if (!may) return false;
    if (!is_zeroed(s)) last = std::max(last, end_of(s));
  }
  return std::none_of(sections.begin(), sections.end(), [&](const Elf64_Shdr& s) {
    return is_alloc(s) && is_zeroed(s) && !is_thread_local(s) && holds(segment, s) &&
           s.sh_addr >= last && s.sh_addr < segment.p_vaddr + segment.p_filesz;
  });
}

}  // namespace

Status check_segments(const ElfView& elf) {
  const std::vector<Elf64_Shdr>& sections = elf.sections();
  bool has_thread_local = false;
  for (const Elf64_Phdr& segment : elf.segments()) {
    if (segment.p_type == PT_LOAD && !is_sound_load(segment, sections)) {
      return damaged_file("a segment's protection or size does not fit its sections");
    }
    if (segment.p_type == PT_GNU_RELRO && !is_sound_read_only(elf, segment, sections)) {
      return damaged_file("what it protects from writing makes no sense");
    }
    if (segment.p_type != PT_TLS) continue;
    if (has_thread_local || !is_sound_thread_local(segment, sections)) {
      return damaged_file("its thread-local memory makes no sense");
    }
    has_thread_local = true;
  }
  const bool wants = std::any_of(sections.begin(), sections.end(), is_thread_local);
  return wants && !has_thread_local ? damaged_file("its thread-local memory is not there")
                                    : Status::ok();
}

}  // namespace gantry::host
