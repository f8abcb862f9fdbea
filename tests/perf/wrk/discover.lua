require("modern")
modern("server/discover")
