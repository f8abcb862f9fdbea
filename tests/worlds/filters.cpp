#include "draw.hpp"

namespace gantry::worlds {
namespace {

const std::vector<std::string> kOddLiterals = {
    "null",        "0",  "-1",  "2.5",     "true",
    "'a'",         "''", "[1]", "{'b':1}", "{'$date':'2026-01-31T23:30:00.000Z'}",
    "'2026-01-31'"};

bool is_number(const ClassWords& cls, const std::string& field) {
  for (const std::string& one : cls.numbers) {
    if (one == field) return true;
  }
  return false;
}

std::string comparison(Draw& draw, const ClassWords& cls, const std::string& field) {
  const std::string one = literal(draw, cls, field);
  const std::string other = literal(draw, cls, field);
  switch (draw.chance.below(9)) {
    case 0:
      return "'$ne':" + one;
    case 1:
      return "'$in':[" + one + "," + other + "]";
    case 2:
      return "'$nin':[" + one + "," + other + "]";
    case 3:
      return "'$gt':" + one;
    case 4:
      return "'$gte':" + one + ",'$lt':" + other;
    case 5:
      return "'$lte':" + one;
    case 6:
      return "'$not':{'$gte':" + one + "}";
    case 7:
      return std::string("'$exists':") + (draw.chance.once_in(2) ? "true" : "false");
    default:
      return "'$eq':" + one;
  }
}

std::string other_operator(Draw& draw, const ClassWords& cls, const std::string& field) {
  const std::string one = literal(draw, cls, field);
  switch (draw.chance.below(8)) {
    case 0:
      return "'$all':[" + one + "]";
    case 1:
      return "'$size':" + std::to_string(draw.chance.below(3));
    case 2:
      return "'$elemMatch':{'$eq':" + one + "}";
    case 3:
      return "'$type':" + draw.chance.of({"'string'", "'number'", "'date'", "'array'"});
    case 4:
      return "'$mod':[2,1]";
    case 5:
      return "'$containedBy':[" + one + ",'b','a']";
    case 6:
      draw.rows.insert(20);
      return "'$regex':" + draw.chance.of({"'^a'", "'(a+)+$'", "'(a|aa)+$'", "'[hH]id'", "'tea'"});
    default:
      return "'$regex':'^A','$options':'i'";
  }
}

std::string sub_query(Draw& draw, const ClassWords& cls, int depth) {
  const std::string from = class_name(draw, cls, 10);
  std::string query = "{'className':" + from + ",'where':" + filter(draw, cls, depth + 1, false);
  if (draw.chance.once_in(2)) query += ",'order':'" + field_name(draw, cls, 16) + "'";
  if (draw.chance.once_in(2)) query += ",'limit':" + std::to_string(1 + draw.chance.below(3));
  return query + "}";
}

std::string key_query(Draw& draw, int depth) {
  const ClassWords& cls = any_class(draw);
  draw.rows.insert(28);
  return "{'query':" + sub_query(draw, cls, depth) + ",'key':'" + field_name(draw, cls, 28) + "'}";
}

// A condition across classes on a pointer or on any field.
std::string cross_class(Draw& draw, const ClassWords& cls, int depth) {
  if (!cls.points.empty() && draw.chance.once_in(2)) {
    auto at = cls.points.begin();
    std::advance(at, draw.chance.below(cls.points.size()));
    draw.rows.insert(28);
    const ClassWords* target = draw.words.find(at->second);
    const std::string name = draw.chance.once_in(2) ? "$inQuery" : "$notInQuery";
    return "'" + at->first + "':{'" + name + "':" + sub_query(draw, *target, depth) + "}";
  }
  const std::string name = draw.chance.once_in(2) ? "$select" : "$dontSelect";
  return "'" + field_name(draw, cls, 12) + "':{'" + name + "':" + key_query(draw, depth) + "}";
}

// A condition of a form that a guard may read otherwise than what runs.
std::string odd_shape(Draw& draw, const ClassWords& cls, int depth, bool in_pipeline) {
  const std::string name = draw.chance.of(cls.denied);
  const std::string hidden = literal(draw, cls, name);
  draw.rows.insert({12, 14});
  switch (draw.chance.below(6)) {
    case 0:
      return "{'$and':[{'$or':[{'$nor':[{'" + name + "':" + hidden + "}]}]}]}";
    case 1:
      return "{'" + name + "':{'$not':{'$not':{'$eq':" + hidden + "}}}}";
    case 2:
      return "{'" + name + "':{'0':" + hidden + "}}";
    case 3:
      return "{'$or':{'0':{'" + name + "':" + hidden + "}}}";
    case 4:
      return "{'$expr':{'$let':{'vars':{'v':'$" + name + "'},'in':{'$eq':['$$v'," + hidden +
             "]}}}}";
    default:
      return "{'$or':[" + filter(draw, cls, depth + 1, in_pipeline) + ",{'" + name + "':{'$in':[" +
             hidden + "]}}]}";
  }
}

std::string condition(Draw& draw, const ClassWords& cls, int depth, bool in_pipeline) {
  if (cls.name == "note" && depth == 0 && !in_pipeline && draw.chance.once_in(2)) {
    return text_condition(draw);
  }
  if (!in_pipeline && draw.chance.once_in(8)) return cross_class(draw, cls, depth);
  const std::string field = field_name(draw, cls, 12);
  if (draw.chance.once_in(3)) return "'" + field + "':" + literal(draw, cls, field);
  const bool compares = draw.chance.percent(70);
  return "'" + field + "':{" +
         (compares ? comparison(draw, cls, field) : other_operator(draw, cls, field)) + "}";
}

std::string dotted(Draw& draw, const ClassWords& cls, int row) {
  if (cls.points.empty() || draw.chance.once_in(4)) {
    std::vector<std::string> below;
    for (const std::string one : {"extra.k", "extra.ghostkey", "tags.0", "sub.a"}) {
      if (cls.values.contains(one.substr(0, one.find('.')))) below.push_back(one);
    }
    return below.empty() ? draw.chance.of(cls.fields) : draw.chance.of(below);
  }
  auto at = cls.points.begin();
  std::advance(at, draw.chance.below(cls.points.size()));
  const ClassWords* target = draw.words.find(at->second);
  draw.rows.insert(22);
  return at->first + "." + field_name(draw, *target, row);
}

std::string denied_spelling(Draw& draw, const ClassWords& cls) {
  const std::string name = draw.chance.of(cls.denied);
  switch (draw.chance.below(6)) {
    case 0:
      draw.rows.insert(13);
      return name + ".0";
    case 1:
      draw.rows.insert(13);
      return name + ".$id";
    default:
      return name;
  }
}

}  // namespace

std::string indexed_trap(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(20);
  if (cls.name == "item") {
    return "{'$and':[{'price':{'$lt':100}},{'$expr':{'$gt':[{'$divide':[1,'$price']},0]}}]}";
  }
  return "{'$and':[{'note':{'$gte':'a'}},{'note':{'$regex':'" +
         draw.chance.of({"(a+)+$", "(a|aa)+$"}) + "'}}]}";
}

std::string text_condition(Draw& draw) {
  const std::string words = draw.chance.of(
      {"tea", "ghost", "phantom", "spectre", "coffee -cake", "inside", "poltergeist", "tea ghost"});
  draw.rows.insert(19);
  const std::string search = "'$text':{'$search':'" + words + "'}";
  const std::string field = draw.chance.of({"", "title", "body", "inner"});
  return field.empty() ? search : "'" + field + "':{" + search + "}";
}

const ClassWords& any_class(Draw& draw) {
  return draw.words.classes[draw.chance.below(draw.words.classes.size())];
}

std::string class_name(Draw& draw, const ClassWords& cls, int row) {
  if (!draw.is_nosy || !draw.chance.once_in(5)) return "'" + cls.name + "'";
  draw.rows.insert({row, 10, 9});
  if (draw.chance.once_in(4)) return draw.chance.of({"'vaul'", "'payrol'", "'note_words_data'"});
  return "'" + draw.chance.of(draw.words.hidden_classes) + "'";
}

std::string field_name(Draw& draw, const ClassWords& cls, int row) {
  if (draw.is_nosy && !cls.denied.empty() && draw.chance.once_in(4)) {
    draw.rows.insert(row);
    return denied_spelling(draw, cls);
  }
  if (draw.is_nosy && draw.chance.once_in(12)) return draw.chance.of({"nothing", "secrt", "_id"});
  if (draw.chance.once_in(10)) return dotted(draw, cls, row);
  if (draw.chance.once_in(12)) return draw.chance.of({"objectId", "_id"});
  const std::string field = draw.chance.of(cls.fields);
  if (field == "payroll_id") draw.rows.insert({17, row == 32 ? 33 : 17});
  return field;
}

std::string literal(Draw& draw, const ClassWords& cls, const std::string& field) {
  const auto known = cls.values.find(field);
  if (draw.chance.once_in(8) || known == cls.values.end()) {
    if (draw.chance.once_in(2)) return id_literal(draw, any_class(draw));
    return is_number(cls, field) ? draw.chance.of({"0", "1", "1e3"}) : draw.chance.of(kOddLiterals);
  }
  const Literals& values = known->second;
  const bool wants_hidden = draw.chance.percent(kHiddenShare) && !values.hidden.empty();
  const std::string text = draw.chance.of(wants_hidden ? values.hidden : values.seen);
  return text.empty() ? "null" : text;
}

std::string id_literal(Draw& draw, const ClassWords& cls) {
  if (draw.chance.once_in(10)) return draw.chance.of({"999", "'nothing'", "0"});
  const bool wants_hidden = draw.chance.percent(kHiddenShare) && !cls.ids.hidden.empty();
  const std::string text = draw.chance.of(wants_hidden ? cls.ids.hidden : cls.ids.seen);
  return text.empty() ? "1" : text;
}

std::string filter(Draw& draw, const ClassWords& cls, int depth, bool in_pipeline) {
  if (depth < 2 && draw.chance.once_in(5)) {
    return "{'" + draw.chance.of({"$or", "$and", "$nor"}) + "':[" +
           filter(draw, cls, depth + 1, in_pipeline) + "," +
           filter(draw, cls, depth + 1, in_pipeline) + "]}";
  }
  const bool has_trap = cls.name == "item" || cls.name == "orders";
  if (has_trap && depth == 0 && draw.chance.once_in(12)) return indexed_trap(draw, cls);
  const bool is_odd = draw.is_nosy && !cls.denied.empty() && draw.chance.once_in(8);
  if (is_odd) return odd_shape(draw, cls, depth, in_pipeline);
  if (draw.chance.once_in(8)) {
    draw.rows.insert(20);
    return "{'$expr':" + (draw.chance.once_in(2) ? failing(draw, cls) : expression(draw, cls, 0)) +
           "}";
  }
  if (draw.chance.once_in(3)) {
    return "{'$and':[{" + condition(draw, cls, depth + 1, in_pipeline) + "},{" +
           condition(draw, cls, depth + 1, in_pipeline) + "}]}";
  }
  return "{" + condition(draw, cls, depth, in_pipeline) + "}";
}

}  // namespace gantry::worlds
