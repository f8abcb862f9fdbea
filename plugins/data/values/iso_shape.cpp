#include "values/iso_shape.hpp"

#include <algorithm>

#include "values/iso_date.hpp"

namespace gantry::data {

std::optional<std::string> iso_text_of_shape(std::int64_t milliseconds, std::string_view shape) {
  constexpr std::size_t kDate = 10, kWithoutZone = 23;
  std::string like;
  append_iso_date(milliseconds, like);
  like.resize(kWithoutZone);
  const std::size_t sign = shape.find_first_of("Z+-", kDate);
  std::size_t zone = std::min(sign, shape.size());
  if (zone > kDate + 1 && shape[zone - 1] == ' ') --zone;
  if (shape.size() > kDate) like[kDate] = shape[kDate];
  like.resize(zone, '0');
  like += shape.substr(zone);  // whose digits are 0: the text is of UTC
  if (iso_shape(like) != shape || parse_iso_date(like) != milliseconds) return std::nullopt;
  return like;
}

}  // namespace gantry::data
