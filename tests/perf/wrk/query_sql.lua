-- A different row of the 100,000 each time, by SQL: with the id in its text, or with BOUND as a parameter.
require("modern")
local bound = os.getenv("BOUND")
local sql = bound and '"sql":"SELECT * FROM big WHERE id = ?","params":[10000]' or
  '"sql":"SELECT * FROM big WHERE id = 10000"'
modern("tools/call", "query_sql", '"name":"query_sql","arguments":{' .. sql .. '},')
local body = wrk.body
local n = 10000
function request()
  n = 10000 + (n * 7919 + 104729) % 89999
  return wrk.format(nil, nil, nil, (body:gsub("10000", n, 1)))
end
