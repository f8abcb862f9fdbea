// Calls that a plugin in a worker makes inside a call: run on a thread of the pool, as that call's
// caller, since they may take long.
#include <cstring>

#include "host/worker/worker_calls.hpp"

namespace gantry::host::worker {

struct WorkerCalls::NestedJob {
  NestedJob(WorkerCalls& of, TicketPtr parent, const Frame& frame)
      : calls(of),
        ticket(std::move(parent)),
        header(frame.header),
        life(of.life_),
        body(frame.body) {}

  WorkerCalls& calls;
  TicketPtr ticket;
  Header header;
  std::uint64_t life;
  std::string body;  // what the rest points into
  Nested how{};
  std::string_view kind, name, arguments, narrowing, splice;
  std::string parts;                      // as the reply has them
  std::shared_ptr<NestedJob> until_done;  // itself, while its provider has not answered

  bool read() {
    BodyReader reader(body);
    how = static_cast<Nested>(reader.number<std::uint8_t>());
    for (std::string_view* field : {&kind, &name, &arguments, &narrowing, &splice}) {
      *field = reader.text();
    }
    const bool known = how == Nested::call || how == Nested::forward || how == Nested::start;
    return known && reader.complete();
  }

  gantry_invocation invocation() const {
    const auto bytes = [](std::string_view text) { return gantry_bytes{text.data(), text.size()}; };
    return {sizeof(gantry_invocation), bytes(kind), bytes(name), bytes(arguments),
            bytes(narrowing)};
  }

  static void take_part(void* context, gantry_bytes type, gantry_bytes body) {
    auto& job = *static_cast<NestedJob*>(context);
    append_text(job.parts, {type.data, type.size});
    append_text(job.parts, {body.data, body.size});
  }

  void reply(gantry_status status, std::string_view with_parts) const {
    const std::uint64_t room = calls.services_.call_info(*ticket->call).room;
    FrameWriter frame(FrameType::reply, header.call, header.request);
    if (!frame.number(status).number(room).raw(with_parts).fits()) return reply(GANTRY_TOO_BIG, {});
    calls.outlet_.send(life, frame.bytes());
  }

  void report_done(gantry_status status) const {
    FrameWriter frame(FrameType::nested_done, header.call, header.request);
    frame.number(status);
    if (frame.bytes().size() + parts.size() <= kMaxFrame) {
      frame.raw(parts);
    } else {
      frame = FrameWriter(FrameType::nested_done, header.call, header.request);
      frame.number(gantry_status{GANTRY_TOO_BIG});
    }
    calls.outlet_.send(life, frame.bytes());
  }
};

Status WorkerCalls::nested(const Frame& frame, const TicketPtr& ticket) {
  auto job = std::make_shared<NestedJob>(*this, ticket, frame);
  if (!job->read()) return Status::invalid("a nested call that is not as it should be");
  {
    std::lock_guard lock(mutex_);
    if (ticket->forwarding && job->how == Nested::forward) {
      return Status::invalid("two providers that write into one call");
    }
    ++ticket->users;
    if (job->how == Nested::forward) ticket->forwarding = true;
  }
  post(ticket->call, [this, job] { run_nested(job); });
  return Status::ok();
}

void WorkerCalls::run_nested(const std::shared_ptr<NestedJob>& job) {
  const auto* invoke = table<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
  const gantry_invocation what = job->invocation();
  const gantry_answer answer{&NestedJob::take_part, job.get()};
  gantry_call* const parent = job->ticket->call;
  gantry_host* const host = plugin_.host_handle();
  if (invoke == nullptr) {
    job->reply(GANTRY_UNSUPPORTED, {});
  } else if (job->how == Nested::start) {
    start_nested(job);
  } else if (job->how == Nested::call) {
    const gantry_status status = invoke->call(host, parent, &what, answer);
    job->reply(status, job->parts);
  } else {
    const gantry_bytes splice{job->splice.data(), job->splice.size()};
    const gantry_status status = invoke->forward(host, parent, &what, splice, answer);
    {
      std::lock_guard lock(mutex_);
      job->ticket->forwarding = false;
    }
    job->reply(status, job->parts);
  }
  let_go(job->ticket);
}

void WorkerCalls::start_nested(const std::shared_ptr<NestedJob>& job) {
  const auto* invoke = table<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
  const gantry_invocation what = job->invocation();
  const auto done = [](void* context, gantry_status status) {
    const auto mine = std::exchange(static_cast<NestedJob*>(context)->until_done, nullptr);
    WorkerCalls& calls = mine->calls;
    mine->report_done(status);
    calls.let_go(mine->ticket);
    calls.end_job();
  };
  begin_job();
  use(*job->ticket);
  job->until_done = job;
  const gantry_status status = invoke->start(plugin_.host_handle(), job->ticket->call, &what,
                                             {&NestedJob::take_part, job.get()}, done, job.get());
  if (status >= 0) return job->reply(status, {});
  job->until_done = nullptr;  // done() does not come
  job->reply(status, job->parts);
  let_go(job->ticket);
  end_job();
}

}  // namespace gantry::host::worker
