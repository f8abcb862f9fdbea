-- A new row of ten columns each time.
require("modern")
modern("tools/call", "create_object",
  '"name":"create_object","arguments":{"class_name":"big","data":{"customer":"Customer number 7",' ..
  '"email":"user7@example.org","status":"open","total":9.59,"quantity":7,"paid":true,' ..
  '"city":"Zürich","note":"She said hello on day 7","weight":1.5}},')
