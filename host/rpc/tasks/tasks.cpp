#include "host/rpc/tasks/tasks.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <gantry/abi/task.h>

#include "host/base/exact_json.hpp"
#include "host/base/ids.hpp"
#include "host/base/json.hpp"
#include "host/rpc/message/message.hpp"
#include "host/rpc/rounds/rounds.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::size_t kIdBytes = 16, kMaxNote = 1'000;
constexpr std::array<std::string_view, 5> kNames = {"working", "input_required", "completed",
                                                    "failed", "cancelled"};

// Wall-clock time in ISO 8601, UTC, milliseconds.
std::string now_text() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);
  const std::string thousandth = std::to_string(1'000 + now.tv_nsec / 1'000'000);
  return std::string(text, size) + thousandth.substr(1) + "Z";
}

}  // namespace

bool can_be_task(const Item& tool) {
  return tool.spec.kind == "tool" && tool.plugin &&
         tool.plugin->manifest().asks_for(GANTRY_TASK_SERVICE);
}

Tasks::Tasks(Bus& bus, const Clock& clock, const ProtocolSettings& settings)
    : bus_(bus), clock_(clock), settings_(settings) {}

std::string Tasks::members_of(std::string_view id, const Task& task) const {
  std::string out;
  append_text_member(out, "taskId", id);
  append_text_member(out, "status", kNames[static_cast<std::size_t>(task.status)]);
  if (!task.note.empty()) append_text_member(out, "statusMessage", task.note);
  append_text_member(out, "createdAt", task.created);
  append_text_member(out, "lastUpdatedAt", task.updated);
  const bool requested = task.form == Form::requested;
  append_json_member(out, requested ? "ttl" : "ttlMs",
                     std::to_string(settings_.limits.task_ttl.count()));
  append_json_member(out, requested ? "pollInterval" : "pollIntervalMs",
                     std::to_string(settings_.task_poll.count()));
  if (requested) return out;
  if (task.status == Status::completed) append_json_member(out, "result", task.json);
  if (task.status == Status::failed) append_json_member(out, "error", task.json);
  if (task.status != Status::input_required) return out;
  append_json_member(out, "inputRequests", "{");
  for (const auto& [key, request] : task.requests) append_json_member(out, key, request);
  return out + "}";
}

void Tasks::set(Task& task, Status status) {
  task.status = status;
  task.updated = now_text();
}

// With order_mutex_ held and mutex_ not.
void Tasks::publish(std::string_view id) {
  if (bus_.size() == 0) return;
  Event event;
  event.kind = Event::Kind::task_changed;
  {
    std::lock_guard lock(mutex_);
    const auto found = tasks_.find(id);
    if (found == tasks_.end() || found->second.form == Form::requested) return;
    event.task = id;
    event.owner = found->second.owner;
    event.json = "{" + members_of(id, found->second) + "}";
  }
  bus_.publish(event);
}

void Tasks::forget_expired() {
  const auto now = clock_.now();
  while (!ended_.empty() && ended_.front().first <= now) {
    tasks_.erase(ended_.front().second);
    ended_.pop_front();
  }
}

std::optional<Tasks::Begun> Tasks::begin(std::string_view owner, Control control, Form form) {
  std::lock_guard lock(mutex_);
  forget_expired();
  const auto own = std::count_if(tasks_.begin(), tasks_.end(),
                                 [&](const auto& entry) { return entry.second.owner == owner; });
  const bool room = tasks_.size() < settings_.limits.max_tasks &&
                    static_cast<std::size_t>(own) < settings_.limits.max_tasks_per_owner;
  if (!room) return std::nullopt;
  std::string id = "tk_" + random_hex(kIdBytes);
  Task& task = tasks_[id];
  task.owner = owner;
  task.form = form;
  task.control = std::make_shared<Control>(std::move(control));
  set(task, Status::working);
  task.created = task.updated;
  std::string members = members_of(id, task);
  return Begun{std::move(id), std::move(members)};
}

void Tasks::note(std::string_view id, std::string_view text) {
  std::lock_guard lock(mutex_);
  const auto found = tasks_.find(id);
  if (found == tasks_.end() || !found->second.control) return;
  found->second.note = text.substr(0, kMaxNote);
  found->second.updated = now_text();
}

bool Tasks::ask(std::string_view id, std::string_view requests) {
  rapidjson::Document asked;
  if (!parse_exact(requests, asked) || !asked.IsObject() || asked.ObjectEmpty()) return false;
  std::lock_guard order(order_mutex_);
  {
    std::lock_guard lock(mutex_);
    const auto found = tasks_.find(id);
    if (found == tasks_.end() || !found->second.control) return false;
    Task& task = found->second;
    task.requests.clear();
    task.answers.clear();
    for (const auto& entry : asked.GetObject()) {
      task.requests.emplace_back(std::string(entry.name.GetString(), entry.name.GetStringLength()),
                                 json_of(entry.value));
    }
    set(task, Status::input_required);
  }
  publish(id);
  return true;
}

void Tasks::end(std::string_view id, End how, std::string json) {
  std::shared_ptr<Control> done;  // released without a lock
  std::vector<std::pair<std::uint64_t, Waiting>> waits;
  Ended ended{how, {}};
  std::unique_lock order(order_mutex_);
  {
    std::lock_guard lock(mutex_);
    const auto found = tasks_.find(id);
    if (found == tasks_.end() || !found->second.control) return;
    Task& task = found->second;
    done = std::move(task.control);
    task.requests.clear();
    task.json = std::move(json);
    task.how = how;
    const bool fails =
        how == End::failed || (how == End::tool_error && task.form == Form::requested);
    set(task, how == End::cancelled ? Status::cancelled
              : fails               ? Status::failed
                                    : Status::completed);
    ended_.emplace_back(clock_.now() + settings_.limits.task_ttl, found->first);
    waits.swap(task.waits);
    if (!waits.empty()) ended.json = task.json;
  }
  publish(id);
  keep(id);
  order.unlock();
  for (const auto& [number, waiting] : waits) waiting(ended);
}

// Called without mutex_, because the budget may evict results of other tasks.
void Tasks::keep(std::string_view id) {
  std::shared_ptr<ByteBudget::Share> kept;
  std::size_t bytes = 0;
  {
    std::lock_guard lock(mutex_);
    const auto found = tasks_.find(id);
    if (found == tasks_.end() || !settings_.kept) return;
    bytes = found->second.json.size();
    kept = found->second.kept = std::make_shared<ByteBudget::Share>(
        settings_.kept, ByteBudget::Progress::by_growth,
        [this, name = std::string(id)] { forget_result(name); });
  }
  if (!kept->hold(bytes)) forget_result(id);
}

void Tasks::forget_result(std::string_view id) {
  std::lock_guard lock(mutex_);
  const auto found = tasks_.find(id);
  const bool has_result =
      found != tasks_.end() && !found->second.control && found->second.status != Status::cancelled;
  if (!has_result) return;
  found->second.how = End::failed;
  found->second.json =
      R"({"code":-32000,"message":"The result was dropped: the server keeps too much for clients that do not fetch it. Call the tool again."})";
  set(found->second, Status::failed);
}

Tasks::Task* Tasks::find(std::string_view id, std::string_view owner, Form form) {
  forget_expired();
  const auto found = tasks_.find(id);
  const bool fits =
      found != tasks_.end() && found->second.owner == owner && found->second.form == form;
  return fits ? &found->second : nullptr;
}

std::optional<std::string> Tasks::get(std::string_view id, std::string_view owner, Form form) {
  std::lock_guard lock(mutex_);
  const Task* task = find(id, owner, form);
  if (task == nullptr) return std::nullopt;
  if (task->kept) task->kept->touch();
  return members_of(id, *task);
}

bool Tasks::update(std::string_view id, std::string_view owner, const rapidjson::Value& answers) {
  std::shared_ptr<Control> control;
  std::string all;
  {
    std::lock_guard order(order_mutex_);
    {
      std::lock_guard lock(mutex_);
      Task* task = find(id, owner, Form::extension);
      if (task == nullptr) return false;
      if (task->status != Status::input_required) return true;
      std::erase_if(task->requests, [&](const auto& request) {
        const auto* answer = member(&answers, request.first);
        if (answer == nullptr || !answer->IsObject()) return false;
        task->answers =
            merged(task->answers, "{" + json_string(request.first) + ":" + json_of(*answer) + "}");
        return true;
      });
      task->updated = now_text();
      if (!task->requests.empty()) return true;
      set(*task, Status::working);
      control = task->control;
      all = std::move(task->answers);
    }
    publish(id);
  }
  control->answered(std::move(all));
  return true;
}

bool Tasks::cancel(std::string_view id, std::string_view owner, Form form) {
  std::shared_ptr<Control> control;
  {
    std::lock_guard lock(mutex_);
    const Task* task = find(id, owner, form);
    if (task == nullptr) return false;
    control = task->control;
  }
  if (!control) return true;
  if (form == Form::requested) end(id, End::cancelled, "");
  control->cancel();
  return true;
}

std::optional<bool> Tasks::has_ended(std::string_view id, std::string_view owner) {
  std::lock_guard lock(mutex_);
  const Task* task = find(id, owner, Form::requested);
  return task == nullptr ? std::nullopt : std::optional(!task->control);
}

std::optional<std::uint64_t> Tasks::wait(std::string_view id, std::string_view owner,
                                         Waiting waiting) {
  Ended ended;
  std::uint64_t number = 0;
  {
    std::lock_guard lock(mutex_);
    Task* task = find(id, owner, Form::requested);
    if (task == nullptr) return std::nullopt;
    number = ++waits_;
    if (task->control) {
      task->waits.emplace_back(number, std::move(waiting));
      return number;
    }
    if (task->kept) task->kept->touch();
    ended = {task->how, task->json};
  }
  waiting(ended);
  return number;
}

void Tasks::drop_wait(std::string_view id, std::uint64_t number) {
  std::lock_guard lock(mutex_);
  const auto found = tasks_.find(id);
  if (found == tasks_.end()) return;
  std::erase_if(found->second.waits, [&](const auto& wait) { return wait.first == number; });
}

void Tasks::cancel_all() {
  cancel_where([](const std::string&) { return true; });
}

void Tasks::cancel_of(const PrincipalNames& owners) {
  cancel_where([&](const std::string& owner) { return owners.contains(owner); });
}

void Tasks::cancel_where(const std::function<bool(const std::string&)>& is_meant) {
  std::vector<std::shared_ptr<Control>> running;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, task] : tasks_) {
      if (task.control && is_meant(task.owner)) running.push_back(task.control);
    }
  }
  for (const auto& control : running) control->cancel();
}

std::size_t Tasks::size() const {
  std::lock_guard lock(mutex_);
  return tasks_.size();
}

std::size_t Tasks::active() const {
  std::lock_guard lock(mutex_);
  return tasks_.size() - ended_.size();
}

}  // namespace gantry::host::rpc
