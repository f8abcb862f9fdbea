#include "ops/service.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>

#include "errors/query_error.hpp"
#include "ops/doubts.hpp"
#include "ops/normalized.hpp"
#include "ops/operations.hpp"
#include "ops/page.hpp"
#include "sql/dialect.hpp"
#include "values/json_document.hpp"
#include "values/json_text.hpp"
#include "write/convert.hpp"

namespace gantry::data {
namespace {

WriteTier tier_of(bool is_dry_run, const Caller& caller) {
  return is_dry_run ? std::max(caller.writes_up_to, caller.previews_up_to) : caller.writes_up_to;
}

// How long a request is repeated while another program keeps changing the schema.
constexpr std::chrono::seconds kRetryFor{2};

DataError internal(std::string message) {
  return {std::string(error_code::kInternalError), std::move(message), {}, {}, {}, {}};
}

// The argument `rows`, which most reads have.
void choose_row_form(Request& request) {
  const std::string_view form = optional_string(request, "rows");
  if (form.empty()) return;
  if (form != "plain" && form != "parse") {
    throw QueryError(invalid_argument("'rows' must be plain or parse"));
  }
  request.settings.row_form = form == "parse" ? JsonDialect::parse : JsonDialect::plain;
}

std::string warnings_json(const Warnings& warnings) {
  return warnings.list().empty() ? std::string() : quoted_list(warnings.list());
}

std::string class_name_json(const Request& request) {
  const auto* const name = member_of(request.arguments, "class_name");
  return name != nullptr && name->IsString() ? quoted_json(text_of(*name)) : std::string();
}

void add_note(const RequestNotes& notes, Outcome<Reply>& answer) {
  if (notes.audit_note.empty()) return;
  if (answer) {
    answer->audit_note = notes.audit_note;
    return;
  }
  DataError error = answer.error();
  error.audit_note = notes.audit_note;
  answer = std::move(error);
}

// The one place where an exception becomes an error answer.
template <class Work>
Outcome<Reply> outcome_of(const Work& work) {
  try {
    return work();
  } catch (const QueryError& error) {
    return error.error();
  } catch (const std::exception& e) {
    return internal(std::string("unexpected: ") + e.what());
  }
}

Reply answer(const Service::Preparation& prepare, const Service::Operation& operation,
             Request request) {
  prepare(request);
  choose_row_form(request);
  Reply reply = operation(request);
  look_into_doubts(request, reply);
  if (reply.warnings.empty()) reply.warnings = warnings_json(*request.warnings);
  reply.class_name = class_name_json(request);
  return reply;
}

// Callers may see the name of the database's file, but not its directory.
void hide_directory(const std::string& path, std::string& message) {
  const std::string directory = path.substr(0, path.rfind('/') + 1);
  if (directory.empty()) return;
  for (auto at = message.find(directory); at != std::string::npos;
       at = message.find(directory, at)) {
    message.erase(at, directory.size());
  }
}

// Parsing rounds numbers: a value that is written must be the one that was given.
void check_exact(std::string_view json) {
  const Status status = write::check_numbers(json, true);
  if (!status) throw QueryError(invalid_argument(status.message()));
}

}  // namespace

std::int64_t database_deadline(std::int64_t now_ns, std::int64_t deadline_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  if (deadline_ns == 0) return 0;
  const std::int64_t left = deadline_ns - now_ns;
  return now_ns + (left > 10 * kSecond ? left - 5 * kSecond : left / 2);
}

Result<std::unique_ptr<Service>> Service::open(std::string_view url, StoreOptions options) {
  auto store = open_store(url, std::move(options));
  if (!store) return store.status();
  return std::make_unique<Service>(std::move(*store));
}

void Service::configure(const ReadSettings& settings) {
  settings_ = settings;
  scopes_ = std::make_unique<RecentScopes>();  // those before used the compiler
  compiler_ = row_compiler(settings.pushdown ? store_->dialect() : mute_dialect(), warn_);
  answers_ = std::make_unique<AnswerCache>(settings.answer_cache_bytes);
}

Outcome<Reply> Service::run(std::string_view request, const Caller& caller) {
  return run(request, {}, caller);
}

Outcome<Reply> Service::run(std::string_view request, const Operation& instead,
                            const Caller& caller) {
  const auto work = [&](const Caller& bounded) { return dispatch(request, instead, bounded); };
  return guarded(caller, std::ref(work));
}

Outcome<Reply> Service::change(const Change& change, std::string_view arguments,
                               const Caller& caller) {
  return guarded(caller, [&](const Caller& bounded) -> Outcome<Reply> {
    rapidjson::Document document;
    if (parse_json<rapidjson::kParseNoFlags>(arguments, document).IsError() ||
        !document.IsObject()) {
      return invalid_argument(std::string(change.name) + " takes a JSON object");
    }
    check_exact(arguments);
    return this->change(change, document, bounded);
  });
}

Outcome<Reply> Service::guarded(const Caller& caller,
                                const std::function<Outcome<Reply>(const Caller&)>& work) {
  Caller bounded = caller;
  bounded.budget.bytes = settings_.query_memory_bytes;
  const Spending::Scope spending(bounded.budget);
  Outcome<Reply> reply = outcome_of([&] { return work(bounded); });
  if (reply || reply.error().code != error_code::kStoreError) return reply;
  DataError error = reply.error();
  hide_directory(store_->name(), error.message);
  return error;
}

Outcome<Reply> Service::dispatch(std::string_view text, const Operation& instead,
                                 const Caller& caller) {
  // Large enough for most requests; the allocator's default first block would be 64 KiB.
  char room[2048];
  rapidjson::MemoryPoolAllocator<> memory(room, sizeof room, sizeof room);
  rapidjson::Document document(&memory);
  if (parse_json<rapidjson::kParseNoFlags>(text, document).IsError() || !document.IsObject()) {
    return invalid_argument("gantry.data/1 takes a JSON object {op, args}");
  }
  const auto op = document.FindMember("op");
  const std::string_view name =
      op != document.MemberEnd() && op->value.IsString()
          ? std::string_view(op->value.GetString(), op->value.GetStringLength())
          : std::string_view();
  const NamedOperation* const operation = find_operation(name);
  const Change* const change = operation == nullptr ? find_change(name) : nullptr;
  if (operation == nullptr && change == nullptr) return unknown_operation();
  static const rapidjson::Value kNone(rapidjson::kObjectType);
  const auto args = document.FindMember("args");
  if (args != document.MemberEnd() && !args->value.IsObject()) {
    return invalid_argument("gantry.data/1: 'args' must be an object");
  }
  const rapidjson::Value& arguments = args == document.MemberEnd() ? kNone : args->value;
  if (change != nullptr) {
    check_gate(*change, store_->can().edits);
    check_exact(text);
    return this->change(*change, arguments, caller);
  }
  const std::string asked = normalized(name, arguments);
  const auto prepare = [operation](Request& request) { narrow(*operation, request); };
  return attempt(prepare, instead ? instead : operation->run, !instead, {asked, arguments}, caller);
}

Request Service::request_of(const CatalogPtr& catalog, const Asked& asked, const Caller& caller,
                            RequestNotes& notes, Warnings& warnings) {
  return {{*store_, scopes_->of(catalog, caller.rules, compiler_.get()).of_request(notes),
           caller.budget, caller.max_bytes, asked.text.size(), settings_, &memory_, &printers_,
           &verdicts_, &warnings, &notes},
          asked.arguments,
          store_->can().edits.rows && caller.rules && caller.rules->agent().tier != "readonly"};
}

// Waits for a lock of another program.
Result<Store::Now> Service::now(Look look, const Budget& budget,
                                std::chrono::steady_clock::time_point give_up) {
  for (;;) {
    auto now = ((*store_).*look)(budget);
    if (now || now.status().code() != GANTRY_BUSY) return now;
    if (std::chrono::steady_clock::now() >= give_up) return now;
  }
}

// Runs once: only a change that found another schema than the catalog's, and has done nothing, is
// repeated. A change of objects begins its transaction before it looks at classes, so that the
// first run may have a catalog that other programs have outdated.
Outcome<Reply> Service::change(const Change& change, const rapidjson::Value& arguments,
                               const Caller& caller) {
  const auto give_up = std::chrono::steady_clock::now() + kRetryFor;
  const WriteContext writing{writing_.journal.get(), caller.origin, store_->can().edits,
                             change.name};
  for (bool is_first = true;; is_first = false) {
    const bool may_be_old = is_first && !change.is_of_schema;
    const auto now = this->now(may_be_old ? &Store::recent : &Store::now, caller.budget, give_up);
    if (!now) return store_error(now.status());
    RequestNotes notes;
    Warnings warnings;
    Request request = request_of(now->catalog, {change.name, arguments}, caller, notes, warnings);
    request.writing = &writing;
    choose_row_form(request);
    try {
      const bool is_dry_run = optional_flag(request, "dry_run", false);
      Reply reply = change.run(request, tier_of(is_dry_run, caller));
      if (reply.warnings.empty()) reply.warnings = warnings_json(warnings);
      if (writing_.committed && !is_dry_run) writing_.committed();
      return reply;
    } catch (const StaleCatalog&) {
      if (std::chrono::steady_clock::now() < give_up) continue;
      return store_error(Status::failed("The schema keeps changing. Try again."));
    }
  }
}

// Another program may change the schema, or replace the file, between our look at it and our
// statement. A request that failed on the old state is repeated on the new one.
Outcome<Reply> Service::attempt(const Preparation& prepare, const Operation& operation,
                                bool may_keep, const Asked& asked, const Caller& caller) {
  const auto& [text, arguments] = asked;
  const AnswerCache::Key key(
      text, caller.max_bytes,
      caller.rules ? std::string_view(caller.rules->fingerprint()) : std::string_view());
  const auto give_up = std::chrono::steady_clock::now() + kRetryFor;
  CatalogPtr used;
  std::int64_t schema = 0;
  std::uint64_t generation = 0;
  std::optional<Outcome<Reply>> last;
  for (;;) {
    auto now = this->now(&Store::now, caller.budget, give_up);
    if (!now) return store_error(now.status());
    const bool same = last && now->schema == schema && now->generation == generation;
    if (same) return *std::move(last);
    if (const auto kept = may_keep ? answers_->find(key, now->version) : nullptr) return *kept;
    RequestNotes notes;
    Warnings warnings;
    used = std::move(now->catalog);
    schema = now->schema;
    generation = now->generation;
    last.emplace(outcome_of([&]() -> Outcome<Reply> {
      return answer(prepare, operation, request_of(used, asked, caller, notes, warnings));
    }));
    Outcome<Reply>& reply = *last;
    add_note(notes, reply);
    if (reply && may_keep && notes.is_deterministic) answers_->offer(key, now->version, *reply);
    const bool done = reply || reply.error().code != error_code::kStoreError;
    if (done || std::chrono::steady_clock::now() >= give_up) return std::move(reply);
  }
}

}  // namespace gantry::data
