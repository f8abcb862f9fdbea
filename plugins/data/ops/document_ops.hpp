// ops/document_ops.hpp: the reads of read_ops.hpp for classes whose objects are documents.
//
// The same arguments and answers. An object is its document with objectId before it; values are
// relaxed Extended JSON, as they are stored. Throws QueryError.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

Reply query_documents(const Request& request);
Reply count_documents(const Request& request);
Reply get_document(const Request& request);
Reply get_documents(const Request& request);
Reply sample_documents(const Request& request);

}  // namespace gantry::data
