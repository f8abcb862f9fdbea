#include "host/rpc/rounds/rounds.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "host/auth/digest.hpp"
#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/rpc/items/run_item.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

std::string binding_of(const RoundsOf& of) {
  std::string arguments;  // without blanks, so that the client may format them anew
  append_compact(arguments, of.arguments.empty() ? "{}" : of.arguments);
  return digest_of({of.principal, of.method, digest_of({of.key, of.name, arguments})});
}

// Fields one after the other, each with its length before it.
std::string pack(std::initializer_list<std::string_view> fields) {
  std::string out;
  for (const std::string_view field : fields) {
    out += std::to_string(field.size());
    out += ':';
    out += field;
  }
  return out;
}

// Only for text made by pack(): the seal guarantees it.
std::vector<std::string> unpack(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t size = std::stoul(std::string(text.substr(0, text.find(':'))));
    text.remove_prefix(text.find(':') + 1);
    out.emplace_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

std::string version_of(const Item& item) {
  return item.plugin ? std::to_string(item.plugin->manifest().state_version) : std::string();
}

std::optional<Carried> unpack_for(const Item& item, std::string_view payload) {
  std::vector<std::string> fields = unpack(payload);
  const bool same = fields.size() == 8 && fields[0] == plugin_of(item) &&
                    fields[1] == item.spec.kind && fields[2] == item.spec.key() &&
                    fields[3] == version_of(item);
  if (!same) return std::nullopt;
  return Carried{std::move(fields[5]), std::move(fields[6]), std::stoi(fields[4]),
                 std::move(fields[7])};
}

}  // namespace

Responses read_responses(const Value* responses) {
  if (responses == nullptr) return {};
  if (!responses->IsObject()) {
    return {{}, Error::invalid_params("params.inputResponses must be an object of answers")};
  }
  std::string out = "{";
  for (const auto& entry : responses->GetObject()) {
    if (!entry.value.IsObject()) continue;
    if (out.size() > 1) out += ',';
    append_json_string(out, {entry.name.GetString(), entry.name.GetStringLength()});
    out += ':' + json_of(entry.value);
  }
  return {out.size() > 1 ? out + "}" : std::string(), std::nullopt};
}

Retry read_retry(Sealer& sealer, const Message& message, const RoundsOf& of, const Item& item) {
  Retry out;
  const Value* responses = message.param("inputResponses");
  const Value* state = message.param("requestState");
  if (responses == nullptr && state == nullptr) return out;
  Responses fresh = read_responses(responses);
  if (fresh.error) return {{}, std::move(fresh.error)};
  if (state == nullptr) {
    out.carried.answers = std::move(fresh.answers);
    out.carried.round = out.carried.answers.empty() ? 0 : 1;
    return out;
  }
  const auto text = text_of(state);
  if (!text) return {{}, Error::invalid_params("params.requestState must be a string")};
  auto payload = sealer.open(binding_of(of), *text, of.principal);
  if (!payload) return {{}, Error::invalid_params("requestState: " + payload.status().message())};
  if (auto carried = unpack_for(item, *payload)) {
    out.carried = std::move(*carried);
    out.carried.answers = merged(out.carried.answers, fresh.answers);
  }
  return out;
}

Result<std::string> input_required(const Sealer& sealer, Clock::Duration lifetime,
                                   const RoundsOf& of, const Item& item, const Carried& carried,
                                   std::string_view requests) {
  std::string out = "{\"resultType\":\"input_required\"";
  if (requests.size() > 2) out.append(",\"inputRequests\":").append(requests);  // not {}
  const bool nothing =
      carried.state.empty() && carried.approval.empty() && carried.answers.size() <= 2;  // {}
  if (!nothing) {
    const std::string payload =
        pack({plugin_of(item), item.spec.kind, item.spec.key(), version_of(item),
              std::to_string(carried.round), carried.answers, carried.state, carried.approval});
    auto sealed = sealer.seal(binding_of(of), payload, lifetime);
    if (!sealed) return sealed.status();
    out += ",\"requestState\":\"" + *sealed + "\"";
  }
  return out;
}

std::string merged(std::string_view old, std::string_view fresh) {
  if (fresh.empty()) return std::string(old);
  if (old.empty()) return std::string(fresh);
  rapidjson::Document before, now;
  if (!parse_exact(old, before) || !before.IsObject()) return std::string(fresh);
  if (!parse_exact(fresh, now) || !now.IsObject()) return std::string(old);
  for (auto& entry : now.GetObject()) {
    before.RemoveMember(entry.name);
    before.AddMember(entry.name, entry.value, before.GetAllocator());
  }
  return json_of(before);
}

}  // namespace gantry::host::rpc
