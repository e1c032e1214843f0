// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// read_dhat.mjs FILE [VIEWER]: lets the script of valgrind's DHAT viewer build
// and draw the tree of a file by each of its sort metrics, on a page of no
// more than elements that hold text. Prints the totals of the root as JSON.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [file, viewer = "/usr/libexec/valgrind/dh_view.js"] =
  process.argv.slice(2);

class Element {
  constructor(text) {
    this.textContent = text ?? "";
    this.childNodes = [];
  }
  appendChild(child) {
    this.childNodes.push(child);
    return child;
  }
  text() {
    return this.textContent + this.childNodes.map((c) => c.text()).join("");
  }
}

const context = vm.createContext({
  console,
  document: {
    createElement: () => new Element(),
    createTextNode: (text) => new Element(text),
  },
});
vm.runInContext(readFileSync(viewer, "utf8"), context);
// The script's own names are no properties of the context's global object.
const run = (code) => vm.runInContext(code, context);

context.text = readFileSync(file, "utf8");
run("gSelect = { childNodes: gSelectData.map(() => ({})), selectedIndex: 0 }");
run("gData = JSON.parse(text); buildTree();");
const drawn = run("gSelect.childNodes.map((o) => !o.disabled)");
for (let i = 0; i < drawn.length; i++) {
  if (!drawn[i]) continue;
  context.page = new Element();
  context.metric = i;
  run(`{
    let data = gSelectData[metric];
    let cmp = (a, b) => b[data.cmpField] - a[data.cmpField];
    let pc = (t) => div(t[data.cmpField], gRoot[data.cmpField]) * 100;
    appendInvocationAndTimes(page);
    appendTree(page, data.bolds, cmp, pc, data.sig);
    appendSignificanceThreshold(page, data.sigLabel);
  }`);
  // What the viewer computes stands before a unit; NaN may also be a name.
  if (/NaN(%| bytes| blocks|,| \(\d)|undefined|Infinity/.test(context.page.text()))
    throw new Error(`metric ${i}: ${context.page.text()}`);
}

console.log(
  JSON.stringify(
    run(`({
      allocated_bytes: gRoot._totalBytes,
      allocations: gRoot._totalBlocks,
      at_peak_bytes: gRoot._atTGmaxBytes,
      live_bytes: gRoot._atTEndBytes,
      live_blocks: gRoot._atTEndBlocks,
    })`),
  ),
);
