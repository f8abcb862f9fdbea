#include <gantry/schema/validator.hpp>

int main() {
  const auto schema = gantry::schema::Validator::compile(R"({"type":"object"})");
  rapidjson::Document value;
  value.Parse("{}");
  return schema && schema->validate(value) ? 0 : 1;
}
