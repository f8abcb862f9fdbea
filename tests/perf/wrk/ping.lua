-- The legacy era, in the session that SESSION names.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json, text/event-stream"
wrk.headers["MCP-Protocol-Version"] = "2025-06-18"
wrk.headers["Mcp-Session-Id"] = os.getenv("SESSION")
wrk.body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
