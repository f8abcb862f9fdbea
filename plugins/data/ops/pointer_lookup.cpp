#include "ops/pointer_lookup.hpp"

namespace gantry::data {
namespace {

std::string path_of(const std::vector<std::string>& names, std::size_t from) {
  std::string path = names[from];
  for (std::size_t i = from + 1; i < names.size(); ++i) path += "." + names[i];
  return path;
}

bool has_one_id_column(const ClassView& cls) {
  return !cls.is_open() && cls.id_form == IdForm::column && cls.id_fields.size() == 1;
}

}  // namespace

PointerLookup::Target& PointerLookup::target(const std::string& class_name) {
  const auto [it, is_new] = targets_.try_emplace(class_name);
  if (is_new) {
    const ClassView* const cls = request_.scope.open(class_name);
    it->second.cls = cls != nullptr && has_one_id_column(*cls) ? cls : nullptr;
  }
  return it->second;
}

std::optional<Json> PointerLookup::find(const Json& object, const std::vector<std::string>& names,
                                        std::size_t from) {
  const auto type = object.find("__type");
  if (!type || type->text() != "\"Pointer\"") return std::nullopt;
  const auto name = object.find("className"), id = object.find("objectId");
  if (!name || !name->is_string() || !id || !id->is_string()) return std::nullopt;
  Target& to = target(*name->as_string());
  if (to.cls == nullptr) return std::nullopt;
  if (!is_fetched_) {
    to.paths.insert(path_of(names, from));
    to.wanted.insert(*id->as_string());
    return std::nullopt;
  }
  const auto found = to.objects.find(*id->as_string());
  if (found == to.objects.end()) return std::nullopt;
  const auto parsed = Json::parse(found->second);
  return parsed ? std::optional<Json>(*parsed) : std::nullopt;
}

void PointerLookup::fetch(Lease& lease) {
  is_fetched_ = true;
  RowReader reader(lease);
  for (auto& [name, to] : targets_) {
    if (to.wanted.empty()) continue;
    Shape shape = shape_;
    shape.keys.insert(shape.keys.end(), to.paths.begin(), to.paths.end());
    const Selection fields = select_fields(request_.scope, *to.cls, shape);
    to.objects = reader.fetch(fields, {to.wanted.begin(), to.wanted.end()});
  }
}

void PointerLookup::forget() {
  is_fetched_ = false;
  for (auto& [name, to] : targets_) {
    to.wanted.clear();
    to.objects.clear();
  }
}

}  // namespace gantry::data
