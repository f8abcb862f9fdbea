// gantry/data.hpp: access to the operator's database for any plugin, under the caller's scope.
//
// The service gantry.data/1 reads and writes classes (tables and views) under the complete scope of
// the agent that made the call: objects that the agent may not see do not exist here either. The
// manifest's "needs" must name gantry.invoke/1 and gantry.data/1. Arguments are those of the
// built-in tools:
//
//   op        args                                                    rows            meta
//   query     class_name where? keys? include? order? limit? skip?    [object]        result_count,
//                                                      pagination {limit, skip, has_more},
//                                                      next_call?, _truncated?,
//                                                      truncated_include_fields?
//             and format: csv, markdown or table                      -               the same and
//                                                     format, headers, row_count, output
//   count     class_name where?                                       -               count
//   get       class_name object_id keys? include? version?            object
//                                                    truncated_include_fields?, version?
//   get_many  class_name ids keys? include?                           {id: object}    missing,
//                                                    requested, found, truncated_include_fields?
//   samples   class_name limit?                                       [object]        -
//   explain   class_name where? order? limit? refuse_collscan?        -               full_scan,
//                                                     indexes_used, estimated_rows, sql?, plan?
//   aggregate class_name? pipeline compact_pointers?                  [object] pipeline_stages,
//                                                     result_count, pointer_classes?,
//                                                     auto_limited?, auto_limit?, hint?
//   group_by  class_name field operation? value_field? where? sort?   [{key, value}]  field,
//             limit? flatten_arrays? dry_run?         operation, sort, group_count, limit,
//                                                     pointer_class?, truncated?
//             or fields, up to 3, in place of field   [{key, value}]  fields,
//                                                     pointer_classes? and as above; a key is
//                                                     an object with the fields
//   group_by_date  class_name field interval timezone? and as above   [{key, value}]  interval,
//                                                     timezone and as above
//   distinct  class_name field where? sort? limit? dry_run?           [value]         field, count,
//                                                     pointer_class?, truncated?
//   export    class_name? format? columns? row_cap?, and where? keys? include? order? limit? skip?
//             or pipeline                             -               format, headers, row_count,
//                                                     output, truncated?, available_rows?,
//                                                     row_cap?, hint?
//   export_link  the same, without a bound of its own  -            the same without output;
//                                                     uri, mime_type, bytes, parts, expires_in
//                                                     (seconds): a resource of the agent's own
//   schemas   names? prefix?                                          -               total,
//                                                     built_in, custom, note?
//   schema    class_name                                              -               class_name,
//                                                     type, description?, id_field?, sql?
//                                                     (name?, columns?: as SQL writes them
//                                                     where they differ), fields,
//                                                     agent_fields?, agent_join_fields?,
//                                                     canonical_filter?, indexes,
//                                                     estimated_rows?, hints?
//             or class_names                          -               classes, hints?
//   access    class_name tool?                                        -               class_name,
//                                                     operations (of find, get, count), writes (of
//                                                     create, update, delete: what the class's
//                                                     permissions allow), sql?, fields
//                                                     (names); the error of a call of the tool
//   introduction  (none)                              -               text: the database, its first
//                                                     classes and six rules of querying it, for a
//                                                     model, at most 1,000 bytes
//   create    class_name data, or class_name objects [{data}]         [object]        rows
//   update    class_name object_id data if_unchanged?,                [object]        rows
//             or class_name objects [{object_id, data, if_unchanged?}]
//   delete    class_name object_id if_unchanged?,                     [{objectId}]    rows
//             or class_name objects [{object_id, if_unchanged?}]
//   transaction  writes [{op: create, update or delete, class_name,   [object]        rows
//             object_id?, data?, if_unchanged?}]
//   create_class  class_name fields {name: type or {type, target_class?, required?}},
//             or class_name document: true            -               class_name, fields, rows
//   delete_class  class_name                          -               class_name, deleted, rows
//
// The writing operations take at most 100 objects and run in one transaction, all or nothing, each
// write after the ones before it. `data`: null unsets a field; {"__op": "Increment", "amount"},
// {"__op": "Add", "AddUnique" or "Remove", "objects"} and {"__op": "Delete"} change the stored
// value. With `dry_run: true` nothing is written and meta is {rows, before, after, versions}:
// objects or null, as this agent reads them; with `expect`, the text `versions` of a dry run, the
// same is written or refused: invalid_argument, details {kind: "changed_since", class_name,
// object_ids}. `if_unchanged` is the `version` that get with version: true returns, with the same
// refusal. What the database refuses is invalid_argument, details {kind, class_name, fields?}. The
// call decides what may be written: create and update need the tier write, the others admin
// (permission_denied); the operator's gates are open or access_denied, details {kind:
// "gate", missing}.
//
// query, count and aggregate also take apply_canonical_filter (true): false leaves out
// the model's canonical filters. With dry_run there are no rows, and meta is {dry_run, parameters,
// pipeline, hint}. aggregate with plan returns pipeline_stages, pushed, residual and the members of
// explain.
//
// In C, or any language: gantry.invoke/1 with kind "service", name "gantry.data/1" and arguments
// {"op":…,"args":{…}} returns the parts "warnings" (if there are any), "class_name" (of a read with
// that argument), "rows" and "meta", or "error". Errors have the codes of tool errors:
// access_denied, permission_denied, invalid_query, invalid_argument, not_found, timeout, cancelled,
// store_error. A hidden class is access_denied and a hidden object not_found, like ones that do not
// exist.
//
// The data plugin holds the connections: its callers need no driver and no credentials. Work ends
// at the call's deadline or cancellation. Threads: those of the call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>
#include <gantry/services.hpp>

namespace gantry {

inline constexpr std::string_view kDataService = "gantry.data/1";

// The answer of one operation. The texts are copies and live as long as it.
struct DataReply {
  // The message is the operation's sentence, written for a model: pass it on.
  Status status;
  // The JSON object {error_code, error, details?} if the status is an error.
  std::string error;
  // JSON as in the table's column "rows"; empty if forwarded, or if the operation has no rows.
  std::string rows;
  // A JSON object with the members of the table's column "meta".
  std::string meta;
  // A JSON array of sentences: what the arguments surely did not mean, each with its repair. Show
  // them first. Empty: there are none.
  std::string warnings;
  // The argument class_name of a read, as a JSON string; empty: it had none.
  std::string class_name;
};

// The service gantry.data/1: three pointers, cheap to copy, valid as long as the Host.
//
//   const gantry::DataReply reply =
//       data.run(call, "count", R"({"class_name":"sale","where":{"year":2024}})");
//   if (!reply.status) return gantry::Data::fail(call, reply);
//   const auto meta = gantry::Json::parse(reply.meta);              // {"count":17}
class Data {
 public:
  // The service of the host that it stands on.
  static constexpr const char* kId = Invoke::kId;
  // None if the host has no gantry.invoke/1 for this plugin: using it then throws MissingService.
  // It does not look for the service itself: if no data plugin is loaded, or the manifest does not
  // name gantry.data/1, the operations end with GANTRY_NOT_FOUND.
  static Available<Data> of(const Host& host) {
    const auto invoke = Invoke::of(host);
    return invoke ? Available<Data>(Data(*invoke)) : Available<Data>();
  }

  // Runs `op` and collects its answer. `args` is a JSON object; empty means {}. For answers that
  // the plugin reads; rows that only pass through should be forwarded.
  DataReply run(const CallView& call, std::string_view op, std::string_view args) const {
    DataReply reply;
    const std::string request = request_for(op, args);
    reply.status = invoke_.call(call, {"service", kDataService, request}, take_into(reply));
    return reply;
  }

  // The same, with the rows written directly into the structured result that `call` has open. If it
  // fails after some rows were written, end the call with fail(), which drops them.
  DataReply forward(const CallView& call, std::string_view op, std::string_view args) const {
    DataReply reply;
    const std::string request = request_for(op, args);
    reply.status =
        invoke_.forward(call, {"service", kDataService, request}, "rows", take_into(reply));
    return reply;
  }

  // Makes the operation's error, with its code and details, the error of `call`. The handler then
  // returns without a value. Only for a reply whose status failed.
  static void fail(const CallView& call, const DataReply& reply) {
    const Result<Json> error = Json::parse(reply.error);
    const auto text = [&](std::string_view name, std::string_view otherwise) {
      const auto member = error ? error->find(name) : std::nullopt;
      const auto value = member ? member->as_string() : std::nullopt;
      return value.value_or(std::string(otherwise));
    };
    const auto details = error ? error->find("details") : std::nullopt;
    (void)call.fail(text("error_code", error_code(reply.status.code())),
                    text("error", reply.status.message()), details ? details->text() : "");
  }

 private:
  explicit Data(const Invoke& invoke) : invoke_(invoke) {}

  // `args` is passed verbatim; only the name of the operation is escaped.
  static std::string request_for(std::string_view op, std::string_view args) {
    std::string request = R"({"op":)";
    JsonWriter(request).string(op);
    request.append(R"(,"args":)").append(args.empty() ? "{}" : args).append("}");
    return request;
  }

  // The callback keeps a reference: `reply` must stay until the call returns.
  static Invoke::Parts take_into(DataReply& reply) {
    return [&reply](std::string_view type, std::string_view body) {
      if (type == "rows") reply.rows += body;
      if (type == "meta") reply.meta += body;
      if (type == "warnings") reply.warnings += body;
      if (type == "class_name") reply.class_name += body;
      if (type == "error") reply.error += body;
    };
  }

  // The service is found by name in each call, so that a reloaded data plugin is used by the next
  // one.
  Invoke invoke_;
};

}  // namespace gantry
