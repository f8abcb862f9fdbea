require("modern")
modern("tools/list")
