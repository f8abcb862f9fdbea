#include "edge/export_link.hpp"

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "edge/answer.hpp"
#include "edge/store_span.hpp"
#include "errors/query_error.hpp"
#include "ops/export/export_ops.hpp"

namespace gantry::data {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string text_member(const Json& object, std::string_view name) {
  const auto member = object.find(name);
  return member ? member->as_string().value_or("") : std::string();
}

struct Written {
  std::string_view mime_type, ending;
};

// Reads the counts out of `meta`.
Written written(std::string_view meta) {
  const auto parsed = Json::parse(meta);
  const std::string format = parsed ? text_member(*parsed, "format") : "";
  if (format == "csv") return {"text/csv", ".csv"};
  if (format == "markdown") return {"text/markdown", ".md"};
  return {"application/jsonl", ".jsonl"};
}

// The suggested file name of a download.
std::string file_name(const Call& call, std::string_view ending) {
  const auto request = Json::parse(call.arguments());
  const auto args = request ? request->find("args") : std::nullopt;
  const std::string name = args ? text_member(*args, "class_name") : "";
  return (name.empty() ? "export" : name) + std::string(ending);
}

// The error for a failure of the store or its disk: the caller's fault if a limit is exceeded.
DataError export_store_error(const Status& status) {
  const bool is_ours = status.code() != GANTRY_BUSY && status.code() != GANTRY_TOO_BIG;
  DataError error = invalid_argument(status.message() + (is_ours ? "" : "; narrow the export"));
  if (status.code() == GANTRY_BUSY) error.message = status.message();
  if (is_ours) error.code = error_code::kInternalError;
  return error;
}

struct Place {
  std::string id;
  std::uint64_t bytes = 0;
  std::size_t parts = 0;
  std::string_view mime_type;
  milliseconds lifetime;
};

// Replaces the end of `meta` by the location of the export.
std::string with_place(std::string meta, const Place& place, std::string_view download_path) {
  meta.back() = ',';
  JsonWriter out(meta);
  out.key("uri").string("export://" + place.id);
  if (!download_path.empty()) {
    out.key("download").string(std::string(download_path) + place.id);
  }
  out.key("mime_type").string(place.mime_type).key("bytes").number(place.bytes);
  out.key("parts").number(place.parts).key("expires_in");
  out.number(std::chrono::duration_cast<seconds>(place.lifetime).count()).end_object();
  return meta;
}

// The part's index from 0; empty when `text` is not a part number.
std::optional<std::size_t> part_number(std::string_view text, std::size_t parts) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || number < 1 || number > parts) return std::nullopt;
  return number - 1;
}

Result<std::string> read_all(const ExportFile& file) {
  std::string all;
  for (std::size_t part = 0; part < file.parts(); ++part) {
    auto text = file.read(part);
    if (!text) return text.status();
    all += *text;
  }
  return all;
}

Status no_export(const Call& call) {
  return call.fail("not_found",
                   "There is no such export: it has expired, or never was one of yours; make it "
                   "again with export_data");
}

// The description of a download, for the host's /exports endpoint.
std::string about(const ExportStore::Export& kept) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("bytes").number(kept.file->bytes()).key("starts").begin_array();
  for (const std::uint64_t start : kept.file->starts()) out.number(start);
  out.end_array().key("mime_type").string(kept.mime_type).key("name").string(kept.name);
  out.end_object();
  return text;
}

Result<std::string> read_text(const ExportFile& file, const Reading& what, const Call& call) {
  const std::string part = what.variable("part");
  const std::string last = std::to_string(file.parts());
  if (!part.empty()) {
    const auto number = part_number(part, file.parts());
    if (number) return file.read(*number);
    return call.fail("not_found", "The export has the parts 1 to " + last);
  }
  // JSON escapes may double the size of the answer.
  if (file.parts() == 1 || file.bytes() < cap_of(call) / 2) return read_all(file);
  return call.fail("invalid_argument", "The export is larger than one answer: read " + what.uri +
                                           "/1 to " + what.uri + "/" + last);
}

// The agent's surface, and everything that decides what it sees, the model in force too: an export
// outlives none of them.
Result<std::string> export_owner(Service& service, const CallView& call) {
  const auto now = service.store().now(budget_of(call));
  if (!now) return fail(call, store_error(now.status()));
  const std::string_view agent = call.agent(), scope = call.property("agent_scope");
  return std::to_string(now->models) + ":" + std::to_string(agent.size()) + ":" +
         std::string(agent).append(scope);
}

Result<Contents> read_export(Service& service, ExportStore* export_store, const Reading& what,
                             const Call& call) {
  if (export_store == nullptr) return no_export(call);
  const auto owner = export_owner(service, call);
  if (!owner) return owner.status();
  const auto kept = export_store->find(what.variable("id"), *owner);
  if (!kept) return no_export(call);
  Contents contents;
  if (what.variable("part") == "about") return contents.text(about(*kept), "application/json");
  const auto text = read_text(*kept->file, what, call);
  if (!text) return text.status();
  contents.text(*text, kept->mime_type);
  return contents;
}

}  // namespace

bool is_export_link(std::string_view request) {
  if (request.find("export_link") == std::string_view::npos) return false;
  const auto parsed = Json::parse(request);
  const auto op = parsed ? parsed->find("op") : std::nullopt;
  return op && op->as_string() == "export_link";
}

Status export_link(Service& service, ExportStore& export_store, std::string_view download_path,
                   const Call& call) {
  // Before the rows are read: a model that comes into force meanwhile leaves the export unreadable.
  const auto owner = export_owner(service, call);
  if (!owner) return owner.status();
  std::optional<ExportStore::Draft> draft;
  const auto append = [&](std::string_view text) {
    const Status status = draft->file->append(text);
    if (!status) throw QueryError(export_store_error(status));
  };
  const auto tell = [&](std::uint64_t rows) {
    (void)call.progress(static_cast<double>(rows), 0, std::to_string(rows) + " rows written");
  };
  const auto write = [&](const Request& request) -> Reply {
    draft.reset();
    auto begun = export_store.begin(*owner);
    if (!begun) throw QueryError(export_store_error(begun.status()));
    draft.emplace(std::move(*begun));
    return export_rows_to(request, append, tell);
  };
  const auto caller = caller_of(service, call);
  if (!caller) return caller.status();
  service.note_use();
  const StoreSpan span(call);
  const auto reply = service.run(call.arguments(), write, *caller);
  span.give(reply);
  if (!reply) return fail(call, reply.error());
  const Written kind = written(reply->meta);
  Place place{
      {}, draft->file->bytes(), draft->file->parts(), kind.mime_type, export_store.lifetime()};
  auto id = export_store.keep(std::move(*draft), std::string(kind.mime_type),
                              file_name(call, kind.ending));
  if (!id) return fail(call, export_store_error(id.status()));
  place.id = std::move(*id);
  return give(call, *reply, with_place(reply->meta, place, download_path));
}

void offer_exports(Offer& offer, Service& service, ExportStore* export_store) {
  for (const char* name : {"export://{id}", "export://{id}/{part}"}) {
    offer.handler("resource_template", name,
                  [&service, export_store](const Reading& what, Call& call) {
                    return read_export(service, export_store, what, call);
                  });
  }
}

Result<std::unique_ptr<Ticker>> start_sweeper(ExportStore& export_store) {
  return Ticker::start(seconds(1), [&export_store] {
    const auto wait = export_store.sweep() - ExportStore::Clock::now();
    return std::clamp(std::chrono::duration_cast<milliseconds>(wait), milliseconds(100),
                      milliseconds(10'000));
  });
}

}  // namespace gantry::data
