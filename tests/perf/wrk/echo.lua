require("modern")
modern("tools/call", "echo", '"name":"echo","arguments":{"text":"The quick brown fox"},')
