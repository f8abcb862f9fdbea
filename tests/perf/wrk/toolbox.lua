-- The same for the other server, whose tools toolbox.yaml makes; TOOL says which: get_row,
-- top_rows or execute_sql.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json, text/event-stream"
wrk.headers["MCP-Protocol-Version"] = "2025-06-18"
local tool = os.getenv("TOOL")
local n = 10000
function request()
  n = 10000 + (n * 7919 + 104729) % 89999
  local arguments = tool == "get_row" and '{"id":' .. n .. '}' or
    tool == "execute_sql" and '{"sql":"SELECT * FROM big WHERE id = ' .. n .. '"}' or "{}"
  return wrk.format(nil, nil, nil, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"' ..
    tool .. '","arguments":' .. arguments .. '}}')
end
