#include "draw.hpp"

namespace gantry::worlds {
namespace {

std::string path(Draw& draw, const ClassWords& cls) {
  return "'$" + field_name(draw, cls, 15) + "'";
}

std::string whole_document(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(15);
  const std::string name = draw.chance.of(cls.denied.empty() ? cls.fields : cls.denied);
  switch (draw.chance.below(7)) {
    case 0:
      return "{'$objectToArray':'$$ROOT'}";
    case 1:
      return "'$$CURRENT'";
    case 2:
      return "{'$getField':{'field':'" + name + "','input':'$$ROOT'}}";
    case 3:
      return "{'$getField':{'field':{'$literal':'" + name + "'},'input':'$$CURRENT'}}";
    case 4:
      return "{'$mergeObjects':['$$ROOT',{'more':1}]}";
    case 5:
      return "{'$let':{'vars':{'all':'$$ROOT'},'in':'$$all." + name + "'}}";
    default:
      return "'$$ROOT'";
  }
}

std::string lookup_with_pipeline(Draw& draw, const ClassWords& cls, const ClassWords& to,
                                 const std::string& from, int depth) {
  draw.rows.insert(27);
  const std::string inner = stages(draw, to, depth + 1);
  if (draw.chance.once_in(3)) {
    return "{'$lookup':{'from':" + from + ",'pipeline':[" + inner + "],'as':'them'}}";
  }
  return "{'$lookup':{'from':" + from + ",'let':{'own':" + path(draw, cls) +
         "},'pipeline':[{'$match':{'$expr':{'$eq':[" + path(draw, to) + ",'$$own']}}}," + inner +
         "],'as':'them'}}";
}

std::string lookup(Draw& draw, const ClassWords& cls, int depth) {
  const ClassWords& to = any_class(draw);
  draw.rows.insert(24);
  const std::string from = class_name(draw, to, 24);
  if (depth < 2 && draw.chance.once_in(2)) {
    return lookup_with_pipeline(draw, cls, to, from, depth);
  }
  std::string local = field_name(draw, cls, 24), foreign = field_name(draw, to, 24);
  for (const auto& [name, target] : cls.points) {
    if (target == to.name && draw.chance.once_in(2)) local = name, foreign = "id";
  }
  for (const auto& [name, target] : to.points) {
    if (target == cls.name && draw.chance.once_in(2)) local = "id", foreign = name;
  }
  return "{'$lookup':{'from':" + from + ",'localField':'" + local + "','foreignField':'" + foreign +
         "','as':'them'}}";
}

std::string graph_lookup(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(25);
  const bool is_tree = draw.chance.percent(60);
  const ClassWords& to = is_tree ? *draw.words.find("orders") : any_class(draw);
  const std::string from = class_name(draw, to, 25);
  const std::string connect = is_tree ? "parent_id" : field_name(draw, to, 25);
  const std::string start = cls.name == "item" && draw.chance.once_in(2) ? "'$order_id'"
                            : draw.chance.once_in(2)                     ? path(draw, cls)
                                                                         : id_literal(draw, to);
  std::string text = "{'$graphLookup':{'from':" + from + ",'startWith':" + start +
                     ",'connectFromField':'" + connect + "','connectToField':'" +
                     (is_tree ? "id" : field_name(draw, to, 25)) + "','as':'tree'";
  if (draw.chance.once_in(3)) text += ",'maxDepth':" + std::to_string(draw.chance.below(4));
  if (draw.chance.once_in(3)) text += ",'restrictSearchWithMatch':" + filter(draw, to, 1, true);
  return text + "}}";
}

std::string union_with(Draw& draw, int depth) {
  const ClassWords& to = any_class(draw);
  draw.rows.insert(26);
  const std::string from = class_name(draw, to, 26);
  if (depth > 1 || draw.chance.once_in(3)) return "{'$unionWith':" + from + "}";
  return "{'$unionWith':{'coll':" + from + ",'pipeline':[" + stages(draw, to, depth + 1) + "]}}";
}

std::string facet(Draw& draw, const ClassWords& cls, int depth) {
  draw.rows.insert(27);
  return "{'$facet':{'a':[" + stages(draw, cls, depth + 1) + "],'b':[" +
         stages(draw, cls, depth + 1) + "]}}";
}

std::string group_stage(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(30);
  std::string key = "'$" + field_name(draw, cls, 32) + "'";
  if (draw.chance.once_in(5)) key = "null";
  if (draw.chance.once_in(6)) key = expression(draw, cls, 1);
  return "{'$group':{'_id':" + key + ",'n':{'$sum':1},'v':" + accumulator(draw, cls) + "}}";
}

std::string counting(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(30);
  const std::string field = "'$" + field_name(draw, cls, 32) + "'";
  const std::string number = cls.numbers.empty() ? "id" : draw.chance.of(cls.numbers);
  switch (draw.chance.below(8)) {
    case 0:
      return "{'$count':'n'}";
    case 1:
      return "{'$sortByCount':" + field + "}";
    case 2:
      return "{'$bucketAuto':{'groupBy':" + field + ",'buckets':3}}";
    case 3:
      return "{'$bucket':{'groupBy':'$" + number +
             "','boundaries':[-10,0,5,1000],'default':'rest'}}";
    case 4:
      return "{'$sample':{'size':5000}},{'$count':'n'}";
    case 5:
      return "{'$setWindowFields':{'partitionBy':" + field + ",'sortBy':{'" + number +
             "':1},'output':{'rank':{'$documentNumber':{}},'run':{'$sum':1,'window':{"
             "'documents':['unbounded','current']}}}}}";
    case 6:
      return "{'$fill':{'sortBy':{'id':1},'output':{'" + number + "':{'method':'locf'}}}}";
    default:
      return "{'$densify':{'field':'" + number + "','range':{'step':50,'bounds':'full'}}}";
  }
}

std::string shaping(Draw& draw, const ClassWords& cls) {
  const std::string field = field_name(draw, cls, 15);
  switch (draw.chance.below(9)) {
    case 0:
      return "{'$project':{'" + field + "':1,'made':" + expression(draw, cls, 0) + "}}";
    case 1:
      return "{'$addFields':{'made':" + expression(draw, cls, 0) + "}}";
    case 2:
      return "{'$set':{'made':" + whole_document(draw, cls) + "}}";
    case 3:
      return "{'$unset':'" + field + "'}";
    case 4:
      return "{'$replaceRoot':{'newRoot':{'all':" + whole_document(draw, cls) + "}}}";
    case 5:
      return "{'$replaceWith':{'made':" + expression(draw, cls, 0) + "}}";
    case 6:
      return "{'$redact':{'$cond':[" + expression(draw, cls, 1) + ",'$$KEEP','$$PRUNE']}}";
    case 7:
      return "{'$unwind':'$" + draw.chance.of({"tags", "extra.a", field}) + "'}";
    default:
      draw.rows.insert(20);
      return "{'$project':{'made':" + failing(draw, cls) + "}}";
  }
}

std::string one_stage(Draw& draw, const ClassWords& cls, int depth) {
  switch (draw.chance.below(depth == 0 ? 13 : 11)) {
    case 0:
    case 1:
      return "{'$match':" + filter(draw, cls, 0, true) + "}";
    case 2:
      return "{'$sort':{'" + field_name(draw, cls, 16) + "':-1,'id':1}}";
    case 3:
      return "{'$limit':" + std::to_string(1 + draw.chance.below(8)) + "}";
    case 4:
      return "{'$skip':" + std::to_string(draw.chance.below(4)) + "}";
    case 5:
      return group_stage(draw, cls);
    case 6:
      return counting(draw, cls);
    case 7:
    case 8:
      return shaping(draw, cls);
    case 9:
      return lookup(draw, cls, depth);
    case 10:
      return union_with(draw, depth);
    case 11:
      return graph_lookup(draw, cls);
    default:
      return facet(draw, cls, depth);
  }
}

}  // namespace

std::string expression(Draw& draw, const ClassWords& cls, int depth) {
  if (draw.chance.once_in(6)) return whole_document(draw, cls);
  if (depth > 1) return path(draw, cls);
  const std::string field = field_name(draw, cls, 15);
  const std::string one = "'$" + field + "'";
  switch (draw.chance.below(10)) {
    case 0:
      return "{'$gt':[" + one + "," + literal(draw, cls, field) + "]}";
    case 1:
      return "{'$eq':[" + one + "," + literal(draw, cls, field) + "]}";
    case 2:
      return "{'$cond':[" + expression(draw, cls, depth + 1) + "," + one + ",'no']}";
    case 3:
      return "{'$ifNull':[" + one + ",'none']}";
    case 4:
      return "{'$type':" + one + "}";
    case 5:
      return "{'$in':[" + one + ",[" + literal(draw, cls, field) + "]]}";
    case 6:
      return "{'$and':[" + one + "," + expression(draw, cls, depth + 1) + "]}";
    case 7:
      return "{'$max':[" + one + "," + expression(draw, cls, depth + 1) + "]}";
    case 8:
      return "{'$map':{'input':['x'],'in':" + expression(draw, cls, depth + 1) + "}}";
    default:
      return one;
  }
}

std::string failing(Draw& draw, const ClassWords& cls) {
  const std::string field = "'$" + field_name(draw, cls, 20) + "'";
  switch (draw.chance.below(6)) {
    case 0:
      return "{'$toInt':" + field + "}";
    case 1:
      return "{'$divide':[1,{'$strLenBytes':" + field + "}]}";
    case 2:
      return "{'$toDate':" + field + "}";
    case 3:
      return "{'$divide':[1," + field + "]}";
    case 4:
      return "{'$arrayElemAt':[" + field + ",0]}";
    default:
      return "{'$regexMatch':{'input':" + field + ",'regex':'(a+)+$'}}";
  }
}

std::string accumulator(Draw& draw, const ClassWords& cls) {
  draw.rows.insert(30);
  const std::string field = "'$" + field_name(draw, cls, 32) + "'";
  const std::string name = draw.chance.of({"$sum", "$avg", "$min", "$max", "$first", "$last",
                                           "$push", "$addToSet", "$stdDevPop", "$mergeObjects"});
  if (name == "$mergeObjects") return "{'$mergeObjects':'$$ROOT'}";
  return "{'" + name + "':" + field + "}";
}

std::string stages(Draw& draw, const ClassWords& cls, int depth) {
  std::string text;
  if (cls.name == "note" && draw.chance.once_in(4))
    text = "{'$match':{" + text_condition(draw) + "}}";
  const std::uint32_t count = 1 + draw.chance.below(depth == 0 ? 3 : 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    text += (text.empty() ? "" : ",") + one_stage(draw, cls, depth);
  }
  return text;
}

}  // namespace gantry::worlds
