#include "values/iso_shape.hpp"

#include "values/iso_date.hpp"

namespace gantry::data {

std::optional<std::string> iso_text_of_shape(std::int64_t milliseconds, std::string_view shape) {
  constexpr std::size_t kDate = 10, kWithoutZone = 23;
  std::string like;
  append_iso_date(milliseconds, like);
  like.resize(kWithoutZone);
  if (shape.size() > kDate) like[kDate] = shape[kDate];
  const bool has_zone = shape.ends_with('Z');
  const std::size_t length = shape.size() - (has_zone ? 1 : 0);
  if (length < like.size()) like.resize(length);
  if (has_zone) like += 'Z';
  if (iso_shape(like) != shape || parse_iso_date(like) != milliseconds) return std::nullopt;
  return like;
}

}  // namespace gantry::data
