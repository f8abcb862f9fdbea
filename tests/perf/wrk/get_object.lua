-- A different row of the 100,000 each time; as many digits each time.
require("modern")
modern("tools/call", "get_object",
  '"name":"get_object","arguments":{"class_name":"big","object_id":"10000"},')
local body = wrk.body
local n = 10000
function request()
  n = 10000 + (n * 7919 + 104729) % 89999
  return wrk.format(nil, nil, nil, (body:gsub('"10000"', '"' .. n .. '"', 1)))
end
