#include "host/plugin/elf_tables.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace gantry::host {
namespace {

using Values = std::map<std::int64_t, std::uint64_t>;

// A table, its size in bytes, and the size of one entry.
struct Table {
  std::int64_t address, size;
  std::uint64_t entry;
};
constexpr std::array<Table, 4> kTables{{{DT_RELA, DT_RELASZ, sizeof(Elf64_Rela)},
                                        {DT_JMPREL, DT_PLTRELSZ, sizeof(Elf64_Rela)},
                                        {DT_INIT_ARRAY, DT_INIT_ARRAYSZ, sizeof(Elf64_Addr)},
                                        {DT_FINI_ARRAY, DT_FINI_ARRAYSZ, sizeof(Elf64_Addr)}}};

Status damaged() {
  return Status::invalid(
      "the file is damaged: its dynamic section names tables that are not there; build or copy it "
      "again");
}

bool is_known(std::int64_t tag) {
  const bool of_all = tag >= DT_NULL && tag < 64;
  const bool of_system = tag >= DT_LOOS && tag <= 0x6fffffff;
  const bool of_machine = tag >= DT_LOPROC && tag <= DT_HIPROC;
  return of_all || of_system || of_machine;
}

bool is_code(const ElfView& elf, std::uint64_t address) {
  return std::any_of(elf.segments().begin(), elf.segments().end(), [&](const Elf64_Phdr& s) {
    return s.p_type == PT_LOAD && (s.p_flags & PF_X) != 0 && address >= s.p_vaddr &&
           address - s.p_vaddr < s.p_filesz;
  });
}

bool is_whole(const ElfView& elf, const Values& values, const Table& table) {
  const auto address = values.find(table.address), size = values.find(table.size);
  if (address == values.end() || size == values.end()) return address == size;
  return size->second % table.entry == 0 && address->second % alignof(Elf64_Addr) == 0 &&
         elf.is_mapped(address->second, size->second) &&
         elf.is_section(address->second, size->second);
}

// Sorted by kind; nothing when one is unknown, there twice, or behind the end mark.
std::optional<Values> sorted(const std::vector<Elf64_Dyn>& entries) {
  Values values;
  bool over = false;
  for (const Elf64_Dyn& entry : entries) {
    if (!is_known(entry.d_tag) || (over && entry.d_tag != DT_NULL)) return std::nullopt;
    over = over || entry.d_tag == DT_NULL;
    const bool is_new = values.emplace(entry.d_tag, entry.d_un.d_val).second;
    if (!is_new && entry.d_tag < DT_LOOS && entry.d_tag != DT_NULL && entry.d_tag != DT_NEEDED) {
      return std::nullopt;
    }
  }
  return over ? std::optional(values) : std::nullopt;
}

}  // namespace

Status check_tables(const ElfView& elf, const std::vector<Elf64_Dyn>& entries) {
  const auto values = sorted(entries);
  if (!values) return damaged();
  for (const std::int64_t tag : {DT_INIT, DT_FINI}) {
    const auto at = values->find(tag);
    if (at != values->end() && !is_code(elf, at->second)) return damaged();
  }
  const bool whole = std::all_of(kTables.begin(), kTables.end(),
                                 [&](const Table& table) { return is_whole(elf, *values, table); });
  return whole ? Status::ok() : damaged();
}

}  // namespace gantry::host
