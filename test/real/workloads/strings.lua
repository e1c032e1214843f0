-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Fills and sorts a table of strings: growing arrays, hashes and buffers.
local n = tonumber(arg[1])
local words, seen, state = {}, {}, 42

for i = 1, n do
  state = (state * 1103515245 + 12345) & 0x7fffffff
  local word = string.format("%x-%s", state % (n * 4), string.rep("y", state % 50))
  words[#words + 1] = word
  seen[word] = (seen[word] or 0) + 1
end
table.sort(words)
local text = table.concat(words, ",")
local distinct, length = 0, 0
for piece in text:gmatch("[^,]+") do length = length + #piece end
for _ in pairs(seen) do distinct = distinct + 1 end
print(#words, distinct, length, words[1], words[n])
print(select(2, text:upper():gsub("Y", "z")))
