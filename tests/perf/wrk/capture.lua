-- Sends what the script SCRIPT sends, once, and writes the answer to the file CAPTURE as it came.
dofile(os.getenv("SCRIPT"))
function response(status, headers, body)
  local file = assert(io.open(os.getenv("CAPTURE"), "w"))
  file:write("HTTP/1.1 ", status, " OK\r\n")
  for name, value in pairs(headers) do file:write(name, ": ", value, "\r\n") end
  file:write("\r\n", body)
  file:close()
  wrk.thread:stop()
end
