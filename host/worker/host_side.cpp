// What a worker asks and says, carried out through the contract's tables.
#include <utility>

#include "host/worker/worker_calls.hpp"

namespace gantry::host::worker {
namespace {

gantry_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

Status malformed(const Frame& frame) {
  return Status::invalid("a frame of type " +
                         std::to_string(static_cast<unsigned>(frame.header.type)) +
                         " whose body is not as it should be");
}

void append_part(void* context, gantry_bytes part) {
  static_cast<std::string*>(context)->append(part.data, part.size);
}

}  // namespace

void WorkerCalls::post(const gantry_call* call, std::function<void()> work) {
  begin_job();
  const auto job = [this, shared = std::make_shared<std::function<void()>>(std::move(work))] {
    std::exchange(*shared, nullptr)();
    end_job();
  };
  if (!services_.post(call, job)) job();
}

void WorkerCalls::begin_job() {
  std::lock_guard lock(jobs_mutex_);
  ++jobs_;
}

void WorkerCalls::end_job() {
  std::lock_guard lock(jobs_mutex_);
  if (--jobs_ == 0) no_jobs_.notify_all();
}

void WorkerCalls::wait_for_jobs() {
  std::unique_lock lock(jobs_mutex_);
  no_jobs_.wait(lock, [this] { return jobs_ == 0; });
}

void WorkerCalls::reply(const Frame& to, gantry_status status) {
  FrameWriter frame(FrameType::reply, to.header.call, to.header.request);
  frame.number(status);
  outlet_.send(life_, frame.bytes());
}

void WorkerCalls::reply(const Frame& to, gantry_status status, std::string_view text) {
  FrameWriter frame(FrameType::reply, to.header.call, to.header.request);
  if (!frame.number(status).text(text).fits()) return reply(to, GANTRY_TOO_BIG);
  outlet_.send(life_, frame.bytes());
}

Status WorkerCalls::take(const Frame& frame) {
  switch (frame.header.type) {
    case FrameType::log:
    case FrameType::offer:
    case FrameType::secret:
    case FrameType::changed:
    case FrameType::watched:
      return asked_instance(frame);
    default:
      break;
  }
  const TicketPtr ticket = find(frame.header.call);
  const bool ends =
      frame.header.type == FrameType::returned || frame.header.type == FrameType::finish;
  if (!ticket) {
    if (ends) return Status::invalid("the end of a call that it does not have");
    // A thread of the plugin that came too late, as it may.
    if (frame.header.request != 0) reply(frame, GANTRY_MISUSE);
    return Status::ok();
  }
  return take_of_call(frame, ticket);
}

Status WorkerCalls::take_of_call(const Frame& frame, const TicketPtr& ticket) {
  if (frame.header.type == FrameType::returned) return returned(frame, ticket);
  bool there = false;
  {
    std::lock_guard lock(mutex_);
    there = ticket->state == Ticket::State::sent;
  }
  if (!there) {
    if (frame.header.type == FrameType::finish) {
      return Status::invalid("a second end of the same call");
    }
    if (frame.header.request != 0) reply(frame, GANTRY_MISUSE);
    return Status::ok();
  }
  switch (frame.header.type) {
    case FrameType::finish:
      return finished(frame, ticket);
    case FrameType::write:
      return wrote(frame, *ticket);
    case FrameType::progress:
    case FrameType::call_log:
      return told(frame, *ticket);
    case FrameType::input:
    case FrameType::keep:
      return asked_input(frame, *ticket);
    case FrameType::task:
      return asked_task(frame, *ticket);
    case FrameType::catalog:
      return asked_catalog(frame, *ticket);
    case FrameType::nested:
      return nested(frame, ticket);
    default:
      return Status::invalid("a frame that only the host may send");
  }
}

Status WorkerCalls::returned(const Frame& frame, const TicketPtr& ticket) {
  BodyReader body(frame.body);
  const auto status = body.number<gantry_status>();
  if (!body.ok()) return malformed(frame);
  bool ended_before = false, over = false;
  {
    std::lock_guard lock(mutex_);
    if (ticket->returned || !ticket->was_sent()) {
      return Status::invalid("a second return from the same call");
    }
    ticket->returned = true;
    ticket->let_out();
    ended_before = ticket->state != Ticket::State::sent;
    over = ticket->state == Ticket::State::over;
  }
  if (status != GANTRY_PENDING && !ended_before) {
    end(ticket, {status, std::string(frame.body.substr(sizeof status))});
    return Status::ok();
  }
  if (status != GANTRY_PENDING) {
    plugin_.log(GANTRY_LOG_ERROR, ticket->kind + " '" + ticket->name +
                                      "': called finish() and did not return GANTRY_PENDING");
  }
  if (over) remove(*ticket);
  return Status::ok();
}

Status WorkerCalls::finished(const Frame& frame, const TicketPtr& ticket) {
  BodyReader body(frame.body);
  const auto status = body.number<gantry_status>();
  if (!body.ok()) return malformed(frame);
  end(ticket, {status, std::string(frame.body.substr(sizeof status))});
  return Status::ok();
}

// One write after the other; the status of the last one.
gantry_status WorkerCalls::apply(const Ticket& ticket, BodyReader& writes,
                                 bool& well_formed) const {
  gantry_status status = GANTRY_OK;
  while (writes.ok() && !writes.at_end()) {
    const auto what = static_cast<Write>(writes.number<std::uint8_t>());
    if (what == Write::json_begin) {
      status = api_->json_begin(ticket.call);
    } else if (what == Write::json_end) {
      status = api_->json_end(ticket.call);
    } else if (what == Write::json_raw) {
      const std::string_view part = writes.text();
      if (writes.ok()) status = api_->json_raw(ticket.call, bytes_of(part));
    } else if (what == Write::write) {
      const std::string_view type = writes.text(), text = writes.text();
      if (writes.ok()) status = api_->write(ticket.call, bytes_of(type), bytes_of(text));
    } else if (what == Write::fail) {
      const std::string_view code = writes.text(), message = writes.text(), details = writes.text();
      if (writes.ok()) {
        status = api_->fail(ticket.call, bytes_of(code), bytes_of(message), bytes_of(details));
      }
    } else {
      well_formed = false;
      return status;
    }
  }
  well_formed = writes.ok();
  return status;
}

Status WorkerCalls::wrote(const Frame& frame, Ticket& ticket) {
  {
    std::lock_guard lock(mutex_);
    if (ticket.forwarding) {
      return Status::invalid("bytes for a call that a provider is writing into");
    }
  }
  BodyReader writes(frame.body);
  bool well_formed = true;
  const gantry_status status = apply(ticket, writes, well_formed);
  if (!well_formed) return malformed(frame);
  if (frame.header.request == 0) return Status::ok();
  FrameWriter answer(FrameType::reply, frame.header.call, frame.header.request);
  answer.number(status).number(std::uint64_t{services_.call_info(*ticket.call).room});
  outlet_.send(life_, answer.bytes());
  return Status::ok();
}

Status WorkerCalls::told(const Frame& frame, Ticket& ticket) {
  BodyReader body(frame.body);
  if (frame.header.type == FrameType::progress) {
    const auto done = body.number<double>(), total = body.number<double>();
    const std::string_view note = body.text();
    if (!body.complete()) return malformed(frame);
    api_->progress(ticket.call, done, total, bytes_of(note));
  } else {
    const auto level = body.number<std::int32_t>();
    const std::string_view text = body.text();
    if (!body.complete()) return malformed(frame);
    api_->log(ticket.call, level, bytes_of(text));
  }
  return Status::ok();
}

Status WorkerCalls::asked_input(const Frame& frame, Ticket& ticket) {
  BodyReader body(frame.body);
  const std::string_view first = body.text();
  const bool keeps = frame.header.type == FrameType::keep;
  const std::string_view method = keeps ? "" : body.text(), params = keeps ? "" : body.text();
  if (!body.complete()) return malformed(frame);
  const auto* input = table<gantry_input_api>(GANTRY_INPUT_SERVICE);
  if (input == nullptr) {
    reply(frame, GANTRY_UNSUPPORTED);
  } else if (keeps) {
    reply(frame, input->keep(ticket.call, bytes_of(first)));
  } else {
    gantry_bytes answer{};
    const gantry_status status =
        input->request(ticket.call, bytes_of(first), bytes_of(method), bytes_of(params), &answer);
    reply(frame, status, {answer.data, answer.size});
  }
  return Status::ok();
}

Status WorkerCalls::asked_task(const Frame& frame, Ticket& ticket) {
  BodyReader body(frame.body);
  const bool releases = body.number<std::uint8_t>() != 0;
  if (!body.complete()) return malformed(frame);
  const auto* task = table<gantry_task_api>(GANTRY_TASK_SERVICE);
  if (task == nullptr) {
    reply(frame, GANTRY_UNSUPPORTED);
  } else {
    reply(frame, releases ? task->release(ticket.call) : task->begin(ticket.call));
  }
  return Status::ok();
}

Status WorkerCalls::asked_catalog(const Frame& frame, Ticket& ticket) {
  BodyReader body(frame.body);
  const std::string_view kind = body.text();
  const bool explains = body.number<std::uint8_t>() != 0;
  const std::string_view name = body.text();
  if (!body.complete()) return malformed(frame);
  const auto* catalog = table<gantry_catalog_api>(GANTRY_CATALOG_SERVICE);
  if (catalog == nullptr) return reply(frame, GANTRY_UNSUPPORTED), Status::ok();
  std::string json;
  gantry_host* const host = plugin_.host_handle();
  const gantry_sink sink{append_part, &json};
  const gantry_status status =
      explains ? catalog->explain(host, ticket.call, bytes_of(kind), bytes_of(name), sink)
               : catalog->items(host, ticket.call, bytes_of(kind), sink);
  reply(frame, status, json);
  return Status::ok();
}

Status WorkerCalls::asked_instance(const Frame& frame) {
  BodyReader body(frame.body);
  gantry_host* const host = plugin_.host_handle();
  const auto* events = table<gantry_events_api>(GANTRY_EVENTS_SERVICE);
  const auto* secrets = table<gantry_secret_api>(GANTRY_SECRET_SERVICE);
  std::string text;
  const gantry_sink sink{append_part, &text};
  switch (frame.header.type) {
    case FrameType::log: {
      const auto level = body.number<std::int32_t>();
      const std::string_view line = body.text();
      if (!body.complete()) return malformed(frame);
      if (outlet_.may_log(line.size())) plugin_.log(level, line);
      return Status::ok();
    }
    case FrameType::offer:
      return offered(frame);
    case FrameType::secret: {
      const std::string_view name = body.text();
      if (!body.complete()) return malformed(frame);
      const gantry_status status =
          secrets == nullptr ? GANTRY_NOT_FOUND : secrets->read(host, bytes_of(name), sink);
      reply(frame, status, text);
      ::explicit_bzero(text.data(), text.size());
      return Status::ok();
    }
    case FrameType::watched: {
      if (!body.complete()) return malformed(frame);
      const gantry_status status =
          events == nullptr ? GANTRY_UNSUPPORTED : events->watched(host, sink);
      reply(frame, status, text);
      return Status::ok();
    }
    default:
      return changed(frame);
  }
}

Status WorkerCalls::changed(const Frame& frame) {
  BodyReader body(frame.body);
  const auto what = static_cast<Change>(body.number<std::uint8_t>());
  const std::string_view uri = body.text(), metadata = body.text();
  if (!body.complete()) return malformed(frame);
  gantry_host* const host = plugin_.host_handle();
  const auto* events = table<gantry_events_api>(GANTRY_EVENTS_SERVICE);
  if (events == nullptr) {
    reply(frame, GANTRY_UNSUPPORTED);
  } else if (what == Change::updated) {
    reply(frame, events->updated(host, bytes_of(uri), bytes_of(metadata)));
  } else if (what == Change::deleted) {
    reply(frame, events->deleted(host, bytes_of(uri), bytes_of(metadata)));
  } else {
    reply(frame, events->list_changed(host));
  }
  return Status::ok();
}

// Publishing takes its time. A worker that comes back offers what it offered before: no change.
Status WorkerCalls::offered(const Frame& frame) {
  BodyReader body(frame.body);
  auto json = std::make_shared<std::string>(body.text());
  if (!body.complete()) return malformed(frame);
  post(nullptr, [this, header = frame.header, json] {
    gantry_status status = GANTRY_OK;
    {
      std::lock_guard lock(offer_mutex_);
      if (!plugin_.is_started() || *json != last_offer_) {
        status = plugin_.offer(*json);
        if (status >= 0) last_offer_ = std::move(*json);
      }
    }
    reply({header, {}}, status);
  });
  return Status::ok();
}

}  // namespace gantry::host::worker
