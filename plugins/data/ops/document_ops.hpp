// ops/document_ops.hpp: the operations of read_ops.hpp for document classes.
//
// The arguments and answers are the same. An object is its document with objectId in front; values
// are relaxed Extended JSON, as stored. Throws QueryError.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

Reply query_documents(const Request& request);
Reply count_documents(const Request& request);
Reply get_document(const Request& request);
Reply get_documents(const Request& request);
Reply sample_documents(const Request& request);

}  // namespace gantry::data
