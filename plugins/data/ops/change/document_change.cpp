// The stored text of a document class. Members that are not given keep their text and their order.
#include <gantry/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <rapidjson/document.h>

#include "catalog/floor.hpp"
#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "ops/change/field_ops.hpp"
#include "ops/change/refusals.hpp"
#include "ops/change/row_change.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"
#include "write/document.hpp"
#include "write/json_cell.hpp"

namespace gantry::data {
namespace {

using Document = rapidjson::Value;

// The members of a document as texts, in order.
class MemberTexts {
 public:
  // False: no object.
  bool read(std::string_view text) {
    const auto json = gantry::Json::parse(text);
    if (!json || !json->is_object()) return false;
    for (const auto& [name, value] : json->members()) {
      members_.emplace_back(name, std::string(value.text()));
    }
    return true;
  }
  // Empty: there is none.
  std::string_view find(std::string_view name) const {
    for (const auto& [known, text] : members_) {
      if (known == name) return text;
    }
    return {};
  }
  void set(std::string_view name, std::string text) {
    for (auto& [known, value] : members_) {
      if (known == name) return void(value = std::move(text));
    }
    members_.emplace_back(name, std::move(text));
  }
  void remove(std::string_view name) {
    std::erase_if(members_, [&](const auto& member) { return member.first == name; });
  }
  std::string text() const {
    std::string all = "{";
    for (const auto& [name, value] : members_) {
      all += (all.size() > 1 ? "," : "") + quoted_json(name) + ":" + value;
    }
    return all + "}";
  }

 private:
  std::vector<std::pair<std::string, std::string>> members_;
};

std::string date_text(std::int64_t when) {
  std::string text = R"({"$date":")";
  append_iso_date(when, text);
  return text + "\"}";
}

bool is_date(const Field& field) { return field.kind == Kind::date; }

class DocumentChange {
 public:
  DocumentChange(Session& session, const WrittenClass& cls) : session_(session), cls_(cls) {}

  RowChange run(const Document& data, const Place* place) {
    if (place != nullptr) read(*place);
    for (const auto& [name, value] : data.GetObject()) {
      add({name.GetString(), name.GetStringLength()}, value);
    }
    if (cls_.is_create()) add_own();
    add_times();
    std::string text = members_.text();
    if (auto checked = write::stored_value_of(text); !checked) {
      throw QueryError(unfit_value(cls_.shown, "data", checked.message()));
    }
    change_.values.push_back({cls_.whole.document, std::move(text)});
    return std::move(change_);
  }

 private:
  void read(const Place& place) {
    const Bind stored = session_.stored(cls_.whole, place, cls_.whole.document);
    const auto* const text = std::get_if<std::string>(&stored);
    if (text == nullptr || !members_.read(*text)) {
      throw QueryError(unwritable_class(cls_.shown, "this one is no document that can be read."));
    }
  }

  void add(std::string_view name, const Document& json) {
    if (!cls_.shown.permits(name) || is_internal_field(name)) {
      columns::refuse_field(name, cls_.shown);
    }
    if (const std::string why = why_unwritable(name); !why.empty()) {
      throw QueryError(unwritable_field(cls_.shown, std::string(name), why));
    }
    check_inner_names(json, cls_.shown);
    const std::string_view stored_name = name == kObjectId ? "_id" : name;
    if (json.IsNull()) {
      members_.remove(stored_name);
    } else {
      set(stored_name, json);
    }
    change_.given.emplace_back(name);
  }

  std::string why_unwritable(std::string_view name) const {
    if (name.empty() || name.starts_with('$') || name.find('.') != name.npos) {
      return "names of fields are not empty, do not begin with '$' and have no dots.";
    }
    const bool is_id = name == "_id" || name == kObjectId;
    if (is_id && !cls_.is_create()) return "it is the object's id, which does not change.";
    if (is_date_role(name)) return "the server sets it.";
    const auto& model = cls_.whole.model;
    if (model && model->tenant && name == model->tenant->field) {
      return "the server sets it to the agent's tenant.";
    }
    if (model && model->acl && (name == model->acl->read || name == model->acl->write)) {
      return "it is an access list.";
    }
    return {};
  }

  void set(std::string_view name, const Document& json) {
    const auto op = field_op_of(json);
    if (!op) refuse(name, op.message());
    if (*op && (*op)->type == FieldOp::Type::unset) return members_.remove(name);
    auto text =
        *op ? changed_json(**op, members_.find(name), true, session_.request().scope.shown().get())
            : write::stored_value_of(write::json_text_of(json));
    if (!text) refuse(name, text.message());
    members_.set(name, *std::move(text));
  }

  [[noreturn]] void refuse(std::string_view name, const std::string& why) const {
    throw QueryError(unfit_value(cls_.shown, std::string(name), why));
  }

  // The id is the first member.
  void add_own() {
    MemberTexts all;
    std::string id(members_.find("_id"));
    all.set("_id", id.empty() ? quoted_json(session_.next_id()) : std::move(id));
    members_.remove("_id");
    (void)all.read(members_.text());
    members_ = std::move(all);
    const auto& model = cls_.whole.model;
    if (const std::string tenant = own_tenant(session_, cls_); !tenant.empty()) {
      members_.set(model->tenant->field, quoted_json(tenant));
    }
    const std::string list = own_access_list(session_, cls_.whole);
    if (list.empty()) return;
    for (const std::string& field : {model->acl->read, model->acl->write}) {
      if (!field.empty()) members_.set(field, list);
    }
  }

  // Only of a class whose model describes these fields as dates.
  void add_times() {
    for (const Field& field : cls_.whole.stated) {
      const bool is_set =
          field.name == kDateRoles[1] || (field.name == kDateRoles[0] && cls_.is_create());
      if (is_set && is_date(field)) members_.set(field.name, date_text(session_.now_ms()));
    }
  }

  Session& session_;
  const WrittenClass& cls_;
  MemberTexts members_;
  RowChange change_;
};

}  // namespace

RowChange document_change(Session& session, const WrittenClass& cls, const Write& write,
                          const Place* place) {
  return DocumentChange(session, cls).run(*write.data, place);
}

}  // namespace gantry::data
