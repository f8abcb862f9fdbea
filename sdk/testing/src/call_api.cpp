// gantry.call/1 of the fake host: records the answer and detects violations.
#include <algorithm>
#include <array>

#include <gantry/json.hpp>

#include "sdk/contract/answer_forms.hpp"
#include "sdk/contract/call_writes.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/media_types.hpp"
#include "use.hpp"

namespace gantry::testing::detail {
namespace {

using contract::AnswerForm;

constexpr std::array<std::string_view, 14> kErrorCodes = {
    "access_denied",        "permission_denied", "tool_filtered",
    "invalid_argument",     "invalid_query",     "security_blocked",
    "rate_limited",         "timeout",           "cancelled",
    "store_error",          "internal_error",    "approval_declined",
    "approval_unavailable", "not_found"};

gantry_bytes arguments(const gantry_call* call) { return to_bytes(call->arguments); }

gantry_bytes property(const gantry_call* call, gantry_bytes key) {
  if (to_view(key) == "agent") return to_bytes(call->caller.agent);
  if (to_view(key) == "agent_scope") return to_bytes(call->caller.scope);
  if (to_view(key) == "is_of_host") return to_bytes(call->caller.is_host ? "true" : "");
  if (to_view(key) == "writes_up_to") return to_bytes(call->host.options.writes_up_to);
  if (to_view(key) == "max_answer_bytes") return to_bytes(call->host.max_answer_text);
  if (to_view(key) == "correlation_id") return to_bytes("test-correlation");
  if (to_view(key) == "protocol") return to_bytes(call->host.options.protocol);
  return {};
}

// Parts of one type are one.
void append(gantry_call& call, AnswerForm form, std::string_view type, std::string_view body) {
  if (form == AnswerForm::parts) {
    for (auto& [known, text] : call.reply.content) {
      if (known == type) {
        text += body;
        return;
      }
    }
  }
  call.reply.content.emplace_back(type, body);
}

gantry_status check_content(Use& use, std::string_view type, std::string_view body) {
  if (type != "text" && type != "block" && !contract::is_media_type(type)) {
    use.misuse("write() of the unknown type '" + std::string(type) +
               "'; a tool writes text, block, image/… or audio/…");
    return GANTRY_UNSUPPORTED;
  }
  if (type == "text" && !is_utf8(body)) return use.invalid("write() of text that is not UTF-8");
  const Result<Json> block = Json::parse(body);
  const std::string wrong = type != "block" ? ""
                            : block         ? contract::wrong_block(*block)
                                            : "is no JSON object with a \"type\"";
  if (!wrong.empty()) return use.invalid("write() of a block that " + wrong);
  return GANTRY_OK;
}

// Of a kind that the contract does not have: what its calls write is refused.
AnswerForm form_of(const gantry_call& call) {
  const contract::ItemKind* const kind = contract::find_kind(call.kind);
  return kind == nullptr ? AnswerForm::object : kind->form;
}

// Checks the type of a write against the form of the answer.
gantry_status check_write(Use& use, AnswerForm form, std::string_view type, std::string_view body) {
  if (form == AnswerForm::parts) return GANTRY_OK;
  if (form == AnswerForm::blocks) return check_content(use, type, body);
  if (form == AnswerForm::entries) {
    if (contract::is_mime_type(type)) return GANTRY_OK;
    use.misuse("write() of the type '" + std::string(type) +
               "'; a resource writes media types such as text/plain");
    return GANTRY_UNSUPPORTED;
  }
  use.misuse("write() is not for this kind; it answers with json_begin(), json_raw(), json_end()");
  return GANTRY_UNSUPPORTED;
}

gantry_status note_for_audit(gantry_call& call, Use& use, std::string_view body) {
  const auto note = Json::parse(body);
  if (!note || !note->is_object()) return use.invalid("write() of an audit note that is no object");
  std::size_t used = body.size();
  for (const std::string& one : call.reply.audit_notes) used += one.size();
  if (used > contract::kMostAuditBytes) return GANTRY_TOO_BIG;
  call.reply.audit_notes.emplace_back(body);
  return GANTRY_OK;
}

gantry_status write(gantry_call* call, gantry_bytes type_bytes, gantry_bytes body_bytes) {
  Use use(call, "write", true);
  if (use.status() != GANTRY_OK) return use.status();
  const std::string_view type = to_view(type_bytes);
  const std::string_view body = to_view(body_bytes);
  if (type == contract::kDenialPart) {
    if (!contract::is_denial_cause(body)) return use.invalid("write() of a cause that is no word");
    call->reply.denial_cause = body;
    return GANTRY_OK;
  }
  if (type == contract::kSpanPart) return GANTRY_OK;
  if (type == contract::kAuditPart) return note_for_audit(*call, use, body);
  const AnswerForm form = form_of(*call);
  if (gantry_status status = check_write(use, form, type, body); status != GANTRY_OK) {
    return status;
  }
  if (!call->limit.take(type.size() + body.size())) return GANTRY_TOO_BIG;
  append(*call, form, type, body);
  return GANTRY_OK;
}

gantry_status json_begin(gantry_call* call) {
  Use use(call, "json_begin", true);
  if (use.status() != GANTRY_OK) return use.status();
  const std::string_view broken = call->order.begin();
  return broken.empty() ? GANTRY_OK : use.misuse(broken);
}

gantry_status json_raw(gantry_call* call, gantry_bytes part) {
  Use use(call, "json_raw", true);
  if (use.status() != GANTRY_OK) return use.status();
  if (const std::string_view broken = call->order.add(); !broken.empty()) return use.misuse(broken);
  if (!call->limit.take(part.size)) return GANTRY_TOO_BIG;
  call->json += to_view(part);
  return GANTRY_OK;
}

gantry_status json_end(gantry_call* call) {
  Use use(call, "json_end", true);
  if (use.status() != GANTRY_OK) return use.status();
  const std::string_view broken = call->order.end();
  return broken.empty() ? GANTRY_OK : use.misuse(broken);
}

gantry_status fail(gantry_call* call, gantry_bytes code_bytes, gantry_bytes message_bytes,
                   gantry_bytes details_bytes) {
  Use use(call, "fail", true);
  if (use.status() != GANTRY_OK) return use.status();
  const std::string code(to_view(code_bytes));
  if (std::find(kErrorCodes.begin(), kErrorCodes.end(), code) == kErrorCodes.end()) {
    return use.invalid("fail() with the unknown error code '" + code + "'; ABI.md lists them");
  }
  if (!is_utf8(to_view(message_bytes)) || message_bytes.size == 0) {
    return use.invalid("fail() needs a message, a sentence in UTF-8");
  }
  if (details_bytes.size > 0 && !is_json_object(to_view(details_bytes))) {
    return use.invalid("fail() with details that are no JSON object");
  }
  Reply& reply = call->reply;
  reply.content.clear();
  call->json.clear();
  call->order.reset();
  call->limit.restart();
  call->failed = true;
  reply.error_code = code;
  reply.message = to_view(message_bytes);
  reply.details = to_view(details_bytes);
  return GANTRY_FAILED;
}

gantry_status progress(gantry_call* call, double done, double total, gantry_bytes note) {
  Use use(call, "progress", false);
  if (use.status() != GANTRY_OK) return use.status();
  auto& reports = call->reply.progress;
  if (reports.empty() || done > reports.back().done) {
    reports.push_back({done, total, std::string(to_view(note))});
  }
  return GANTRY_OK;
}

gantry_status log(gantry_call* call, int32_t level, gantry_bytes text) {
  Use use(call, "log", false);
  if (use.status() != GANTRY_OK) return use.status();
  if (level < GANTRY_LOG_EMERGENCY || level > GANTRY_LOG_DEBUG) {
    return use.invalid("log() with level " + std::to_string(level) + "; levels are 0 to 7");
  }
  if (call->is_task) return GANTRY_OK;  // a task drops them
  call->reply.log.push_back({level, std::string(to_view(text))});
  return GANTRY_OK;
}

int32_t cancelled(const gantry_call* call) {
  return use_of(*const_cast<gantry_call*>(call)).cancelled();  // nothing is modified
}

// Checks the use of a function that takes a callback.
gantry_status check_callback(gantry_call* call, const char* name, void (*function)(void*)) {
  Use use(call, name, false);
  if (use.status() == GANTRY_MISUSE) return GANTRY_MISUSE;
  return function == nullptr ? use.invalid(std::string(name) + "() without a function") : GANTRY_OK;
}

gantry_status on_cancel(gantry_call* call, void (*function)(void*), void* context) {
  const gantry_status status = check_callback(call, "on_cancel", function);
  return status < 0 ? status : use_of(*call).on_cancel(function, context);
}

gantry_status off_cancel(gantry_call* call, void (*function)(void*), void* context) {
  const gantry_status status = check_callback(call, "off_cancel", function);
  return status < 0 ? status : use_of(*call).off_cancel(function, context);
}

uint64_t deadline(const gantry_call* call) { return call->deadline; }

// False: the call cannot end with finish() now.
bool end(gantry_call& call, gantry_status status) {
  const std::lock_guard lock(call.mutex);
  if (!call.state.finish()) return false;
  call.reply.status = status;
  call.changed.notify_all();
  return true;
}

gantry_status finish(gantry_call* call, gantry_status status) {
  if (!end(*call, status)) {
    call->host.violation(label(*call) + " " + std::string(call->state.broken_by_finish()));
    return GANTRY_MISUSE;
  }
  call->tree.forget(call);
  return GANTRY_OK;
}

}  // namespace

std::string label(const gantry_call& call) { return call.kind + " '" + call.name + "'"; }

const gantry_call_api& call_table() {
  static const gantry_call_api table = {sizeof(gantry_call_api),
                                        arguments,
                                        property,
                                        write,
                                        json_begin,
                                        json_raw,
                                        json_end,
                                        fail,
                                        progress,
                                        log,
                                        cancelled,
                                        on_cancel,
                                        deadline,
                                        finish,
                                        off_cancel};
  return table;
}

}  // namespace gantry::testing::detail
