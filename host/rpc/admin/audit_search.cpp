#include "host/rpc/admin/audit_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "host/base/json.hpp"
#include "host/observe/record_files.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::int64_t kDefaultLimit = 100;
// Records that come so soon after the first are looked at with it.
constexpr std::chrono::milliseconds kGather{50};
constexpr std::chrono::milliseconds kPatience{5'000};  // of one search in files

RecordFilter filter_of(const AdminParams& params) {
  return {.from = params.text("from"),
          .to = params.text("to"),
          .tool = params.text("tool"),
          .agent = params.text("agent"),
          .plugin = params.text("plugin"),
          .denial_kind = params.text("denial_kind"),
          .outcome = params.text("outcome"),
          .correlation_id = params.text("correlation_id")};
}

struct Found {
  std::vector<std::string> records;
  std::string cursor, kept_since;
  bool more = false;
  std::string_view source = "memory";
};

AdminAnswer answer_of(const Found& found) {
  AdminAnswer out;
  out.result = "{\"records\":[";
  for (const std::string& record : found.records) {
    if (!out.result.ends_with('[')) out.result += ',';
    out.result += record;
  }
  out.result += ']';
  append_text_member(out.result, "cursor", found.cursor);
  append_json_member(out.result, "more", found.more ? "true" : "false");
  if (!found.kept_since.empty()) append_text_member(out.result, "kept_since", found.kept_since);
  append_text_member(out.result, "source", found.source);
  out.result += '}';
  return out;
}

std::string time_of(const FeedRecord& record) {
  RecordFacts facts;
  return read_record(*record.json, facts) ? facts.time : std::string();
}

std::string oldest_kept(const Feed& feed) {
  const auto first = feed.after(0, 1);
  return first.empty() ? std::string() : time_of(first.front());
}

}  // namespace

AuditSearch::AuditSearch(Audit& audit) : audit_(audit) {
  audit_.feed().added().connect(this, [this] { note_record(); });
}

AuditSearch::~AuditSearch() {
  audit_.feed().added().disconnect(this);
  stop();
}

AdminMethods AuditSearch::methods() {
  return {{.name = "audit.search",
           .parameters = {"from?:time", "to?:time", "tool?", "agent?", "plugin?", "outcome?",
                          "denial_kind?", "correlation_id?", "limit?:number(1,1000)", "after?",
                          "wait_ms?:number(0,25000)"},
           .pace = AdminMethod::Pace::later,
           .start = [this](const AdminParams& params, const AdminCaller&, AdminMethod::Done done) {
             return start(params, std::move(done));
           }}};
}

AdminMethod::Cancel AuditSearch::start(const AdminParams& params, AdminMethod::Done done) {
  const auto now = std::chrono::steady_clock::now();
  const auto question = std::make_shared<Question>();
  question->filter = filter_of(params);
  question->limit = static_cast<std::size_t>(params.number("limit", kDefaultLimit));
  question->until = now + std::chrono::milliseconds(params.number("wait_ms", 0));
  if (params.has("after")) {
    question->seen = audit_.feed().number_of(params.text("after")).value_or(0);
  }
  question->done = std::move(done);
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    if (open_.size() >= kMostWaiting || stopped_) question->until = now;
    id = ++ids_;
    open_.emplace(id, question);
    timer_.set(now, [this, id] { look(id); });
    question->last_look = timer_.set(question->until, [this, id] { look(id); });
  }
  return [this, id] { answer(id, {}); };
}

// Nothing is looked for again where nothing waits.
void AuditSearch::note_record() {
  {
    const std::lock_guard lock(mutex_);
    if (open_.empty()) return;
  }
  if (looks_.exchange(true)) return;
  timer_.set(std::chrono::steady_clock::now() + kGather, [this] { look_for_all(); });
}

void AuditSearch::look_for_all() {
  looks_ = false;
  std::vector<std::uint64_t> ids;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, question] : open_) ids.push_back(id);
  }
  for (const std::uint64_t id : ids) look(id);
}

// The entry stays in the table while it is looked for, so that a cancellation finds it.
void AuditSearch::look(std::uint64_t id) {
  std::shared_ptr<Question> question;
  bool last = false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(id);
    if (found == open_.end()) return;
    question = found->second;
    last = stopped_ || std::chrono::steady_clock::now() >= question->until;
  }
  AdminAnswer found = search(*question, last);
  if (!found.result.empty()) answer(id, std::move(found));
}

void AuditSearch::answer(std::uint64_t id, AdminAnswer&& answer) {
  AdminMethod::Done done;
  {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(id);
    if (found == open_.end()) return;
    done = std::move(found->second->done);
    timer_.drop(found->second->last_look);
    open_.erase(found);
  }
  if (answer.result.empty() && !answer.error) answer.error = Error::stopping();
  done(std::move(answer));
}

void AuditSearch::stop() {
  std::map<std::uint64_t, std::shared_ptr<Question>> open;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    open.swap(open_);
  }
  for (const auto& [id, question] : open) question->done({{}, Error::stopping()});
}

// Nothing was found and there is time: the answer is empty, and the next search goes on from here.
AdminAnswer AuditSearch::search(Question& question, bool last) const {
  if (!question.seen) return newest(question);
  const Feed& feed = audit_.feed();
  Found found;
  std::uint64_t& seen = *question.seen;
  for (const FeedRecord& record : feed.after(seen, static_cast<std::size_t>(-1))) {
    if (question.filter.wants(*record.json)) {
      found.more = found.records.size() == question.limit;
      if (found.more) break;
      found.records.push_back(*record.json);
    }
    seen = record.number;
  }
  if (found.records.empty() && !last) return {};
  found.cursor = feed.cursor(seen);
  found.kept_since = oldest_kept(feed);
  return answer_of(found);
}

AdminAnswer AuditSearch::newest(const Question& question) const {
  const Feed& feed = audit_.feed();
  Found found;
  found.cursor = feed.cursor(feed.newest());
  const std::string file = audit_.file_path();
  if (!file.empty()) {
    audit_.flush();
    FoundRecords in_files = search_record_files(file, question.filter, question.limit, kPatience);
    found.records = std::move(in_files.records);
    found.more = in_files.more;
    found.kept_since = std::move(in_files.oldest);
    found.source = "file";
    return answer_of(found);
  }
  const auto all = feed.all();
  for (auto record = all.rbegin(); record != all.rend() && !found.more; ++record) {
    if (!question.filter.wants(*record->json)) continue;
    found.more = found.records.size() == question.limit;
    if (!found.more) found.records.push_back(*record->json);
  }
  found.kept_since = all.empty() ? std::string() : time_of(all.front());
  return answer_of(found);
}

}  // namespace gantry::host::rpc
