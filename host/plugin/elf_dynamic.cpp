#include "host/plugin/elf_dynamic.hpp"

#include <algorithm>

namespace gantry::host {
namespace {

// Bytes. A symbol whose name is longer counts as unnamed; no compiler writes such a name.
constexpr std::size_t kMaxName = 4096;

Status damaged() { return damaged_file("its dynamic section makes no sense"); }

}  // namespace

Result<ElfDynamic> ElfDynamic::open(const ElfView& elf) {
  ElfDynamic dynamic(elf);
  const auto& segments = elf.segments();
  const auto segment = std::find_if(segments.begin(), segments.end(),
                                    [](const auto& s) { return s.p_type == PT_DYNAMIC; });
  if (segment == segments.end()) return damaged();
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment->p_filesz; at += sizeof(Elf64_Dyn)) {
    const auto entry = *elf.read<Elf64_Dyn>(segment->p_offset + at);
    if (entry.d_tag == DT_NULL) break;
    dynamic.take(entry);
  }
  const auto names = elf.file_offset(dynamic.strings_, dynamic.strings_size_);
  if (!names || dynamic.symbols_ == 0) return damaged();
  dynamic.names_ = *elf.slice(*names, dynamic.strings_size_);
  return dynamic;
}

void ElfDynamic::take(const Elf64_Dyn& entry) {
  switch (entry.d_tag) {
    case DT_NEEDED:
      needed_.push_back(entry.d_un.d_val);
      break;
    case DT_STRTAB:
      strings_ = entry.d_un.d_ptr;
      break;
    case DT_STRSZ:
      strings_size_ = entry.d_un.d_val;
      break;
    case DT_SYMTAB:
      symbols_ = entry.d_un.d_ptr;
      break;
    case DT_HASH:
      hash_ = entry.d_un.d_ptr;
      break;
    case DT_GNU_HASH:
      gnu_hash_ = entry.d_un.d_ptr;
      break;
    case DT_FLAGS_1:
      flags_1_ = entry.d_un.d_val;
      break;
    default:
      break;
  }
}

std::string_view ElfDynamic::name_at(std::uint64_t index) const {
  if (index >= names_.size()) return {};
  const std::string_view rest = names_.substr(index, kMaxName);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

std::vector<std::string_view> ElfDynamic::needed() const {
  std::vector<std::string_view> names;
  for (std::uint64_t index : needed_) names.push_back(name_at(index));
  return names;
}

std::optional<std::uint64_t> ElfDynamic::symbol_count() const {
  if (gnu_hash_ != 0) return count_by_gnu_hash();
  if (hash_ == 0) return std::nullopt;
  const auto offset = elf_->file_offset(hash_, 8);
  if (!offset) return std::nullopt;
  return elf_->read<std::uint32_t>(*offset + 4);
}

// The GNU hash table does not hold the count: the symbols end with the chain of the highest bucket.
std::optional<std::uint64_t> ElfDynamic::count_by_gnu_hash() const {
  struct Header {
    std::uint32_t buckets, first, bloom_words, bloom_shift;
  };
  const auto offset = elf_->file_offset(gnu_hash_, sizeof(Header));
  if (!offset) return std::nullopt;
  const Header header = *elf_->read<Header>(*offset);
  const std::uint64_t buckets = *offset + sizeof(Header) + std::uint64_t{header.bloom_words} * 8;
  if (!elf_->slice(buckets, std::uint64_t{header.buckets} * 4)) return std::nullopt;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < header.buckets; ++i) {
    last = std::max(last, *elf_->read<std::uint32_t>(buckets + std::uint64_t{i} * 4));
  }
  if (last < header.first) return header.first;
  const std::uint64_t chains = buckets + std::uint64_t{header.buckets} * 4;
  for (std::uint64_t symbol = last;; ++symbol) {
    const auto link = elf_->read<std::uint32_t>(chains + (symbol - header.first) * 4);
    if (!link) return std::nullopt;
    if (*link & 1U) return symbol + 1;
  }
}

bool ElfDynamic::each_symbol(
    const std::function<void(std::string_view, const Elf64_Sym&)>& visit) const {
  const auto count = symbol_count();
  if (!count) return false;
  if (*count > elf_->bytes().size() / sizeof(Elf64_Sym)) return false;
  const auto offset = elf_->file_offset(symbols_, *count * sizeof(Elf64_Sym));
  if (!offset) return false;
  for (std::uint64_t i = 1; i < *count; ++i) {
    const auto symbol = *elf_->read<Elf64_Sym>(*offset + i * sizeof(Elf64_Sym));
    visit(name_at(symbol.st_name), symbol);
  }
  return true;
}

}  // namespace gantry::host
