// host/rpc/tasks/tasks.hpp: the table of tasks: calls that continue after their request was
// answered, and whose result the client fetches.
//
//   begin -> working <-> input_required
//         -> completed | failed | cancelled, and forgotten task_ttl later
//
// A task has one of two forms for its whole life. `extension`: a tool of the modern era made its
// call a task (io.modelcontextprotocol/tasks). `requested`: a client of 2025-11-25 requested a task
// with params.task; its result is waited for with tasks/result, and it is never asked for input.
//
// A task is found by its id, its owner and its form together. Each change of a status of the form
// `extension` is published on the bus. Any thread; functions of Control and of wait() are called
// with nothing locked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <rapidjson/fwd.h>

#include "host/auth/principal.hpp"
#include "host/base/clock.hpp"
#include "host/base/text.hpp"
#include "host/bus/bus.hpp"
#include "host/limits/byte_budget.hpp"
#include "host/registry/snapshot.hpp"
#include "host/rpc/protocol_settings.hpp"

namespace gantry::host::rpc {

// A client may request that a call of the tool becomes a task: its plugin knows tasks
// (gantry.task/1). Such a plugin expects calls of any length.
bool can_be_task(const Item& tool);

// It has more than twenty methods: the sides of the call, the client and the host share one table
// and one lock.
class Tasks {
 public:
  // The call behind a task. Released when the task ends.
  struct Control {
    std::function<void()> cancel;
    std::function<void(std::string)> answered;  // {key: answer} for all requests
  };
  // tool_error: with a result whose isError is true; failed: with a JSON-RPC error.
  enum class End { completed, tool_error, failed, cancelled };
  enum class Form { extension, requested };
  struct Ended {
    End how;
    std::string json;  // the result or the error; empty after `cancelled`
  };
  using Waiting = std::function<void(const Ended&)>;

  // Both must outlive this.
  Tasks(Bus& bus, const Clock& clock, const ProtocolSettings& settings);

  // A new task and its members as JSON ("taskId":…,…); nothing when there are too many tasks. The
  // table owns the control until the task ends.
  struct Begun {
    std::string id, members;
  };
  std::optional<Begun> begin(std::string_view owner, Control control, Form form = Form::extension);

  // For the call. An unknown or ended task is ignored.
  void note(std::string_view id, std::string_view text);
  // `requests`: JSON object, key -> request. False: the task has ended, or there is no request.
  bool ask(std::string_view id, std::string_view requests);
  // `json`: the result, or the error, as JSON.
  void end(std::string_view id, End how, std::string json);

  // For the client. Nothing or false: the owner has no such task.
  std::optional<std::string> get(std::string_view id, std::string_view owner,
                                 Form form = Form::extension);
  // Accepts requested answers that are objects; with the last one the call continues.
  bool update(std::string_view id, std::string_view owner, const rapidjson::Value& answers);
  // A task of the form `requested` has ended when this returns, whatever its call does.
  bool cancel(std::string_view id, std::string_view owner, Form form = Form::extension);
  // Whether a task of the form `requested` has ended; nothing: the owner has no such task.
  std::optional<bool> has_ended(std::string_view id, std::string_view owner);
  // Calls `waiting` once when the task of the form `requested` ends; at once if it has ended. The
  // number is for drop_wait().
  std::optional<std::uint64_t> wait(std::string_view id, std::string_view owner, Waiting waiting);
  void drop_wait(std::string_view id, std::uint64_t number);

  // Cancels all tasks that have not ended, or those of these owners.
  void cancel_all();
  void cancel_of(const PrincipalNames& owners);
  std::size_t size() const;
  std::size_t active() const;  // tasks that have not ended

 private:
  enum class Status { working, input_required, completed, failed, cancelled };
  // It has more than twelve members: the state of one task, which one lock guards.
  struct Task {
    std::string owner, created, updated, note, json;
    Form form = Form::extension;
    Status status = Status::working;
    End how = End::completed;                                   // after the end
    std::vector<std::pair<std::uint64_t, Waiting>> waits;       // until the end
    std::vector<std::pair<std::string, std::string>> requests;  // not yet answered
    std::string answers;                                        // so far
    std::shared_ptr<Control> control;                           // null after the end
    std::shared_ptr<ByteBudget::Share> kept;                    // bytes of the result or error
  };
  using Table = std::unordered_map<std::string, Task, TextHash, std::equal_to<>>;

  void cancel_where(const std::function<bool(const std::string& owner)>& is_meant);

  std::string members_of(std::string_view id, const Task& task) const;
  void set(Task& task, Status status);
  void publish(std::string_view id);
  Task* find(std::string_view id, std::string_view owner, Form form);
  void keep(std::string_view id);
  void forget_result(std::string_view id);
  void forget_expired();

  Bus& bus_;
  const Clock& clock_;
  const ProtocolSettings settings_;
  std::mutex order_mutex_;  // changes are published in their order; taken before mutex_
  mutable std::mutex mutex_;
  Table tasks_;
  std::uint64_t waits_ = 0;                                   // that there have been
  std::deque<std::pair<Clock::Instant, std::string>> ended_;  // ids by the time to drop them
};

}  // namespace gantry::host::rpc
