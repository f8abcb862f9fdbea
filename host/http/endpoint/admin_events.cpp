#include "host/http/endpoint/admin_events.hpp"

#include <pthread.h>

#include <chrono>
#include <optional>

#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

// Changes that come so soon after the first are sent with it.
constexpr std::chrono::milliseconds kGather{50};
constexpr std::chrono::seconds kSecond{1};

struct Topics {
  bool calls = false, plugins = false, approvals = false, gauges = false;

  // False: there is no such topic.
  bool add(std::string_view name) {
    bool* const topic = name == "calls"       ? &calls
                        : name == "plugins"   ? &plugins
                        : name == "approvals" ? &approvals
                        : name == "gauges"    ? &gauges
                                              : nullptr;
    if (topic != nullptr) *topic = true;
    return topic != nullptr;
  }
};

// Browsers write commas as %2C.
std::optional<Topics> topics_of(std::string_view parameter) {
  const auto text = percent_decoded(parameter);
  if (!text) return std::nullopt;
  std::string_view rest = *text;
  if (rest.empty()) return Topics{true, true, true, true};
  Topics out;
  while (!rest.empty()) {
    const auto end = rest.find(',');
    if (!out.add(rest.substr(0, end))) return std::nullopt;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return out;
}

void append_event(std::string& out, std::string_view name, std::string_view data,
                  std::string_view id = {}) {
  if (!id.empty()) out.append("id: ").append(id).append("\n");
  out.append("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
}

}  // namespace

// What there is to tell at one time; a text that is empty has not been asked for.
struct AdminEvents::News {
  std::string plugins, approvals, gauges;
  bool second = false;  // a second is over
  std::uint64_t newest = 0;
  // The records after `begin`, as the last stream got them: most get the same.
  std::optional<std::uint64_t> begin;
  std::vector<FeedRecord> records;
};

struct AdminEvents::Stream {
  Stream(Reply r, Gate::Place p) : reply(std::move(r)), place(std::move(p)) {}

  const Reply reply;
  const Gate::Place place;
  Topics topics{};
  std::function<bool()> still_allowed{};
  std::uint64_t seen = 0;              // the record that was told last
  bool is_new = true;                  // not told anything yet
  std::string first{};                 // to be told first
  std::string plugins{}, approvals{};  // as told last
};

AdminEvents::AdminEvents(const Feed& feed, EventSources sources)
    : feed_(feed), sources_(std::move(sources)) {
  feed_.added().connect(this, [this] { note(has_records_); });
  for (ChangeSignal* const each : sources_.states)
    each->connect(this, [this] { note(has_states_); });
}

AdminEvents::~AdminEvents() {
  feed_.added().disconnect(this);
  for (ChangeSignal* const each : sources_.states) each->disconnect(this);
  stop();
}

void AdminEvents::note(std::atomic<bool>& change) {
  if (change.exchange(true)) return;
  { const std::lock_guard lock(mutex_); }
  wake_.notify_one();
}

void AdminEvents::open(const RoutedRequest& in) {
  const auto topics = topics_of(in.request.parameter("topics"));
  if (!topics) {
    return refuse(in.reply, transport_error(400,
                                            "topics is a list of calls, plugins, approvals and "
                                            "gauges, separated by commas"));
  }
  auto place = places_.enter();
  if (!place) return refuse(in.reply, rpc::Error::busy());
  const auto stream = std::make_shared<Stream>(in.reply, std::move(place));
  stream->topics = *topics;
  stream->still_allowed = in.still_allowed;
  stream->seen = feed_.newest();
  if (const auto last = in.request.header("last-event-id")) {
    const auto number = feed_.number_of(*last);
    if (number && *number <= stream->seen) stream->seen = *number;
    if (!number)
      append_event(stream->first, "gap", R"({"missed":null})", feed_.cursor(stream->seen));
  }
  const std::lock_guard lock(mutex_);
  if (ended_) return refuse(in.reply, rpc::Error::stopping());
  if (!in.reply.open_stream()) return;
  streams_.push_back(stream);
  has_states_ = true;
  if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
  wake_.notify_one();
}

void AdminEvents::stop() {
  std::vector<StreamPtr> streams;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    streams.swap(streams_);
  }
  wake_.notify_all();
  for (const StreamPtr& stream : streams) stream->reply.exchange().close();
  if (thread_.joinable()) thread_.join();
}

void AdminEvents::loop() {
  ::pthread_setname_np(::pthread_self(), "gantry-events");
  Instant second{};
  bool has_new_states = false;
  for (Streams streams; wait(second, streams, has_new_states);) {
    const auto now = std::chrono::steady_clock::now();
    const bool is_second = now >= second;
    if (is_second) second = now + kSecond;
    News all = news(is_second, has_new_states, streams);
    for (const StreamPtr& stream : streams) tell(*stream, all);
  }
}

// Until there is something for an open stream. False: it has ended.
bool AdminEvents::wait(Instant second, Streams& streams, bool& states) {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return ended_ || !streams_.empty(); });
  const auto changed = [this] { return ended_ || has_records_ || has_states_; };
  if (wake_.wait_until(lock, second, changed))
    wake_.wait_for(lock, kGather, [this] { return ended_; });
  std::erase_if(streams_, [](const StreamPtr& s) { return !s->reply.exchange().is_open(); });
  streams = streams_;
  has_records_ = false;
  states = has_states_.exchange(false);
  return !ended_;
}

// Only what some stream shows is made.
AdminEvents::News AdminEvents::news(bool second, bool states, const Streams& streams) const {
  News news;
  news.second = second;
  Topics shown;
  for (const StreamPtr& stream : streams) {
    shown.plugins = shown.plugins || stream->topics.plugins;
    shown.approvals = shown.approvals || stream->topics.approvals;
    shown.gauges = shown.gauges || stream->topics.gauges;
  }
  if ((second || states) && shown.plugins) news.plugins = sources_.plugins();
  if ((second || states) && shown.approvals) news.approvals = sources_.approvals();
  if (second && shown.gauges) news.gauges = sources_.gauges();
  news.newest = feed_.newest();
  return news;
}

void AdminEvents::tell(Stream& stream, News& news) const {
  Exchange& exchange = stream.reply.exchange();
  if (news.second && stream.still_allowed && !stream.still_allowed()) return exchange.close();
  if (exchange.backlog() > 0) return;  // later, or left out
  std::string out = std::exchange(stream.first, {});
  if (stream.topics.plugins && !news.plugins.empty() && stream.plugins != news.plugins)
    append_event(out, "plugins", stream.plugins = news.plugins);
  if (stream.topics.approvals && !news.approvals.empty() && stream.approvals != news.approvals)
    append_event(out, "approvals", stream.approvals = news.approvals);
  if (stream.topics.gauges && !news.gauges.empty()) append_event(out, "gauges", news.gauges);
  if (!out.empty()) exchange.write(std::move(out));
  if (stream.topics.calls) send_records(stream, news);
  stream.is_new = false;
}

// A client that comes back gets all that is in memory; others, what waited since they were told
// last.
void AdminEvents::send_records(Stream& stream, News& news) const {
  if (news.newest <= stream.seen) return;
  std::uint64_t begin = stream.seen;
  if (!stream.is_new && news.newest - begin > kMostWaiting) begin = news.newest - kMostWaiting;
  if (news.begin != begin) {
    news.records = feed_.after(begin, news.newest - begin);
    news.begin = begin;
  }
  const auto& records = news.records;
  if (records.empty()) return;
  std::string out;
  const std::uint64_t missed = records.front().number - stream.seen - 1;
  if (missed > 0) {
    append_event(out, "gap", "{\"missed\":" + std::to_string(missed) + "}",
                 feed_.cursor(records.front().number - 1));
  }
  for (const FeedRecord& record : records)
    append_event(out, "call", *record.json, feed_.cursor(record.number));
  stream.seen = records.back().number;
  stream.reply.exchange().write(std::move(out));
}

}  // namespace gantry::host::http
