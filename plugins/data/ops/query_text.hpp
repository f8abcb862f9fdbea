// ops/query_text.hpp: the rows of query, as objects or as one text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ops/request.hpp"
#include "tables/json_rows.hpp"

namespace gantry::data {

// {…arguments of query, format?}: the answer of query() for the format json, which is the default.
// For csv, markdown and table -> rows: none; meta {format, headers, row_count, output, …those of
// query}. Headers are the fields of all rows. A text that would exceed max_bytes is refused.
Reply query_in_format(const Request& request);

// Rows in one of these formats. Both throw QueryError for a text that is larger than an answer.
std::string rendered_rows(const JsonRows& rows, std::string_view format, std::size_t max_bytes);
[[noreturn]] void refuse_text_size(std::string_view format, std::size_t bytes);

}  // namespace gantry::data
