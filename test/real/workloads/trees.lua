-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Builds and counts binary trees: many small tables that die young.
local depth = tonumber(arg[1])

local function build(left)
  if left == 0 then return {} end
  return { build(left - 1), build(left - 1) }
end

local function count(tree)
  return tree[1] and 1 + count(tree[1]) + count(tree[2]) or 1
end

local kept = build(depth)
for left = 4, depth, 4 do
  local rounds, nodes = 1 << (depth - left + 2), 0
  for _ = 1, rounds do nodes = nodes + count(build(left)) end
  print(rounds, left, nodes)
end
print(depth, count(kept))
