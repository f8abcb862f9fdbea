#include "host/calls/redaction.hpp"

#include <utility>

#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

// The frame around a text: the service's arguments are an object.
constexpr std::string_view kBegin = R"({"value":[)", kEnd = "]}";

const Item* provider_of(const gantry_call& root) {
  const Item* const item = find_item(root.target.snapshot->service_by_name, kRedactionService);
  return item != nullptr && item->plugin->builtin() ? item : nullptr;
}

// Names of classes stand in members of this name, in stored JSON and in texts that hold JSON.
bool may_name_class(std::string_view text) { return text.find("className") != text.npos; }

}  // namespace

bool needs_redaction(gantry_call& root) {
  if (root.target.item == nullptr) return false;
  if (root.target.plugin->builtin() && !root.client.tainted) return false;
  Output& output = root.output;
  return (may_name_class(output.structured()) || may_name_class(output.content()) ||
          may_name_class(output.details())) &&
         provider_of(root) != nullptr;
}

std::string* Redaction::text_at(std::size_t part) const {
  Output& output = root_->output;
  switch (part) {
    case 0:
      return &output.structured();
    case 1:
      return &output.content();
    default:
      return &output.details();
  }
}

CallRef Redaction::next(CallSlab& slab) {
  constexpr std::size_t kTexts = 3;
  for (text_ = nullptr; text_ == nullptr && next_ < kTexts; ++next_) {
    if (may_name_class(*text_at(next_))) text_ = text_at(next_);
  }
  const Item* const item = text_ == nullptr ? nullptr : provider_of(*root_);
  if (item == nullptr) return {};
  CallRef call = CallRef::adopt(slab.take());
  call->engine = root_->engine;
  call->root = root_.get();
  call->nested.parent = CallRef(root_).release();
  call->nested.depth = 1;
  call->target.snapshot = root_->target.snapshot;
  call->target.plugin = item->plugin;
  call->target.item = item;
  call->target.kind = contract::find_kind(item->spec.kind);
  call->target.name = item->spec.name;
  call->agent.profile = root_->agent.profile;
  call->arguments.append(kBegin).append(*text_).append(kEnd);
  call->deadline = root_->deadline;
  call->output.reset(Output::For::nested_service, call->arguments.size());
  return call;
}

bool Redaction::take(gantry_call& ended, gantry_status status) {
  Output& output = ended.output;
  if (status < 0 || output.failed() || output.overflowed()) return false;
  if (output.parts().empty()) return true;  // nothing to hide
  const std::string& whole = output.parts().front().second;
  if (!whole.starts_with(kBegin) || !whole.ends_with(kEnd)) return false;
  text_->assign(whole, kBegin.size(), whole.size() - kBegin.size() - kEnd.size());
  return true;
}

}  // namespace gantry::host
