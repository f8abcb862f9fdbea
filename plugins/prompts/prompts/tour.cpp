// data_conventions and explore_database: introductions to the data.
#include "prompts/prompts.hpp"

namespace prompts {
namespace {

constexpr std::string_view kConventions =
    R"(How the data of this server looks, and how to ask for it.

Classes and objects
- A class is a named collection of objects. `get_all_schemas` lists the classes you may see, `get_schema {"class_name":"…"}` describes one.
- Every object has `objectId`, a string, also where the stored key is a number; `get_object` and `get_objects` take it. Some classes have `createdAt` and `updatedAt`.
- What you may not see does not exist for you: a class or field that is not in a schema cannot be asked for.

Values
- A pointer to another object is {"__type":"Pointer","className":"…","objectId":"…"}. Name the field in `include` to get the whole object in its place.
- A date is {"__type":"Date","iso":"2026-01-31T08:00:00.000Z"}; `createdAt` and `updatedAt` are plain ISO strings. Binary data is {"__type":"Bytes","base64":"…"}.

Constraints (`where`)
- {"field":value} is equality. Operators: $eq $ne $gt $gte $lt $lte $in $nin $exists $regex (with $options), and $and $or $nor over lists of constraints.
- For a pointer give the bare objectId; for a date an ISO string, such as {"createdAt":{"$gte":"2026-01-01"}}.

Answers
- `query_class` returns 100 rows unless `limit` says otherwise (at most 1000); while there are more, `next_call` is the ready call for the next ones. `order` is a list such as "-createdAt,name"; `keys` leaves out other fields.
- Count with `count_objects`; do not read rows to count them.
- A failed call says what was wrong and names the nearest names that exist: correct the call and repeat it.)";

constexpr std::size_t kMostClasses = 50;

}  // namespace

gantry::Messages data_conventions() { return gantry::Messages().user(kConventions); }

Answer explore_database(const Model& model) {
  const auto names = model.class_names();
  if (!names) return names.status();
  if (names->empty()) {
    return gantry::Messages().user(
        "The database has no class that you may see. Say so, and that its operator decides that.");
  }
  const std::string& first = names->front();
  std::string text = "Explore this database and explain what it is about.\n\nIt has " +
                     std::to_string(names->size()) +
                     (names->size() == 1 ? " class: " : " classes: ") +
                     listed(*names, kMostClasses) + ".\n\n";
  text += "1. Call `get_all_schemas {}` for the number of fields of each class.\n";
  text += "2. For the classes that look central, call " +
          tool_call("get_schema", {{"class_name", quoted(first)}}) + " and follow the pointers.\n";
  text += "3. See a few objects of each with " +
          tool_call("get_sample_objects", {{"class_name", quoted(first)}, {"limit", "3"}}) +
          ", and how many there are with " +
          tool_call("count_objects", {{"class_name", quoted(first)}}) + ".\n";
  text +=
      "4. Summarise: what each class holds, how the classes are connected, and three questions "
      "this data can answer.";
  return gantry::Messages().user(text);
}

}  // namespace prompts
