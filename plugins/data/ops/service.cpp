#include "ops/service.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>

#include "errors/query_error.hpp"
#include "ops/access_ops.hpp"
#include "ops/aggregate_ops.hpp"
#include "ops/doubts.hpp"
#include "ops/explain_ops.hpp"
#include "ops/export_ops.hpp"
#include "ops/group_ops.hpp"
#include "ops/introduction.hpp"
#include "ops/normalized.hpp"
#include "ops/query_text.hpp"
#include "ops/read_ops.hpp"
#include "ops/schema_ops.hpp"
#include "ops/sql_ops.hpp"
#include "plan/boundary.hpp"
#include "sql/dialect.hpp"
#include "values/json_document.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

using Operation = Reply (*)(const Request&);

// What class permissions it needs, and which choice it has of the classes' canonical filters.
enum class Canonical : std::uint8_t { applied, optional, ignored };
struct NamedOperation {
  std::string_view name;
  Operation run;
  ReadOp op = ReadOp::find;
  Canonical canonical = Canonical::applied;
};
constexpr std::array kOperations = {
    NamedOperation{"query", query, ReadOp::find, Canonical::optional},
    NamedOperation{"sql", run_sql},
    NamedOperation{"query_text", query_text, ReadOp::find, Canonical::optional},
    NamedOperation{"get", get, ReadOp::get, Canonical::ignored},
    NamedOperation{"get_many", get_many, ReadOp::get, Canonical::ignored},
    NamedOperation{"count", count, ReadOp::count, Canonical::optional},
    NamedOperation{"samples", samples},
    NamedOperation{"aggregate", aggregate, ReadOp::find, Canonical::optional},
    NamedOperation{"group_by", group_by},
    NamedOperation{"group_by_date", group_by_date},
    NamedOperation{"distinct", distinct},
    NamedOperation{"explain", explain},
    NamedOperation{"export", export_rows},
    NamedOperation{"export_link", refuse_link},
    NamedOperation{"schemas", list_classes},
    NamedOperation{"schema", describe_class},
    NamedOperation{"access", describe_access},
    NamedOperation{"introduction", introduction},
};

const NamedOperation* find_operation(std::string_view name) {
  const auto found =
      std::find_if(kOperations.begin(), kOperations.end(),
                   [name](const NamedOperation& known) { return known.name == name; });
  return found == kOperations.end() ? nullptr : &*found;
}

// The part of the scope that the operation and its arguments decide.
void narrow(const NamedOperation& operation, Request& request) {
  request.scope = request.scope.for_op(operation.op);
  bool applies = operation.canonical != Canonical::ignored;
  if (operation.canonical == Canonical::optional) {
    applies = optional_flag(request, "apply_canonical_filter", true);
  }
  request.scope = request.scope.with_canonical(applies);
}

DataError unknown_operation() {
  std::string names;
  for (const NamedOperation& known : kOperations) {
    names.append(names.empty() ? "" : ", ").append(known.name);
  }
  return invalid_argument("gantry.data/1: 'op' must be one of " + names);
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
  if (warnings.list().empty()) return {};
  std::string json = "[";
  for (const std::string& one : warnings.list()) {
    json += (json.size() > 1 ? "," : "") + quoted_json(one);
  }
  return json + "]";
}

// The one place where an operation's exception becomes an error answer.
Outcome<Reply> answer_or_error(const Service::Preparation& prepare,
                               const Service::Operation& operation, Request request) {
  try {
    prepare(request);
    choose_row_form(request);
    Reply reply = operation(request);
    look_into_doubts(request, reply);
    if (reply.warnings.empty()) reply.warnings = warnings_json(*request.warnings);
    return reply;
  } catch (const QueryError& error) {
    return error.error();
  }
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
  return std::unique_ptr<Service>(new Service(std::move(*store)));
}

void Service::configure(const ReadSettings& settings) {
  settings_ = settings;
  scopes_ = std::make_unique<RecentScopes>();  // those before used the compiler
  compiler_ = row_compiler(settings.pushdown ? store_->dialect() : mute_dialect());
  answers_ = std::make_unique<AnswerCache>(settings.answer_cache_bytes);
}

Outcome<Reply> Service::run(std::string_view request, const Caller& caller) {
  return run(request, {}, caller);
}

Outcome<Reply> Service::run(std::string_view request, const Operation& instead,
                            const Caller& caller) {
  Caller bounded = caller;
  bounded.budget.bytes = settings_.query_memory_bytes;
  const Spending::Scope spending(bounded.budget);
  try {
    Outcome<Reply> reply = dispatch(request, instead, bounded);
    if (reply || reply.error().code != error_code::kStoreError) return reply;
    DataError error = reply.error();
    hide_directory(store_->name(), error.message);
    return error;
  } catch (const QueryError& error) {
    return error.error();
  } catch (const std::exception& e) {
    return internal(std::string("unexpected: ") + e.what());
  }
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
  const NamedOperation* const operation =
      op != document.MemberEnd() && op->value.IsString()
          ? find_operation({op->value.GetString(), op->value.GetStringLength()})
          : nullptr;
  if (operation == nullptr) return unknown_operation();
  static const rapidjson::Value kNone(rapidjson::kObjectType);
  const auto args = document.FindMember("args");
  if (args != document.MemberEnd() && !args->value.IsObject()) {
    return invalid_argument("gantry.data/1: 'args' must be an object");
  }
  const rapidjson::Value& arguments = args == document.MemberEnd() ? kNone : args->value;
  const std::string asked =
      normalized({op->value.GetString(), op->value.GetStringLength()}, arguments);
  const auto prepare = [operation](Request& request) { narrow(*operation, request); };
  return attempt(prepare, instead ? instead : operation->run, !instead, {asked, arguments}, caller);
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
  const auto may_retry = [&] { return std::chrono::steady_clock::now() < give_up; };
  CatalogPtr used;
  std::uint64_t generation = 0;
  Outcome<Reply> last = internal("a request was not run");
  for (;;) {
    auto now = store_->now(caller.budget);
    if (!now) {
      if (now.status().code() == GANTRY_BUSY && may_retry()) continue;
      return store_error(now.status());
    }
    const bool same = used && now->catalog->schema_version() == used->schema_version() &&
                      now->generation == generation;
    if (same) return last;
    if (const auto kept = may_keep ? answers_->find(key, now->version) : nullptr) return *kept;
    RequestNotes notes;
    Warnings warnings;
    used = std::move(now->catalog);
    generation = now->generation;
    last = answer_or_error(
        prepare, operation,
        {{*store_, scopes_->of(used, caller.rules, compiler_.get()).of_request(notes),
          caller.budget, caller.max_bytes, text.size(), settings_, &memory_, &printers_, &warnings},
         arguments,
         text});
    if (last && may_keep && notes.is_deterministic) answers_->offer(key, now->version, *last);
    const bool done = last || last.error().code != error_code::kStoreError;
    if (done || !may_retry()) return last;
  }
}

}  // namespace gantry::data
