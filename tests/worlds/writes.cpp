#include "draw.hpp"

namespace gantry::worlds {
namespace {

// Rows that the agent does not see refer to objects of these: the database refuses to delete one
// that is referred to, which no rule can change. Only objects that the agent does not see are
// tried.
bool is_referred_to(const Words& words, const ClassWords& cls) {
  for (const ClassWords& other : words.classes) {
    for (const auto& [field, target] : other.points) {
      if (target == cls.name) return true;
    }
  }
  return false;
}

std::string in_quotes(const std::string& id) { return id.starts_with("'") ? id : "'" + id + "'"; }

std::string object_id(Draw& draw, const ClassWords& cls, bool removes) {
  draw.rows.insert(57);
  if (removes && is_referred_to(draw.words, cls)) {
    return in_quotes(draw.chance.once_in(4) ? "999" : draw.chance.of(cls.ids.hidden));
  }
  return in_quotes(id_literal(draw, cls));
}

std::string pointer(Draw& draw, const ClassWords& target) {
  draw.rows.insert(56);
  const std::string id = id_literal(draw, target);
  if (draw.chance.once_in(2)) return id;
  return "{'__type':'Pointer','className':'" + target.name + "','objectId':" + in_quotes(id) + "}";
}

std::string value(Draw& draw, const ClassWords& cls, const std::string& field) {
  if (draw.chance.once_in(10)) return "null";
  if (draw.chance.once_in(8)) {
    return draw.chance.of({"{'__op':'Increment','amount':1}",
                           "{'__op':'AddUnique','objects':['a']}",
                           "{'__op':'Remove','objects':['a']}", "{'__op':'Delete'}"});
  }
  const auto points = cls.points.find(field);
  if (points != cls.points.end()) return pointer(draw, *draw.words.find(points->second));
  return literal(draw, cls, field);
}

std::string data(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(59);
  std::string json;
  for (std::size_t i = 1 + draw.chance.below(3); i > 0; --i) {
    const std::string field = field_name(draw, cls, 59);
    json += (json.empty() ? "'" : ",'") + field + "':" + value(draw, cls, field);
  }
  return "{" + json + "}";
}

// One write without its braces and its class.
std::string one_write(Draw& draw, const ClassWords& cls, const std::string& op) {
  if (op == "create") return "'data':" + data(draw, cls);
  const bool removes = op == "delete";
  const std::string id = "'object_id':" + object_id(draw, cls, removes);
  return removes ? id : id + ",'data':" + data(draw, cls);
}

std::string any_op(Draw& draw) {
  return draw.chance.of({"create", "update", "update", "update", "delete"});
}

std::string transaction(Draw& draw) {
  std::string list;
  for (std::size_t i = 1 + draw.chance.below(3); i > 0; --i) {
    const ClassWords& cls = any_class(draw);
    const std::string op = any_op(draw);
    list += (list.empty() ? "{'op':'" : ",{'op':'") + op +
            "','class_name':" + class_name(draw, cls, 10) + "," + one_write(draw, cls, op) + "}";
  }
  return "'writes':[" + list + "]";
}

std::string new_class(Draw& draw) {
  draw.rows.insert(11);
  const std::string name =
      draw.chance.once_in(3) ? "orders" : draw.chance.of(draw.words.hidden_classes);
  return "'class_name':'" + name + "','fields':{'a':'String'}";
}

std::string batch(Draw& draw, const ClassWords& cls, const std::string& op) {
  std::string list;
  for (std::size_t i = 1 + draw.chance.below(3); i > 0; --i) {
    list += (list.empty() ? "{" : ",{") + one_write(draw, cls, op) + "}";
  }
  return "'objects':[" + list + "]";
}

}  // namespace

Request any_write(Chance& chance, const Words& words) {
  Draw draw{chance, words, chance.percent(25), {}};
  const ClassWords& cls = any_class(draw);
  std::string op = any_op(draw), args;
  if (chance.once_in(12)) {
    op = "create_class";
    args = new_class(draw);
  } else if (chance.once_in(5)) {
    op = "transaction";
    args = transaction(draw);
  } else {
    args = "'class_name':" + class_name(draw, cls, 10) + ",";
    args += chance.once_in(5) ? batch(draw, cls, op) : one_write(draw, cls, op);
  }
  if (chance.once_in(3)) args += ",'dry_run':true";
  return {Request::Kind::service, std::move(op), "{" + args + "}", draw.rows};
}

}  // namespace gantry::worlds
