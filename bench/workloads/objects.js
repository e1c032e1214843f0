// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects, closures, arrays and strings that come and go.
var rounds = Number(scriptArgs[0]);
var state = 42;

function draw(below) {
	state = (state * 1103515245 + 12345) % 2147483648;
	return Math.floor(state / 65536) % below;
}

function Node(key) {
	this.key = key;
	this.left = null;
	this.right = null;
}

function insert(root, key) {
	if (!root) return new Node(key);
	if (key < root.key) root.left = insert(root.left, key);
	else root.right = insert(root.right, key);
	return root;
}

function sum(root) {
	return root ? root.key + sum(root.left) + sum(root.right) : 0;
}

function adder(n) {
	return function (m) { return n + m; };
}

function words(n) {
	var list = [], counts = {}, i, word;
	for (i = 0; i < n; i++) {
		word = "word" + draw(500) + "-" + i % 7;
		counts[word] = (counts[word] || 0) + 1;
		list.push({ text: word, length: word.length });
	}
	list.sort(function (a, b) { return a.text < b.text ? -1 : a.text > b.text ? 1 : 0; });
	return JSON.stringify(list.slice(0, 50)).length + Object.keys(counts).length;
}

var total = 0, i, j, root, text;
for (i = 0; i < rounds; i++) {
	root = null;
	for (j = 0; j < 400; j++) root = insert(root, draw(100000));
	total += sum(root);
	for (j = 0; j < 1000; j++) total += adder(j)(i);
	total += words(500);
	text = "";
	for (j = 0; j < 300; j++) text += String.fromCharCode(97 + draw(26));
	total += text.replace(/[aeiou]/g, "*").split("*").length;
	total %= 1000000007;
}
print(total);
