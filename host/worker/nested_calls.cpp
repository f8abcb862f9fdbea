#include "host/worker/nested_calls.hpp"

#include <string>
#include <utility>

#include "host/worker/wire.hpp"

namespace gantry::host::worker {

struct NestedCalls::Job {
  Job(NestedCalls& of, std::uint64_t of_life, TicketPtr parent, const Frame& frame)
      : owner(of),
        ticket(std::move(parent)),
        header(frame.header),
        life(of_life),
        body(frame.body) {}

  NestedCalls& owner;
  TicketPtr ticket;
  Header header;
  std::uint64_t life;
  std::string body;  // the views below point into it
  Nested how{};
  std::string_view kind, name, arguments, narrowing, splice;
  std::string parts;                // as the reply has them
  std::shared_ptr<Job> until_done;  // itself, while its provider has not answered

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
    auto& job = *static_cast<Job*>(context);
    append_text(job.parts, {type.data, type.size});
    append_text(job.parts, {body.data, body.size});
  }

  void reply(gantry_status status, std::string_view with_parts) const {
    const std::uint64_t room = owner.services_.call_info(*ticket->call).room;
    FrameWriter frame(FrameType::reply, header.call, header.request);
    if (!frame.number(status).number(room).raw(with_parts).fits()) return reply(GANTRY_TOO_BIG, {});
    owner.outlet_.send(life, frame.bytes());
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
    owner.outlet_.send(life, frame.bytes());
  }
};

Status NestedCalls::take(std::uint64_t life, const Frame& frame, const TicketPtr& ticket) {
  auto job = std::make_shared<Job>(*this, life, ticket, frame);
  if (!job->read()) return Status::invalid("a nested call that is not as it should be");
  if (job->how == Nested::forward && ticket->forwarding.exchange(true)) {
    return Status::invalid("two providers that write into one call");
  }
  calls_.use(*ticket);
  jobs_.post(ticket->call, [this, job] { run(job); });
  return Status::ok();
}

void NestedCalls::run(const std::shared_ptr<Job>& job) {
  const auto* invoke =
      static_cast<const gantry_invoke_api*>(plugin_.service(GANTRY_INVOKE_SERVICE));
  const gantry_invocation what = job->invocation();
  const gantry_answer answer{&Job::take_part, job.get()};
  gantry_call* const parent = job->ticket->call;
  gantry_host* const host = plugin_.host_handle();
  if (invoke == nullptr) {
    job->reply(GANTRY_UNSUPPORTED, {});
  } else if (job->how == Nested::start) {
    start(job);
  } else if (job->how == Nested::call) {
    const gantry_status status = invoke->call(host, parent, &what, answer);
    job->reply(status, job->parts);
  } else {
    const gantry_bytes splice{job->splice.data(), job->splice.size()};
    const gantry_status status = invoke->forward(host, parent, &what, splice, answer);
    job->ticket->forwarding = false;
    job->reply(status, job->parts);
  }
  calls_.let_go(job->ticket);
}

void NestedCalls::start(const std::shared_ptr<Job>& job) {
  const auto* invoke =
      static_cast<const gantry_invoke_api*>(plugin_.service(GANTRY_INVOKE_SERVICE));
  const gantry_invocation what = job->invocation();
  const auto done = [](void* context, gantry_status status) {
    const auto mine = std::exchange(static_cast<Job*>(context)->until_done, nullptr);
    NestedCalls& owner = mine->owner;
    mine->report_done(status);
    owner.calls_.let_go(mine->ticket);
    owner.jobs_.end();
  };
  jobs_.begin();
  calls_.use(*job->ticket);
  job->until_done = job;
  const gantry_status status = invoke->start(plugin_.host_handle(), job->ticket->call, &what,
                                             {&Job::take_part, job.get()}, done, job.get());
  if (status >= 0) return job->reply(status, {});
  job->until_done = nullptr;  // done() does not come
  job->reply(status, job->parts);
  calls_.let_go(job->ticket);
  jobs_.end();
}

}  // namespace gantry::host::worker
