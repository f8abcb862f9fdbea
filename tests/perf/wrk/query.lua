require("modern")
modern("tools/call", "query_class",
  '"name":"query_class","arguments":{"class_name":"orders","limit":1000},')
