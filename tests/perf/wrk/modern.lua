-- modern(method, name, params): one request of the stateless era, sent again and again; with the key
-- in KEY, if there is one.
function modern(method, name, params)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Accept"] = "application/json, text/event-stream"
  wrk.headers["MCP-Protocol-Version"] = "2026-07-28"
  wrk.headers["Mcp-Method"] = method
  local key = os.getenv("KEY")
  if key then wrk.headers["Authorization"] = "Bearer " .. key end
  if name then wrk.headers["Mcp-Name"] = name end
  wrk.body = string.format(
    '{"jsonrpc":"2.0","id":1,"method":"%s","params":{%s"_meta":{' ..
    '"io.modelcontextprotocol/protocolVersion":"2026-07-28",' ..
    '"io.modelcontextprotocol/clientInfo":{"name":"wrk","version":"4"},' ..
    '"io.modelcontextprotocol/clientCapabilities":{}}}}', method, params or "")
end
