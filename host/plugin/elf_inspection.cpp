#include "host/plugin/elf_inspection.hpp"

#include <charconv>
#include <optional>

#include <gantry/abi/plugin.h>

#include "host/plugin/elf_dynamic.hpp"
#include "host/plugin/elf_segments.hpp"
#include "sdk/contract/manifest_note.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kEntryStem = "gantry_plugin_v";

// A v1 table has grown at most this far; a bigger object is something else.
constexpr std::uint64_t kMaxTable = 4096;

// 7 for gantry_plugin_v7.
std::optional<unsigned> entry_major(std::string_view name) {
  if (!name.starts_with(kEntryStem)) return std::nullopt;
  name.remove_prefix(kEntryStem.size());
  unsigned major = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), major);
  if (error != std::errc{} || end != name.data() + name.size() || major == 0) return std::nullopt;
  return major;
}

struct Entries {
  std::optional<Elf64_Sym> ours;
  unsigned other_major = 0;
};

bool is_defined(const Elf64_Sym& symbol) { return symbol.st_shndx != SHN_UNDEF; }

void sort_symbol(std::string_view name, const Elf64_Sym& symbol, ElfInspection& found,
                 Entries& entries) {
  if (name.empty()) return;
  if (!is_defined(symbol)) {
    found.undefined.emplace_back(name);
    return;
  }
  if (ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE) ++found.unique_symbols;
  const auto major = entry_major(name);
  if (major == GANTRY_ABI_MAJOR) {
    entries.ours = symbol;
  } else if (major) {
    entries.other_major = *major;
  } else {
    found.exported.emplace_back(name);
  }
}

Status wrong_major(unsigned major) {
  const std::string ours = std::to_string(GANTRY_ABI_MAJOR);
  return {GANTRY_UNSUPPORTED, "the plugin is built for ABI " + std::to_string(major) +
                                  ", this host speaks " + ours + "; rebuild it with a GantrySDK " +
                                  ours + ".x"};
}

Status check_entry(const ElfView& elf, const Entries& entries) {
  if (!entries.ours) {
    if (entries.other_major != 0) return wrong_major(entries.other_major);
    return Status::invalid(
        "the library exports no gantry_plugin_v1; define that table in the plugin and build it "
        "with gantry_add_plugin(), whose version script exports it");
  }
  const Elf64_Sym& entry = *entries.ours;
  if (ELF64_ST_TYPE(entry.st_info) != STT_OBJECT) {
    return Status::invalid(
        "gantry_plugin_v1 is not a data object; define it as `const gantry_plugin "
        "gantry_plugin_v1 = {…}`");
  }
  constexpr std::uint64_t kTable = offsetof(gantry_plugin, destroy) + sizeof(void*);
  if (entry.st_size < kTable || entry.st_size > kMaxTable || entry.st_value % alignof(void*) != 0 ||
      !elf.is_mapped(entry.st_value, entry.st_size)) {
    return Status::invalid("gantry_plugin_v1 has " + std::to_string(entry.st_size) +
                           " bytes where a gantry_plugin has at least " + std::to_string(kTable) +
                           "; define it as `const gantry_plugin gantry_plugin_v1 = {…}`");
  }
  return Status::ok();
}

}  // namespace

std::vector<std::string> ElfInspection::warnings() const {
  std::vector<std::string> all;
  if (unique_symbols > 0) {
    all.push_back("has " + std::to_string(unique_symbols) +
                  " unique symbols and can never be unloaded; link it with the SDK's version "
                  "script (gantry_add_plugin() does) and -fno-gnu-unique");
  }
  if (never_unloads) {
    all.push_back("is linked with -z nodelete and can never be unloaded; link it without");
  }
  if (!exported.empty()) {
    all.push_back(
        "exports " + exported.front() +
        (exported.size() > 1 ? " and " + std::to_string(exported.size() - 1) + " more names" : "") +
        " besides gantry_plugin_v1; link it with the SDK's version script");
  }
  return all;
}

Result<ElfInspection> inspect_elf(std::string_view bytes) {
  const Result<ElfView> elf = ElfView::open(bytes);
  if (!elf) return elf.status();
  if (Status status = check_segments(*elf); !status) return status;
  const Result<ElfDynamic> dynamic = ElfDynamic::open(*elf);
  if (!dynamic) return dynamic.status();
  ElfInspection found;
  for (std::string_view name : dynamic->needed()) found.needed.emplace_back(name);
  found.never_unloads = dynamic->never_unloads();
  Entries entries;
  const bool whole = dynamic->each_symbol([&](std::string_view name, const Elf64_Sym& symbol) {
    sort_symbol(name, symbol, found, entries);
  });
  if (!whole) {
    return damaged_file("its table of symbols makes no sense");
  }
  if (Status status = check_entry(*elf, entries); !status) return status;
  Result<std::string> manifest = contract::find_manifest(*elf);
  if (!manifest) return manifest.status();
  found.manifest = std::move(manifest).value();
  return found;
}

}  // namespace gantry::host
