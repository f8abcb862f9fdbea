#include "host/worker/frame_handler.hpp"

#include <utility>

#include "host/plugin/contract_bytes.hpp"
#include "host/worker/writes.hpp"

namespace gantry::host::worker {
namespace {

Status malformed(const Frame& frame) {
  return Status::invalid("a frame of type " +
                         std::to_string(static_cast<unsigned>(frame.header.type)) +
                         " whose body is not as it should be");
}

void append_part(void* context, gantry_bytes part) {
  static_cast<std::string*>(context)->append(part.data, part.size);
}

}  // namespace

FrameHandler::FrameHandler(HostServices& services, Generation& plugin, Outlet& outlet,
                           WorkerCalls& calls, Jobs& jobs)
    : services_(services),
      plugin_(plugin),
      outlet_(outlet),
      calls_(calls),
      jobs_(jobs),
      nested_(services, plugin, outlet, calls, jobs),
      api_(static_cast<const gantry_call_api*>(services.service(GANTRY_CALL_SERVICE))) {}

void FrameHandler::reply(const Frame& to, gantry_status status) {
  FrameWriter frame(FrameType::reply, to.header.call, to.header.request);
  frame.number(status);
  outlet_.send(life_, frame.bytes());
}

void FrameHandler::reply(const Frame& to, gantry_status status, std::string_view text) {
  FrameWriter frame(FrameType::reply, to.header.call, to.header.request);
  if (!frame.number(status).text(text).fits()) return reply(to, GANTRY_TOO_BIG);
  outlet_.send(life_, frame.bytes());
}

Status FrameHandler::take(std::uint64_t life, const Frame& frame) {
  life_ = life;
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
  const TicketPtr ticket = calls_.find(frame.header.call);
  const bool ends =
      frame.header.type == FrameType::returned || frame.header.type == FrameType::finish;
  if (!ticket) {
    if (ends) return Status::invalid("the end of a call that it does not have");
    // From a thread of the plugin that came too late, as it may.
    if (frame.header.request != 0) reply(frame, GANTRY_MISUSE);
    return Status::ok();
  }
  return take_of_call(frame, ticket);
}

Status FrameHandler::take_of_call(const Frame& frame, const TicketPtr& ticket) {
  if (frame.header.type == FrameType::returned) return ended(frame, ticket);
  if (!calls_.is_inside(*ticket)) {
    if (frame.header.type == FrameType::finish) {
      return Status::invalid("a second end of the same call");
    }
    if (frame.header.request != 0) reply(frame, GANTRY_MISUSE);
    return Status::ok();
  }
  switch (frame.header.type) {
    case FrameType::finish:
      return ended(frame, ticket);
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
      return nested_.take(life_, frame, ticket);
    default:
      return Status::invalid("a frame that only the host may send");
  }
}

Status FrameHandler::ended(const Frame& frame, const TicketPtr& ticket) {
  BodyReader body(frame.body);
  const auto status = body.number<gantry_status>();
  if (!body.ok()) return malformed(frame);
  const std::string_view writes = frame.body.substr(sizeof status);
  if (frame.header.type == FrameType::returned) return calls_.returned(ticket, status, writes);
  calls_.end(ticket, {status, std::string(writes)});
  return Status::ok();
}

Status FrameHandler::wrote(const Frame& frame, Ticket& ticket) {
  if (ticket.forwarding) {
    return Status::invalid("bytes for a call that a provider is writing into");
  }
  BodyReader writes(frame.body);
  bool well_formed = true;
  const gantry_status status = repeat_writes(*api_, ticket.call, writes, well_formed);
  if (!well_formed) return malformed(frame);
  if (frame.header.request == 0) return Status::ok();
  FrameWriter answer(FrameType::reply, frame.header.call, frame.header.request);
  answer.number(status).number(std::uint64_t{services_.call_info(*ticket.call).room});
  outlet_.send(life_, answer.bytes());
  return Status::ok();
}

Status FrameHandler::told(const Frame& frame, Ticket& ticket) {
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

Status FrameHandler::asked_input(const Frame& frame, Ticket& ticket) {
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

Status FrameHandler::asked_task(const Frame& frame, Ticket& ticket) {
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

Status FrameHandler::asked_catalog(const Frame& frame, Ticket& ticket) {
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

Status FrameHandler::asked_instance(const Frame& frame) {
  BodyReader body(frame.body);
  gantry_host* const host = plugin_.host_handle();
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
      const auto* secrets = table<gantry_secret_api>(GANTRY_SECRET_SERVICE);
      const gantry_status status =
          secrets == nullptr ? GANTRY_NOT_FOUND : secrets->read(host, bytes_of(name), sink);
      reply(frame, status, text);
      ::explicit_bzero(text.data(), text.size());
      return Status::ok();
    }
    case FrameType::watched: {
      if (!body.complete()) return malformed(frame);
      const auto* events = table<gantry_events_api>(GANTRY_EVENTS_SERVICE);
      const gantry_status status =
          events == nullptr ? GANTRY_UNSUPPORTED : events->watched(host, sink);
      reply(frame, status, text);
      return Status::ok();
    }
    default:
      return changed(frame);
  }
}

Status FrameHandler::changed(const Frame& frame) {
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

// On the pool, since publishing takes its time. A worker that comes back offers the same items as
// before, which changes nothing.
Status FrameHandler::offered(const Frame& frame) {
  BodyReader body(frame.body);
  auto json = std::make_shared<std::string>(body.text());
  if (!body.complete()) return malformed(frame);
  jobs_.post(nullptr, [this, life = life_, header = frame.header, json] {
    gantry_status status = GANTRY_OK;
    {
      std::lock_guard lock(offer_mutex_);
      if (!plugin_.is_started() || *json != last_offer_) {
        status = plugin_.offer(*json);
        if (status >= 0) last_offer_ = std::move(*json);
      }
    }
    FrameWriter answer(FrameType::reply, header.call, header.request);
    outlet_.send(life, answer.number(status).bytes());
  });
  return Status::ok();
}

}  // namespace gantry::host::worker
