// A bot for mineproof's engine protocol (docs/protocol.md), for Node.js. It counts around single numbers.
//
// mineproof simulate beginner --games 100 --strategy 'exec:node examples/bot.mjs'

import { createInterface } from "node:readline";

/** The cells that touch a cell, as "row,column". */
function neighbours(row, column, board) {
  const cells = [];
  for (let r = Math.max(0, row - 1); r < Math.min(board.length, row + 2); r++)
    for (let c = Math.max(0, column - 1); c < Math.min(board[0].length, column + 2); c++)
      if (r !== row || c !== column) cells.push(`${r},${c}`);
  return cells;
}

/** Certainly safe cells, or the best guess. */
function choose(board, total) {
  const covered = new Set();
  const numbers = [];
  board.forEach((line, r) =>
    [...line].forEach((symbol, c) => {
      if (symbol === "#") covered.add(`${r},${c}`);
      else if (symbol > "0") numbers.push([Number(symbol), r, c]);
    }),
  );
  const around = numbers.map(([, r, c]) => neighbours(r, c, board).filter((cell) => covered.has(cell)));
  const mines = new Set(around.filter((cells, place) => cells.length === numbers[place][0]).flat());
  const safe = new Set();
  const odds = new Map();
  around.forEach((cells, place) => {
    const unknown = cells.filter((cell) => !mines.has(cell));
    const left = numbers[place][0] - (cells.length - unknown.length);
    for (const cell of unknown) {
      odds.set(cell, Math.max(odds.get(cell) ?? 0, left / unknown.length));
      if (left === 0) safe.add(cell);
    }
  });
  if (safe.size > 0) return { cells: [...safe], safe: true };
  const unknown = [...covered].filter((cell) => !mines.has(cell));
  const risk = (cell) => odds.get(cell) ?? (total - mines.size) / unknown.length;
  return { cells: [unknown.reduce((best, cell) => (risk(cell) < risk(best) ? cell : best))], safe: false };
}

let board = [];
let total = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.trim().split(" ");
  if (word === "mineproof") console.log("id name Single numbers (JavaScript)\nid version 1\ncapabilities grid\nready");
  else if (word === "newgame") {
    total = Number(rest[rest.indexOf("mines") + 1]);
    console.log("ready");
  } else if (word === "position") board = rest[0].split("/");
  else if (word === "go") {
    const { cells, safe } = choose(board, total);
    console.log(["bestmove", cells[0], safe ? "safe" : "", "more", ...cells.slice(1)].filter(Boolean).join(" "));
  } else if (word === "quit") process.exit(0);
}
