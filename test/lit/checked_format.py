# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's shell tests, with the identities of all their profiles asserted."""
import os
import subprocess

import lit.formats
import lit.Test
import lit.TestRunner

MAGIC = b"benchmem"


class CheckedShTest(lit.formats.ShTest):
    """A test passes only if check_profile accepts each profile that it left.

    Files called damaged* are profiles that a test broke on purpose.
    """

    def __init__(self, checker, **kwargs):
        super().__init__(execute_external=True, **kwargs)
        self.checker = checker

    def execute(self, test, litConfig):
        result = super().execute(test, litConfig)
        if not self.checker or result.code != lit.Test.PASS:
            return result
        _, base = lit.TestRunner.getTempPaths(test)
        wrong = [path for path in profiles_below(base + ".tmp") if not self.holds(path)]
        if wrong:
            result.code = lit.Test.FAIL
            result.output += "\nidentities do not hold: %s\n" % " ".join(wrong)
        return result

    def holds(self, path):
        done = subprocess.run([self.checker, path], capture_output=True, check=False)
        return done.returncode == 0


def profiles_below(folder):
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            known = name.endswith(".bmem") and not name.startswith("damaged")
            if known and os.path.isfile(path):
                with open(path, "rb") as content:
                    if MAGIC in content.read(64):
                        yield path
