#include "sdk/contract/items.hpp"

#include <set>
#include <utility>

#include "sdk/contract/fields.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/item_reader.hpp"

namespace gantry::contract {
namespace {

constexpr std::size_t kMaxItems = 1024;
using Kind = RawJson::Kind;

// "items[2]", with the name when there is one: people look for the name.
std::string place_of(std::size_t index, const RawJson& item) {
  std::string place = "items[" + std::to_string(index) + "]";
  if (!item.is(Kind::object)) return place;
  const auto name = item.find("name");
  if (name && name->is(Kind::string)) place += " (" + std::string(name->text()) + ")";
  return place;
}

// What a completion is for, in the same offer.
const Item* completed_by(const Item& completion, const std::vector<Item>& specs) {
  for (const Item& spec : specs) {
    if (is_kind(spec.kind, kCompleted) && spec.key() == completion.name) return &spec;
  }
  return nullptr;
}

// An argument can be completed by exactly the agents that may use its prompt or template.
Status bind_completions(std::vector<Item>& specs) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].kind != "completion") continue;
    const Item* whole = completed_by(specs[i], specs);
    if (whole == nullptr) {
      return Status::invalid("items[" + std::to_string(i) + "]: the completion \"" + specs[i].name +
                             "\" is for no prompt and no URI template of this plugin; name one");
    }
    specs[i].tier = whole->tier;
  }
  return Status::ok();
}

}  // namespace

Result<std::vector<Item>> read_items(const RawJson& items, const std::optional<RawJson>& schemas,
                                     std::vector<std::string>& warnings) {
  if (!items.is(Kind::array)) return wrong_field("items", "an array", items);
  const std::vector<RawJson> elements = items.elements();
  if (elements.size() > kMaxItems) {
    return Status{GANTRY_TOO_BIG, "items has " + std::to_string(elements.size()) +
                                      " entries; at most 1024 are allowed"};
  }
  std::vector<Item> specs;
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string place = place_of(i, elements[i]);
    Result<Item> spec = read_item(place, elements[i], schemas, warnings);
    if (!spec) return spec.status();
    if (!seen.emplace(spec->kind, spec->key()).second) {
      return Status::invalid(place + ": the " + spec->kind + " \"" + spec->key() +
                             "\" is there twice; keep one");
    }
    specs.push_back(std::move(spec).value());
  }
  if (Status status = bind_completions(specs); !status) return status;
  return specs;
}

}  // namespace gantry::contract
