-- Twenty rows of 100,000, by an indexed column.
require("modern")
modern("tools/call", "query_class",
  '"name":"query_class","arguments":{"class_name":"big","order":"-total","limit":20},')
