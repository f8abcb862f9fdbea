#include "catalog/catalog.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace gantry::data {

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::string:
      return "String";
    case Kind::integer:
      return "Integer";
    case Kind::number:
      return "Number";
    case Kind::boolean:
      return "Boolean";
    case Kind::date:
      return "Date";
    case Kind::object:
      return "Object";
    case Kind::array:
      return "Array";
    case Kind::bytes:
      return "Bytes";
    case Kind::pointer:
      return "Pointer";
    case Kind::any:
      break;
  }
  return "Any";
}

const Field* ClassInfo::find(std::string_view field) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [field](const Field& f) { return f.name == field; });
  return found == fields.end() ? nullptr : &*found;
}

const Field* ClassInfo::role(std::string_view role_name) const {
  std::optional<std::size_t> at;
  if (role_name == kDateRoles[0]) at = created_at;
  if (role_name == kDateRoles[1]) at = updated_at;
  return at ? &fields[*at] : nullptr;
}

struct Catalog::Declared {
  std::vector<ClassInfo> classes;
  std::unordered_map<std::string_view, std::size_t> by_name;
};

struct Catalog::Slot {
  std::mutex mutex;
  std::unique_ptr<const ClassInfo> info;  // set once
  bool settled = false;
};

Catalog::Catalog(std::vector<ClassInfo> classes, std::int64_t schema_version, Sampler sampler)
    : schema_version_(schema_version), sampler_(std::move(sampler)) {
  std::sort(classes.begin(), classes.end(),
            [](const ClassInfo& a, const ClassInfo& b) { return a.name < b.name; });
  auto declared = std::make_shared<Declared>();
  declared->classes = std::move(classes);
  for (std::size_t i = 0; i < declared->classes.size(); ++i) {
    declared->by_name.emplace(declared->classes[i].name, i);
    slots_.push_back(std::make_shared<Slot>());
  }
  declared_ = std::move(declared);
}

Catalog::Catalog(const Catalog& other) = default;
Catalog::~Catalog() = default;

const std::vector<ClassInfo>& Catalog::classes() const { return declared_->classes; }

const ClassInfo* Catalog::declared(std::string_view name) const {
  const auto found = declared_->by_name.find(name);
  return found == declared_->by_name.end() ? nullptr : &declared_->classes[found->second];
}

const ClassInfo* Catalog::find(std::string_view name, bool* is_sampled) const {
  const auto found = declared_->by_name.find(name);
  if (found == declared_->by_name.end()) return nullptr;
  const ClassInfo& declared = declared_->classes[found->second];
  if (!sampler_) return &declared;
  Slot& slot = *slots_[found->second];
  const std::lock_guard lock(slot.mutex);
  if (!slot.info) {
    auto sampled = sampler_(declared);
    if (is_sampled != nullptr) *is_sampled = sampled.has_value();
    if (!sampled) return &declared;
    slot.info = std::make_unique<const ClassInfo>(std::move(sampled->info));
    slot.settled = sampled->settled;
  }
  return slot.info.get();
}

bool Catalog::worth_renewing() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const auto& slot) {
    const std::lock_guard lock(slot->mutex);
    return slot->info && !slot->settled;
  });
}

std::shared_ptr<const Catalog> Catalog::renewed() const {
  std::shared_ptr<Catalog> copy(new Catalog(*this));
  for (auto& slot : copy->slots_) {
    const std::lock_guard lock(slot->mutex);
    if (slot->info && !slot->settled) slot = nullptr;
  }
  for (auto& slot : copy->slots_) {
    if (!slot) slot = std::make_shared<Slot>();
  }
  return copy;
}

}  // namespace gantry::data
