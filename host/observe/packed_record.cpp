#include "host/observe/packed_record.hpp"

#include <cstring>

namespace gantry::host {
namespace {

// Everything of a record that is no text.
struct Numbers {
  std::chrono::system_clock::time_point time{};
  std::uint64_t generation = 0, bytes = 0;
  std::int64_t waited_ms = 0;
  double duration_ms = 0;
  int depth = 0;
  bool master = false, ran = false, success = false;
};

template <class Stamped, class Visit>
void each_text(Stamped& all, Visit&& visit) {
  auto& record = all.record;
  auto& agent = record.agent;
  for (auto* text : {&record.tool,
                     &record.plugin,
                     &record.args_keys,
                     &record.notes,
                     &agent.name,
                     &agent.id,
                     &agent.parent_id,
                     &agent.auth_type,
                     &agent.permissions,
                     &agent.tenant,
                     &agent.classes_only,
                     &agent.classes_except,
                     &agent.tools_only,
                     &agent.tools_except,
                     &agent.methods_only,
                     &agent.methods_except,
                     &agent.filters,
                     &record.outcome.error_code,
                     &record.outcome.denial_kind,
                     &record.outcome.denial_cause,
                     &record.approval.decision,
                     &record.approval.by,
                     &record.correlation_id,
                     &all.audit_id}) {
    visit(*text);
  }
}

Numbers numbers_of(const StampedRecord& all) {
  const AuditRecord& record = all.record;
  return {all.time,
          record.generation,
          record.outcome.bytes,
          record.approval.waited_ms,
          record.outcome.duration_ms,
          record.agent.depth,
          record.agent.master,
          record.outcome.ran,
          record.outcome.success};
}

}  // namespace

std::string pack_record(const StampedRecord& stamped) {
  const Numbers numbers = numbers_of(stamped);
  std::size_t size = sizeof numbers;
  each_text(stamped,
            [&size](std::string_view text) { size += sizeof(std::uint32_t) + text.size(); });
  std::string out;
  out.reserve(size);
  out.append(reinterpret_cast<const char*>(&numbers), sizeof numbers);
  each_text(stamped, [&out](std::string_view text) {
    const auto length = static_cast<std::uint32_t>(text.size());
    out.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
  });
  return out;
}

StampedRecord unpack_record(std::string_view packed) {
  Numbers numbers;
  std::memcpy(static_cast<void*>(&numbers), packed.data(), sizeof numbers);
  packed.remove_prefix(sizeof numbers);
  StampedRecord out;
  out.time = numbers.time;
  out.record.generation = numbers.generation;
  out.record.outcome.bytes = numbers.bytes;
  out.record.approval.waited_ms = numbers.waited_ms;
  out.record.outcome.duration_ms = numbers.duration_ms;
  out.record.agent.depth = numbers.depth;
  out.record.agent.master = numbers.master;
  out.record.outcome.ran = numbers.ran;
  out.record.outcome.success = numbers.success;
  each_text(out, [&packed](std::string_view& text) {
    std::uint32_t length = 0;
    std::memcpy(&length, packed.data(), sizeof length);
    text = packed.substr(sizeof length, length);
    packed.remove_prefix(sizeof length + length);
  });
  return out;
}

}  // namespace gantry::host
