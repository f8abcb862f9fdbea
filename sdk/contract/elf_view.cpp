#include "sdk/contract/elf_view.hpp"

#include <string>

namespace gantry::contract {
namespace {

#if defined(__x86_64__)
constexpr unsigned kMachine = EM_X86_64;
constexpr const char* kMachineName = "x86-64";
#elif defined(__aarch64__)
constexpr unsigned kMachine = EM_AARCH64;
constexpr const char* kMachineName = "aarch64";
#elif defined(__riscv)
constexpr unsigned kMachine = EM_RISCV;
constexpr const char* kMachineName = "riscv64";
#else
#error "name this machine's ELF number here"
#endif

// A linker writes about ten segments; a count above this is damage.
constexpr unsigned kMaxSegments = 1024;

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_RISCV:
      return "riscv64";
    case EM_386:
      return "x86";
    case EM_ARM:
      return "arm";
    default:
      return "machine number " + std::to_string(machine);
  }
}

Status truncated(std::string_view what, std::uint64_t end, std::uint64_t size) {
  return Status::invalid("the file is cut off: " + std::string(what) + " end at byte " +
                         std::to_string(end) + ", the file at byte " + std::to_string(size) +
                         "; copy it again under another name and rename it when it is complete");
}

Status not_elf() {
  return Status::invalid(
      "the file is not a shared library (no ELF header); a plugin is a .so built with "
      "gantry_add_plugin()");
}

// A segment of no known type was of another type before, perhaps the exception tables: without them
// the first exception of a plugin ends the process, which no trial sees.
bool is_known_type(std::uint32_t type) {
  constexpr std::uint32_t kGnu = PT_GNU_EH_FRAME & ~0xFFU, kGnuLast = 0x6474e554;  // PT_GNU_SFRAME
  if ((type & ~0xFFU) == kGnu) return type >= PT_GNU_EH_FRAME && type <= kGnuLast;
  return type < PT_NUM || (type >= PT_LOOS && type <= PT_HIPROC);
}

// offset + size; nullopt when that overflows.
std::optional<std::uint64_t> end_of(std::uint64_t offset, std::uint64_t size) {
  std::uint64_t end = 0;
  if (__builtin_add_overflow(offset, size, &end)) return std::nullopt;
  return end;
}

}  // namespace

Status damaged_file(std::string_view what) {
  return Status::invalid("the file is damaged: " + std::string(what) + "; build or copy it again");
}

Result<ElfView> ElfView::open(std::string_view bytes) {
  ElfView view;
  view.bytes_ = bytes;
  if (Status status = view.read_header(); !status) return status;
  if (Status status = view.read_segments(); !status) return status;
  if (Status status = view.read_sections(); !status) return status;
  return view;
}

std::optional<std::string_view> ElfView::slice(std::uint64_t offset, std::uint64_t size) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset) return std::nullopt;
  return bytes_.substr(offset, size);
}

std::optional<std::uint64_t> ElfView::file_offset(std::uint64_t address, std::uint64_t size) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t inside = address - segment.p_vaddr;
    if (inside > segment.p_filesz || size > segment.p_filesz - inside) continue;
    return segment.p_offset + inside;
  }
  return std::nullopt;
}

bool ElfView::is_mapped(std::uint64_t address, std::uint64_t size) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t inside = address - segment.p_vaddr;
    if (inside <= segment.p_memsz && size <= segment.p_memsz - inside) return true;
  }
  return false;
}

bool ElfView::is_at_its_address(const Elf64_Phdr& segment) const {
  const bool is_read =
      segment.p_type == PT_DYNAMIC || segment.p_type == PT_TLS || segment.p_type == PT_GNU_EH_FRAME;
  if (!is_read || segment.p_filesz == 0) return true;
  return file_offset(segment.p_vaddr, segment.p_filesz) == segment.p_offset;
}

Status ElfView::read_header() {
  if (bytes_.substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG)) return not_elf();
  const auto header = read<Elf64_Ehdr>(0);
  if (!header) return truncated("the ELF header's bytes", sizeof(Elf64_Ehdr), bytes_.size());
  header_ = *header;
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
    return Status::invalid(
        "the file is not a 64-bit little-endian library; build it for this machine");
  }
  if (header_.e_machine != kMachine) {
    return Status::invalid("the file is built for " + machine_name(header_.e_machine) +
                           ", this host is " + kMachineName + "; build it for this machine");
  }
  if (header_.e_type != ET_DYN) {
    return Status::invalid(
        "the file is ELF but no shared library; link it with -shared (gantry_add_plugin() does)");
  }
  return Status::ok();
}

Status ElfView::read_segments() {
  if (header_.e_phnum == 0 || header_.e_phnum > kMaxSegments ||
      header_.e_phentsize != sizeof(Elf64_Phdr)) {
    return damaged_file("its table of segments makes no sense");
  }
  const std::uint64_t size = std::uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr);
  const auto table_end = end_of(header_.e_phoff, size);
  if (!table_end) return damaged_file("its table of segments makes no sense");
  if (*table_end > bytes_.size()) {
    return truncated("its segment headers", *table_end, bytes_.size());
  }
  segments_.reserve(header_.e_phnum);
  for (unsigned i = 0; i < header_.e_phnum; ++i) {
    const auto segment = read<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr));
    const auto end = end_of(segment->p_offset, segment->p_filesz);
    const bool is_mapped = segment->p_type == PT_LOAD || segment->p_type == PT_TLS;
    if (!end || !end_of(segment->p_vaddr, segment->p_memsz) ||
        (is_mapped && segment->p_filesz > segment->p_memsz)) {
      return damaged_file("a segment's bounds make no sense");
    }
    if (*end > bytes_.size()) return truncated("its segments", *end, bytes_.size());
    if (!is_known_type(segment->p_type)) return damaged_file("it has a segment of no known type");
    segments_.push_back(*segment);
  }
  std::uint64_t mapped_end = 0;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD) {
      if (segment.p_vaddr < mapped_end) return damaged_file("its segments overlap");
      mapped_end = segment.p_vaddr + segment.p_memsz;
    }
    if (!is_at_its_address(segment)) return damaged_file("a segment lies elsewhere than it says");
  }
  return Status::ok();
}

// Section headers are not needed to load, but they come last: a file without all of them is a file
// whose copy has not finished. They also say a second time what the segments hold.
Status ElfView::read_sections() {
  if (header_.e_shoff == 0) return Status::ok();
  const std::uint64_t size = std::uint64_t{header_.e_shnum} * header_.e_shentsize;
  const auto end = end_of(header_.e_shoff, size);
  if (!end) return damaged_file("its table of sections makes no sense");
  if (*end > bytes_.size()) return truncated("its section headers", *end, bytes_.size());
  if (header_.e_shnum > 0 && header_.e_shentsize != sizeof(Elf64_Shdr)) {
    return damaged_file("its table of sections makes no sense");
  }
  sections_.reserve(header_.e_shnum);
  for (std::uint64_t i = 0; i < header_.e_shnum; ++i) {
    const auto section = *read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr));
    sections_.push_back(section);
    const bool is_read = (section.sh_flags & SHF_ALLOC) != 0 && section.sh_type != SHT_NOBITS;
    if (is_read && section.sh_size > 0 &&
        file_offset(section.sh_addr, section.sh_size) != section.sh_offset) {
      return damaged_file("its segments do not hold its sections");
    }
  }
  return Status::ok();
}

}  // namespace gantry::contract
