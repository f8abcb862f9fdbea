#include "host/observe/audit.hpp"

#include <array>

namespace gantry::host {
namespace {

class Fields {
 public:
  void add(const Field& field) { fields_[count_++] = field; }
  void add_text(std::string_view name, std::string_view text) {
    if (!text.empty()) add({name, text});
  }
  void add_json(std::string_view name, std::string_view json) {
    if (!json.empty()) add(Field::json(name, json));
  }
  std::span<const Field> all() const { return {fields_.data(), count_}; }

 private:
  static constexpr std::size_t kMost = 24;
  std::array<Field, kMost> fields_ = filled(std::make_index_sequence<kMost>());
  std::size_t count_ = 0;

  template <std::size_t... I>
  static std::array<Field, kMost> filled(std::index_sequence<I...>) {
    return {((void)I, Field("", ""))...};
  }
};

void add_call(Fields& fields, const AuditRecord& record) {
  fields.add({"tool", record.tool});
  fields.add({"plugin", record.plugin});
  fields.add({"generation", record.generation});
  fields.add(Field::json("args_keys", record.args_keys.empty() ? "[]" : record.args_keys));
}

void add_agent(Fields& fields, const AuditRecord::Caller& agent) {
  fields.add({"agent", agent.name});
  fields.add({"agent_id", agent.id});
  fields.add({"depth", agent.depth});
  fields.add({"auth_type", agent.auth_type});
  fields.add({"master", agent.master});
  fields.add({"permissions", agent.permissions});
  fields.add_text("tenant", agent.tenant);
  fields.add_json("classes_only", agent.classes_only);
  fields.add_json("classes_except", agent.classes_except);
  fields.add_json("tools_only", agent.tools_only);
  fields.add_json("tools_except", agent.tools_except);
}

void add_outcome(Fields& fields, const AuditRecord::Outcome& outcome) {
  fields.add({"ran", outcome.ran});
  fields.add({"success", outcome.success});
  fields.add_text("error_code", outcome.error_code);
  fields.add_text("denial_kind", outcome.denial_kind);
  fields.add({"result_size", outcome.bytes});
  fields.add({"duration_ms", outcome.duration_ms});
}

}  // namespace

void write_audit(Log& log, const AuditRecord& record) noexcept {
  if (!log.records()) return;
  Fields fields;
  add_call(fields, record);
  add_agent(fields, record.agent);
  add_outcome(fields, record.outcome);
  fields.add_text("correlation_id", record.correlation_id);
  fields.add({"est_input_tokens", record.outcome.bytes / 4});
  log.record("call", fields.all());
}

}  // namespace gantry::host
