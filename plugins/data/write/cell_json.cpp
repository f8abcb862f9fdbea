#include "values/iso_date.hpp"
#include "values/json_text.hpp"
#include "write/convert.hpp"

namespace gantry::data::write {

void append_cell_json(const Cell& cell, std::string& out) {
  switch (cell.type) {
    case Cell::Type::boolean:
      out += cell.integer != 0 ? "true" : "false";
      break;
    case Cell::Type::integer:
      append_json_integer(cell.integer, out);
      break;
    case Cell::Type::real:
      append_json_double(cell.real, out);
      break;
    case Cell::Type::text:
    case Cell::Type::lexical:
      append_json_string(cell.text, out);
      break;
    case Cell::Type::nested:
    case Cell::Type::big_number:
      out += cell.text;
      break;
    case Cell::Type::date:
      out += R"({"__type":"Date","iso":")";
      append_iso_date(cell.integer, out);
      out += "\"}";
      break;
    case Cell::Type::bytes:
      out += R"({"__type":"Bytes","base64":")";
      append_base64(cell.text, out);
      out += "\"}";
      break;
    case Cell::Type::pointer:
      out += R"({"__type":"Pointer","className":)";
      append_json_string(cell.target, out);
      out += R"(,"objectId":)";
      append_json_string(cell.text, out);
      out += '}';
      break;
    default:
      out += "null";
  }
}

}  // namespace gantry::data::write
