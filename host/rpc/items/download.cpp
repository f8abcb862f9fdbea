#include "host/rpc/items/download.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

#include <rapidjson/document.h>

#include "host/base/text.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/find_item.hpp"
#include "host/rpc/items/request_record.hpp"

namespace gantry::host::rpc {
namespace {

using namespace std::chrono_literals;
using Fault = Download::Fault;
using Value = rapidjson::Value;

// Tries to read a part while the server is busy, and the pause between them.
constexpr int kTries = 100;
constexpr auto kPause = 100ms;

bool is_callers_fault(std::string_view code) {
  constexpr std::array<std::string_view, 5> kCodes = {
      "not_found", "invalid_argument", "access_denied", "permission_denied", "tool_filtered"};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

Fault fault_of(const ItemAnswer& answer) {
  switch (answer.kind) {
    case ItemAnswer::Kind::unknown_item:
      return Fault::missing;
    case ItemAnswer::Kind::busy:
      return Fault::busy;
    case ItemAnswer::Kind::error:
      return is_callers_fault(answer.error_code) ? Fault::missing : Fault::broken;
    default:
      return Fault::broken;
  }
}

// The bytes of the first entry of a resource's contents; nothing if there is none.
std::optional<std::string> body_of(const std::string& structured) {
  rapidjson::Document result;
  result.Parse<rapidjson::kParseIterativeFlag>(structured.data(), structured.size());
  if (result.HasParseError()) return std::nullopt;
  const Value* contents = member(&result, "contents");
  if (contents == nullptr || !contents->IsArray() || contents->Empty()) return std::nullopt;
  const Value& first = (*contents)[0];
  if (const auto text = text_of(member(&first, "text"))) return std::string(*text);
  const auto blob = text_of(member(&first, "blob"));
  return blob ? from_base64(*blob) : std::nullopt;
}

bool take_starts(const Value* starts, Download::About& about) {
  if (starts == nullptr || !starts->IsArray() || starts->Empty()) return false;
  for (const Value& each : starts->GetArray()) {
    if (!each.IsUint64() || each.GetUint64() > about.bytes) return false;
    about.starts.push_back(each.GetUint64());
  }
  return about.starts.front() == 0 && std::is_sorted(about.starts.begin(), about.starts.end());
}

std::optional<Download::About> read_about(const std::string& text) {
  rapidjson::Document json;
  json.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  const Value* bytes = json.HasParseError() ? nullptr : member(&json, "bytes");
  if (bytes == nullptr || !bytes->IsUint64()) return std::nullopt;
  Download::About about;
  about.bytes = bytes->GetUint64();
  if (!take_starts(member(&json, "starts"), about)) return std::nullopt;
  about.mime_type = text_of(member(&json, "mime_type")).value_or("");
  about.name = text_of(member(&json, "name")).value_or("");
  return about;
}

}  // namespace

Download::Download(Core& core, const Principal& principal, Party party, std::string_view id)
    : scoped_count_(core.runs),
      core_(core),
      principal_(principal),
      party_(party.name),
      client_(party.client),
      uri_("export://" + std::string(id)) {}

Download::~Download() { core_.open_work.remove(*this); }

void Download::take_agents(const AgentChanges& changes) {
  if (changes.is_withdrawn(principal_.name)) cancel();
}

void Download::about(Then<About> then) {
  read("about", 1, [self = shared_from_this(), then = std::move(then)](auto read) {
    const auto* text = std::get_if<std::string>(&read);
    if (text == nullptr) return then(std::get<Fault>(read));
    auto about = read_about(*text);
    if (about) return then(std::move(*about));
    self->log_fault("about", "the description of a download is malformed");
    then(Fault::broken);
  });
}

void Download::part(const About& about, std::size_t part, Then<std::string> then) {
  const std::uint64_t size = about.end_of(part) - about.starts[part];
  const std::string number = std::to_string(part + 1);
  read(number, kTries,
       [self = shared_from_this(), size, number, then = std::move(then)](auto read) {
         const auto* text = std::get_if<std::string>(&read);
         if (text == nullptr || text->size() == size) return then(std::move(read));
         self->log_fault(number, "a part of a download does not have the announced size");
         then(Fault::broken);
       });
}

void Download::read(const std::string& what, int tries, Read then) {
  try {
    start(what, tries, then);
  } catch (const std::exception& problem) {
    core_.log.write(Level::error, "download failed inside", {{"problem", problem.what()}});
    then(Fault::broken);
  }
}

void Download::start(const std::string& what, int tries, Read then) {
  const ReleaseSnapshotOnExit release;
  const std::string uri = uri_ + "/" + what;
  ItemEntry request;
  request.snapshot = core_.registry.current();
  const FoundResource found = find_resource(core_.calls, *principal_.agent, *request.snapshot, uri);
  if (found.item == nullptr) return then(Fault::missing);
  request.item = found.item;
  request.name = uri;
  request.arguments = arguments_of(uri, found);
  std::uint64_t serial = 0;
  {
    std::unique_lock lock(mutex_);
    if (cancelled_) {
      lock.unlock();
      return then(Fault::broken);
    }
    serial = ++reads_;
    plugin_ = found.item->plugin ? found.item->plugin->manifest().name : std::string();
    generation_ = found.item->plugin ? found.item->plugin->generation() : 0;
  }
  const Context context{
      .principal = principal_, .revision = kModernRevision, .party = {party_, client_}};
  auto call = enter_item(core_, context, std::move(request),
                         [self = shared_from_this(), serial, what, tries,
                          then = std::move(then)](ItemAnswer&& answer) {
                           std::shared_ptr<CallHandle> ended;
                           {
                             std::lock_guard lock(self->mutex_);
                             self->ended_ = serial;
                             ended = std::move(self->call_);
                           }
                           self->answered(std::move(answer), what, tries, then);
                         });
  {
    std::lock_guard lock(mutex_);
    if (reads_ != serial || ended_ == serial) return;
    call_ = call;
    if (!cancelled_) return;
  }
  if (call) call->cancel(CancelReason::client_disconnected);
}

void Download::answered(ItemAnswer&& answer, const std::string& what, int tries, const Read& then) {
  if (answer.kind == ItemAnswer::Kind::result && !answer.is_error) {
    if (auto body = body_of(answer.structured)) return then(std::move(*body));
    log_fault(what, "a part of a download has no text and no blob");
    return then(Fault::broken);
  }
  const Fault fault = fault_of(answer);
  if (fault == Fault::busy && try_again(what, tries, then)) return;
  if (fault == Fault::broken && !answer.cancelled) {
    log_fault(what, answer.error_code + ": " + answer.message);
  }
  then(fault);
}

bool Download::try_again(const std::string& what, int tries, const Read& then) {
  std::lock_guard lock(mutex_);
  if (tries <= 1 || cancelled_) return false;
  timer_ = core_.timer.set(
      std::chrono::steady_clock::now() + kPause,
      [self = shared_from_this(), what, tries, then] { self->read(what, tries - 1, then); });
  return true;
}

void Download::cancel() {
  std::shared_ptr<CallHandle> call;
  Timer::Id timer = 0;
  {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    call = call_;
    timer = timer_;
  }
  if (call) call->cancel(CancelReason::client_disconnected);
  core_.timer.drop(timer);
}

void Download::record(std::string_view code, std::uint64_t bytes) const {
  ItemRequestParts parts;
  parts.name = uri_;
  parts.principal = principal_.name;
  parts.auth_type = principal_.auth_type;
  parts.agent = principal_.agent;
  {
    std::lock_guard lock(mutex_);
    parts.plugin = plugin_;
    parts.generation = generation_;
  }
  record_end(core_, parts,
             {.code = code,
              .ran = !parts.plugin.empty(),
              .bytes = static_cast<std::size_t>(bytes),
              .took = std::chrono::steady_clock::now() - begun_});
}

void Download::log_fault(std::string_view what, std::string_view fault) const {
  std::string plugin;
  {
    std::lock_guard lock(mutex_);
    plugin = plugin_;
  }
  core_.log.write(Level::error, fault, {{"plugin", plugin}, {"part", what}});
}

}  // namespace gantry::host::rpc
