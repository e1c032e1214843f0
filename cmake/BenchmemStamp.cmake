# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes OUTPUT, a header with one digest of FILES (separated by commas).
string(REPLACE "," ";" FILES "${FILES}")
set(digests "")
foreach(file IN LISTS FILES)
    file(SHA256 "${file}" digest)
    string(APPEND digests "${digest}")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING "${digest}" 0 16 digest)
file(WRITE "${OUTPUT}"
    "#define BENCHMEM_STAMP \"${digest}\"\n")
