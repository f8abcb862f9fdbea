-- As get_object.lua; each connection waits for PERIOD milliseconds on average after each answer.
require("get_object")
local period = tonumber(os.getenv("PERIOD"))
function delay() return math.random(0, 2 * period) end
