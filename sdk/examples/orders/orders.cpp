// The orders example: methods of a class, which agents call with the tool call_method.
//
// It stands on two tables of the operator's database:
//   orders(id INTEGER PRIMARY KEY, status TEXT, total REAL, refunded REAL, note TEXT)
//   refunds(id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, amount REAL, reason TEXT)
#include <gantry/plugin.hpp>
#include <gantry/writes.hpp>

namespace {

using gantry::Call;
using gantry::Data;
using gantry::DataReply;
using gantry::Json;
using gantry::JsonText;
using gantry::JsonWriter;
using gantry::MethodCall;
using gantry::Result;
using gantry::Status;
using gantry::Writes;

struct Cancellation {
  std::string reason;

  static constexpr auto fields() {
    return gantry::fields(gantry::field("reason", &Cancellation::reason, "Why it is cancelled"));
  }
};

struct Refund {
  double amount = 0;
  std::string reason;

  static constexpr auto fields() {
    return gantry::fields(gantry::field("amount", &Refund::amount, "How much is paid back"),
                          gantry::field("reason", &Refund::reason, "Why"));
  }
};

std::string text_of(const std::string& object, std::string_view name) {
  const auto json = Json::parse(object);
  const auto value = json ? json->find(name) : std::nullopt;
  return value ? value->as_string().value_or("") : std::string();
}

double number_of(const std::string& object, std::string_view name) {
  const auto json = Json::parse(object);
  const auto value = json ? json->find(name) : std::nullopt;
  return value ? value->as_double().value_or(0) : 0;
}

class Orders : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  void offer(gantry::Offer& offer) override {
    offer
        .method("orders", "approve", "Approves an open order.",
                [this](const MethodCall& what, Call& call) { return approve(what, call); })
        .permission("write");
    offer
        .method("orders", "cancel", "Cancels an order that was not sent.",
                [this](const MethodCall& what, Call& call) { return cancel(what, call); })
        .permission("write")
        .parameters_of<Cancellation>()
        .supports_dry_run();
    offer
        .method("orders", "refund", "Pays back a part of an order, and keeps a record of it.",
                [this](const MethodCall& what, Call& call) { return refund(what, call); })
        .permission("write")
        .parameters_of<Refund>()
        .supports_dry_run();
    offer
        .method("orders", "count_open", "The number of open orders.",
                [this](const MethodCall&, Call& call) { return count_open(call); })
        .on_class();
  }

 private:
  Result<JsonText> approve(const MethodCall& what, Call& call) {
    if (text_of(what.object, "status") != "open") {
      return Status::invalid("Only an open order can be approved");
    }
    return made(Writes().update("orders", what.object_id, R"({"status":"approved"})"), what, call);
  }

  Result<JsonText> cancel(const MethodCall& what, Call& call) {
    const Result<Cancellation> given = what.arguments_as<Cancellation>();
    if (!given) return given.status();
    if (text_of(what.object, "status") == "sent") {
      return Status::invalid("The order was sent: refund it instead");
    }
    std::string data;
    JsonWriter out(data);
    out.begin_object().key("status").string("cancelled").key("note").string(given->reason);
    out.end_object();
    return made(Writes().update("orders", what.object_id, data), what, call);
  }

  // Two writes, one transaction: an order is never paid back without a record. The version keeps
  // a second refund that runs at the same time from paying back more than the total.
  Result<JsonText> refund(const MethodCall& what, Call& call) {
    const Result<Refund> given = what.arguments_as<Refund>();
    if (!given) return given.status();
    const Data data = *Data::of(host());
    std::string args;
    JsonWriter request(args);
    request.begin_object().key("class_name").string("orders");
    request.key("object_id").string(what.object_id).key("version").boolean(true).end_object();
    const DataReply order = data.run(call, "get", args);
    if (!order.status) return failed(call, order);
    const double rest = number_of(order.rows, "total") - number_of(order.rows, "refunded");
    if (given->amount <= 0 || given->amount > rest) {
      return Status::invalid("The amount must be above 0 and at most " + std::to_string(rest));
    }
    std::string change, record;
    JsonWriter(change)
        .begin_object()
        .key("refunded")
        .begin_object()
        .key("__op")
        .string("Increment")
        .key("amount")
        .number(given->amount)
        .end_object()
        .end_object();
    JsonWriter out(record);
    out.begin_object().key("order_id").string(what.object_id);
    out.key("amount").number(given->amount).key("reason").string(given->reason).end_object();
    Writes writes;
    writes.update("orders", what.object_id, change, text_of(order.meta, "version"))
        .create("refunds", record);
    return made(writes, what, call);
  }

  Result<JsonText> count_open(Call& call) {
    const DataReply reply = Data::of(host())->run(
        call, "count", R"({"class_name":"orders","where":{"status":"open"}})");
    if (!reply.status) return failed(call, reply);
    return JsonText{reply.meta};
  }

  // Makes the writes, or shows them: the answer is the order after them.
  Result<JsonText> made(const Writes& writes, const MethodCall& what, Call& call) {
    const DataReply reply = writes.run(*Data::of(host()), call, what.dry_run);
    if (!reply.status) return failed(call, reply);
    if (!what.dry_run) return JsonText{"{\"rows\":" + reply.rows + "}"};
    const auto meta = Json::parse(reply.meta);
    std::string text;
    JsonWriter out(text);
    out.begin_object();
    for (const std::string_view name : {"rows", "before", "after"}) {
      const auto value = meta ? meta->find(name) : std::nullopt;
      if (value) out.key(name).raw(value->text());
    }
    out.end_object();
    return JsonText{text};
  }

  // The error of the operation is that of the call.
  static Status failed(Call& call, const DataReply& reply) {
    Data::fail(call, reply);
    return Status(reply.status.code(), {});
  }
};

}  // namespace

GANTRY_PLUGIN(Orders)
