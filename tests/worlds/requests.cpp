#include "draw.hpp"

namespace gantry::worlds {
namespace {

std::string list_of_fields(Draw& draw, const ClassWords& cls, int row, std::size_t most) {
  std::string list;
  for (std::size_t i = 1 + draw.chance.below(most); i > 0; --i) {
    list += (list.empty() ? "'" : ",'") + field_name(draw, cls, row) + "'";
  }
  return "[" + list + "]";
}

std::string include_of(Draw& draw, const ClassWords& cls) {
  draw.rows.insert({22, 23});
  auto at = cls.points.begin();
  std::advance(at, draw.chance.below(cls.points.size()));
  std::string path = at->first;
  const ClassWords* target = draw.words.find(at->second);
  if (!target->points.empty() && draw.chance.once_in(3)) {
    path += "." + target->points.begin()->first;
  }
  if (draw.chance.once_in(8)) path = "payroll_id";
  return ",'include':['" + path + "']";
}

// Documents by their distance.
std::string near_condition(Draw& draw) {
  draw.rows.insert(18);
  const std::string field = draw.is_nosy && draw.chance.once_in(3) ? "home" : "place";
  std::string text = "{'" + field + "':{'$near':{'$geometry':{'type':'Point','coordinates':[8,47]}";
  if (draw.chance.once_in(2)) text += ",'$maxDistance':150000";
  return text + "}}}";
}

// The arguments of a read of rows, without the braces.
std::string reading(Draw& draw, const ClassWords& cls) {
  std::string args = "'class_name':" + class_name(draw, cls, 10);
  if (cls.name == "doc" && draw.chance.once_in(3)) {
    args += ",'where':" + near_condition(draw);
  } else if (draw.chance.percent(70)) {
    args += ",'where':" + filter(draw, cls, 0, false);
  }
  if (draw.chance.once_in(3)) args += ",'keys':" + list_of_fields(draw, cls, 22, 3);
  if (!cls.points.empty() && draw.chance.once_in(3)) args += include_of(draw, cls);
  if (draw.chance.once_in(2)) {
    const std::string sign = draw.chance.once_in(2) ? "-" : "";
    args += ",'order':'" + sign + field_name(draw, cls, 16) + "'";
  }
  if (draw.chance.once_in(2)) {
    draw.rows.insert({34, 35});
    args += ",'limit':" + std::to_string(1 + draw.chance.below(6));
  }
  if (draw.chance.once_in(4)) args += ",'skip':" + std::to_string(draw.chance.below(5));
  return args;
}

std::string row_form(Draw& draw) { return draw.chance.once_in(4) ? ",'rows':'parse'" : ""; }

Request service(Draw& draw, std::string op, const std::string& args) {
  return {Request::Kind::service, std::move(op), "{" + args + "}", draw.rows};
}

Request query(Draw& draw, const ClassWords& cls) {
  draw.rows.insert({29, 34});
  if (draw.chance.once_in(4)) {
    draw.rows.insert(37);
    const std::string format = draw.chance.of({"csv", "markdown", "table"});
    return service(draw, "query", reading(draw, cls) + ",'format':'" + format + "'");
  }
  std::string args = reading(draw, cls) + row_form(draw);
  if (draw.chance.once_in(4)) args += ",'apply_canonical_filter':false";
  return service(draw, "query", args);
}

// An id as the tools take it.
std::string id_text(Draw& draw, const ClassWords& cls) {
  const std::string id = id_literal(draw, cls);
  return id.starts_with("'") ? id : "'" + id + "'";
}

// A key of groups: often a pointer to the hidden class.
std::string group_key(Draw& draw, const ClassWords& cls) {
  const bool has_redacted = cls.values.contains("payroll_id") && cls.name != "v_orders";
  if (!has_redacted || !draw.chance.once_in(4)) return field_name(draw, cls, 32);
  draw.rows.insert(33);
  return "payroll_id";
}

Request by_id(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(23);
  std::string args = "'class_name':" + class_name(draw, cls, 10);
  const bool is_many = draw.chance.once_in(2);
  if (is_many) {
    draw.rows.insert(34);
    args +=
        ",'ids':[" + id_text(draw, cls) + "," + id_text(draw, cls) + "," + id_text(draw, cls) + "]";
  } else {
    args += ",'object_id':" + id_text(draw, cls);
  }
  if (draw.chance.once_in(3)) args += ",'keys':" + list_of_fields(draw, cls, 22, 3);
  if (!cls.points.empty() && draw.chance.once_in(3)) args += include_of(draw, cls);
  return service(draw, is_many ? "get_many" : "get", args + row_form(draw));
}

Request count(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(31);
  std::string args = "'class_name':" + class_name(draw, cls, 31);
  // Without an order, the database uses the index of a range.
  const bool has_trap = (cls.name == "item" || cls.name == "orders") && draw.chance.once_in(3);
  if (has_trap) {
    args += ",'where':" + indexed_trap(draw, cls);
  } else if (draw.chance.percent(80)) {
    args += ",'where':" + filter(draw, cls, 0, false);
  }
  return service(draw, "count", args);
}

Request aggregate(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(34);
  std::string args =
      "'class_name':" + class_name(draw, cls, 24) + ",'pipeline':[" + stages(draw, cls, 0) + "]";
  if (draw.chance.once_in(10)) {
    draw.rows.insert(38);
    args += ",'plan':true";
  }
  if (draw.chance.once_in(6)) args += ",'apply_canonical_filter':false";
  if (draw.chance.once_in(6)) args += ",'compact_pointers':false";
  return service(draw, "aggregate", args + row_form(draw));
}

Request group(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(30);
  std::string args = "'class_name':" + class_name(draw, cls, 30);
  std::string op = "group_by";
  if (!cls.dates.empty() && draw.chance.once_in(3)) {
    op = "group_by_date";
    args += ",'field':'" + draw.chance.of(cls.dates) + "','interval':'" +
            draw.chance.of({"year", "month", "day"}) + "'";
  } else if (draw.chance.once_in(3)) {
    op = "distinct";
    args += ",'field':'" + group_key(draw, cls) + "'";
  } else {
    args += ",'field':'" + group_key(draw, cls) + "'";
    if (draw.chance.once_in(2)) {
      args += ",'operation':'" + draw.chance.of({"sum", "avg", "min", "max"}) +
              "','value_field':'" + field_name(draw, cls, 32) + "'";
    }
  }
  if (draw.chance.once_in(2)) args += ",'where':" + filter(draw, cls, 1, false);
  if (draw.chance.once_in(3)) args += ",'limit':2";
  if (draw.chance.once_in(8)) args += ",'dry_run':true", draw.rows.insert(38);
  return service(draw, op, args);
}

Request export_rows(Draw& draw, const ClassWords& cls) {
  draw.rows.insert({34, 37});
  const std::string format = draw.chance.of({"csv", "markdown", "jsonl", "table"});
  std::string args = ",'format':'" + format + "'";
  if (draw.chance.once_in(3)) {
    args = "'class_name':" + class_name(draw, cls, 26) + args + ",'pipeline':[" +
           stages(draw, cls, 0) + "]";
  } else {
    args = reading(draw, cls) + args;
    if (draw.chance.once_in(2)) args += ",'columns':" + list_of_fields(draw, cls, 22, 3);
  }
  if (draw.chance.once_in(3)) args += ",'row_cap':3";
  Request request = service(draw, "export", args);
  if (format != "table" && draw.chance.once_in(3)) {
    request.kind = Request::Kind::link;
    request.op = "export_link";
    request.rows.insert({43, 51});
  }
  return request;
}

Request schema(Draw& draw, const ClassWords& cls) {
  draw.rows.insert({2, 3, 4, 5, 6, 7});
  draw.is_nosy = draw.chance.once_in(2);
  if (draw.chance.once_in(3)) {
    return service(draw, "schema",
                   "'class_names':[" + class_name(draw, cls, 10) + "," +
                       class_name(draw, any_class(draw), 10) + "]");
  }
  return service(draw, "schema", "'class_name':" + class_name(draw, cls, 10));
}

Request schemas(Draw& draw) {
  draw.rows.insert({1, 2});
  switch (draw.chance.below(4)) {
    case 0:
      return service(draw, "schemas", "'prefix':'" + draw.chance.of({"v", "p", "o"}) + "'");
    case 1:
      return service(draw, "schemas", "'names':['vault','orders','payroll','nothing']");
    default:
      return service(draw, "schemas", "");
  }
}

Request explain(Draw& draw, const ClassWords& cls) {
  draw.rows.insert({38, 39, 4});
  std::string args = "'class_name':" + class_name(draw, cls, 39);
  if (draw.chance.percent(80)) args += ",'where':" + filter(draw, cls, 0, false);
  if (draw.chance.once_in(2)) args += ",'order':'" + field_name(draw, cls, 16) + "'";
  if (draw.chance.once_in(2)) args += ",'refuse_collscan':true";
  return service(draw, "explain", args);
}

Request resource(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(48);
  draw.is_nosy = draw.chance.once_in(2);
  std::string name = class_name(draw, cls, 48);
  name = name.substr(1, name.size() - 2);
  const std::string part = draw.chance.of({"schema", "count", "samples"});
  return {Request::Kind::resource, "", "data://" + name + "/" + part, draw.rows};
}

Request lists(Draw& draw) {
  draw.rows.insert(48);
  switch (draw.chance.below(3)) {
    case 0:
      draw.rows.insert(49);
      return {Request::Kind::completion, "", draw.chance.of({"", "v", "p", "va", "o"}), draw.rows};
    case 1:
      draw.rows.insert(49);
      return {Request::Kind::introduction, "", "", draw.rows};
    default:
      return {Request::Kind::listing, "",
              draw.chance.of({"data://{class}/schema", "data://{class}/count"}), draw.rows};
  }
}

Request redaction(Draw& draw) {
  draw.rows.insert(29);
  const std::string cls = draw.chance.of({"payroll", "vault", "orders", "customer"});
  const std::string id = draw.chance.of({"1", "11", "21"});
  return {Request::Kind::redaction, "",
          "{'rows':[{'p':{'__type':'Pointer','className':'" + cls + "','objectId':'" + id +
              "'}},'" + cls + "$" + id + "']}",
          draw.rows};
}

Request samples(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(34);
  std::string args = "'class_name':" + class_name(draw, cls, 10);
  if (draw.chance.once_in(2)) args += ",'limit':3";
  return service(draw, "samples", args);
}

}  // namespace

Request any_request(Chance& chance, const Words& words) {
  Draw draw{chance, words, chance.percent(35), {}};
  const ClassWords& cls = any_class(draw);
  if (cls.name == "doc") draw.rows.insert(21);
  switch (chance.below(20)) {
    case 0:
    case 1:
    case 2:
      return query(draw, cls);
    case 3:
    case 4:
      return by_id(draw, cls);
    case 5:
      return count(draw, cls);
    case 6:
      return samples(draw, cls);
    case 7:
      return schema(draw, cls);
    case 8:
      return schemas(draw);
    case 9:
      return explain(draw, cls);
    case 10:
      return group(draw, cls);
    case 11:
      return group(draw, cls);
    case 12:
      return export_rows(draw, cls);
    case 13:
      return export_rows(draw, cls);
    case 14:
      return resource(draw, cls);
    case 15:
      return chance.once_in(4) ? redaction(draw) : lists(draw);
    default:
      return aggregate(draw, cls);
  }
}

}  // namespace gantry::worlds
