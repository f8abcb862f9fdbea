#include "host/observe/audit.hpp"

#include <charconv>
#include <vector>

#include "host/base/ids.hpp"
#include "host/base/json.hpp"
#include "host/observe/field_text.hpp"
#include "host/observe/packed_record.hpp"
#include "host/observe/record_filter.hpp"
#include "host/observe/utc.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMostFound = 20;

class Fields {
 public:
  Fields() { all_.reserve(40); }
  void add(const Field& field) { all_.push_back(field); }
  void add_text(std::string_view name, std::string_view text) {
    if (!text.empty()) add({name, text});
  }
  void add_json(std::string_view name, std::string_view json) {
    if (!json.empty()) add(Field::json(name, json));
  }
  std::span<const Field> all() const { return all_; }

 private:
  std::vector<Field> all_;
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
  fields.add_text("parent_agent_id", agent.parent_id);
  fields.add({"auth_type", agent.auth_type});
  fields.add({"master", agent.master});
  fields.add({"permissions", agent.permissions});
  fields.add_text("tenant", agent.tenant);
  fields.add_json("classes_only", agent.classes_only);
  fields.add_json("classes_except", agent.classes_except);
  fields.add_json("tools_only", agent.tools_only);
  fields.add_json("tools_except", agent.tools_except);
  fields.add_json("methods_only", agent.methods_only);
  fields.add_json("methods_except", agent.methods_except);
  fields.add_json("filters", agent.filters);
}

void add_outcome(Fields& fields, const AuditRecord::Outcome& outcome) {
  fields.add({"ran", outcome.ran});
  fields.add({"success", outcome.success});
  fields.add_text("error_code", outcome.error_code);
  fields.add_text("denial_kind", outcome.denial_kind);
  fields.add_text("denial_cause", outcome.denial_cause);
  fields.add({"result_size", outcome.bytes});
  fields.add({"duration_ms", outcome.duration_ms});
}

void add_approval(Fields& fields, const AuditRecord::Approval& approval) {
  if (approval.decision.empty()) return;
  fields.add({"approval", approval.decision});
  fields.add_text("approval_by", approval.by);
  fields.add({"approval_waited_ms", approval.waited_ms});
}

// Dollars with nine decimals: a single answer costs less than a cent.
std::string cost_text(double dollars) {
  char text[64];
  constexpr double kMost = 1e15;
  return {text,
          std::to_chars(text, std::end(text), std::min(dollars, kMost), std::chars_format::fixed, 9)
              .ptr};
}

// A round of input is no failure.
bool is_failure(const AuditRecord::Outcome& outcome) {
  return !outcome.success && outcome.error_code != "input_required";
}

// DEL and the controls U+0080 to U+009F as escapes too: a terminal may show the file. They can only
// stand inside strings of `json`.
void escape_controls(std::string& json) {
  for (std::size_t at = 0; at < json.size(); ++at) {
    const auto c = static_cast<unsigned char>(json[at]);
    const auto next = static_cast<unsigned char>(at + 1 < json.size() ? json[at + 1] : 0);
    const bool is_c1 = c == 0xC2 && next >= 0x80 && next <= 0x9F;
    if (c != 0x7F && !is_c1) continue;
    std::string escape;
    append_escape(escape, is_c1 ? next : c);
    json.replace(at, is_c1 ? 2 : 1, escape);
    at += escape.size() - 1;
  }
}

std::string json_line(std::span<const Field> fields, std::chrono::system_clock::time_point time) {
  std::string out = "{\"time\":\"" + utc_time(time) + "\"";
  append_members(out, fields);
  out += '}';
  escape_controls(out);
  return out;
}

// Calls `use` with the record's fields, which borrow from it.
template <class Use>
void with_fields(const StampedRecord& stamped, double usd_per_token, Use&& use) {
  const AuditRecord& record = stamped.record;
  const std::uint64_t tokens = record.outcome.bytes / 4;
  const std::string cost =
      usd_per_token > 0 ? cost_text(static_cast<double>(tokens) * usd_per_token) : "";
  Fields fields;
  add_call(fields, record);
  add_agent(fields, record.agent);
  add_outcome(fields, record.outcome);
  add_approval(fields, record.approval);
  fields.add_json("notes", record.notes);
  fields.add_text("correlation_id", record.correlation_id);
  fields.add_text("audit_id", stamped.audit_id);
  fields.add({"est_input_tokens", tokens});
  fields.add_json("est_cost_usd", cost);
  use(fields.all());
}

std::string line_of(const StampedRecord& stamped, double usd_per_token) {
  std::string out;
  with_fields(stamped, usd_per_token,
              [&](std::span<const Field> fields) { out = json_line(fields, stamped.time); });
  return out;
}

}  // namespace

Audit::Audit(Log& log, AuditOptions options)
    : log_(log),
      file_(std::move(options.file)),
      usd_per_token_(options.usd_per_million_tokens / 1e6),
      most_kept_(options.kept),
      prefix_(random_hex(4) + "-"),
      feed_(options.recent, [usd = usd_per_token_](std::string_view packed) {
        return line_of(unpack_record(packed), usd);
      }) {}

void Audit::write(const AuditRecord& record) noexcept {
  const bool failed = is_failure(record.outcome);
  const auto waited_ms = static_cast<double>(record.approval.waited_ms);
  series_.count(worked_ms(record.outcome.duration_ms, waited_ms), failed, record.outcome.bytes);
  try {
    const std::string audit_id = failed ? prefix_ + std::to_string(++serial_) : std::string();
    const StampedRecord stamped{record, audit_id, std::chrono::system_clock::now()};
    const auto packed = std::make_shared<const std::string>(pack_record(stamped));
    feed_.add(packed);
    if (failed) keep(packed);
    if (!file_ && !log_.records()) return;
    with_fields(stamped, usd_per_token_, [&](std::span<const Field> fields) {
      file_ ? file_->add(json_line(fields, stamped.time)) : log_.record("call", fields);
    });
  } catch (...) {
    // Without memory there is no record either.
  }
}

void Audit::keep(Packed record) {
  std::lock_guard lock(mutex_);
  failed_.push_back(std::move(record));
  if (failed_.size() > most_kept_) failed_.pop_front();
}

std::string Audit::find(std::string_view id) const {
  std::deque<Packed> failed;
  {
    std::lock_guard lock(mutex_);
    failed = failed_;
  }
  std::string out = "[";
  std::size_t found = 0;
  for (auto it = failed.rbegin(); it != failed.rend() && found < kMostFound; ++it) {
    const StampedRecord stamped = unpack_record(**it);
    if (stamped.audit_id != id && stamped.record.correlation_id != id) continue;
    if (found++ > 0) out += ',';
    out += line_of(stamped, usd_per_token_);
  }
  return out + "]";
}

}  // namespace gantry::host
