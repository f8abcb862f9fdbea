// host/plugin/elf_dynamic.hpp: the dynamic section and its symbols.
//
// Views into the ElfView's bytes; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "sdk/contract/elf_view.hpp"

namespace gantry::host {

using contract::damaged_file;
using contract::ElfView;

class ElfDynamic {
 public:
  static Result<ElfDynamic> open(const ElfView& elf);

  std::vector<std::string_view> needed() const;
  bool never_unloads() const { return (flags_1_ & DF_1_NODELETE) != 0; }

  // Calls `visit(name, symbol)` for every dynamic symbol; false when the table is damaged.
  bool each_symbol(const std::function<void(std::string_view, const Elf64_Sym&)>& visit) const;

 private:
  explicit ElfDynamic(const ElfView& elf) : elf_(&elf) {}
  void take(const Elf64_Dyn& entry);
  std::string_view name_at(std::uint64_t index) const;
  std::optional<std::uint64_t> symbol_count() const;
  std::optional<std::uint64_t> count_by_gnu_hash() const;

  const ElfView* elf_;
  std::vector<std::uint64_t> needed_;
  std::uint64_t strings_ = 0, strings_size_ = 0, symbols_ = 0;
  std::uint64_t hash_ = 0, gnu_hash_ = 0, flags_1_ = 0;
  std::string_view names_;
};

}  // namespace gantry::host
