// ==UserScript==
// @name         Minesweeper odds from mineproof
// @match        https://game.example/*
// @description  Shows the exact mine probability of every covered cell.
// ==/UserScript==

// Start the server with the origin of the game, and with nothing more:
//
//     mineproof serve --allow-origin https://game.example
//
// Then change @match and readBoard() to the page of your game. This readBoard() expects a table with the class
// "minesweeper" and the number of mines in data-mines. Its cells have the class "covered" or "flag", or show a number.
// The odds appear in the covered cells, and a line below the board says how many layouts fit, or what is wrong.

const SERVER = "http://127.0.0.1:8642";

/** The visible board as rows of text: # covered, F flag, 0 to 8 open. */
function readBoard() {
  const table = document.querySelector("table.minesweeper");
  if (!(table instanceof HTMLTableElement)) return null;
  const rows = [...table.rows].map((row) => [...row.cells].map(readCell).join(""));
  const mines = table.dataset.mines;
  return { table, board: rows.join("\n"), mines: mines === undefined ? null : Number(mines) };
}

/** @param {HTMLTableCellElement} cell */
function readCell(cell) {
  if (cell.classList.contains("flag")) return "F";
  if (cell.classList.contains("covered")) return "#";
  return cell.dataset.number ?? (cell.textContent?.trim() || "0");
}

async function showOdds() {
  const seen = readBoard();
  if (seen === null) return;
  const { table, board, mines } = seen;
  try {
    const answer = await fetch(`${SERVER}/api/v1/analyze`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ board, mines }),
    });
    const result = await answer.json();
    if (!answer.ok) return report(table, result.message);
    showInCells(table, result.mine_probability);
    return report(table, result.layouts === "1" ? "1 layout fits." : `${result.layouts} layouts fit.`);
  } catch {
    return report(table, `No answer from ${SERVER}. Is mineproof running, and does it allow ${location.origin}?`);
  }
}

/**
 * @param {HTMLTableElement} table
 * @param {(number | null)[][]} odds
 */
function showInCells(table, odds) {
  for (const [row, line] of [...table.rows].entries()) {
    for (const [column, cell] of [...line.cells].entries()) {
      const chance = odds[row]?.[column];
      const isCovered = cell.classList.contains("covered");
      if (!isCovered || chance === null || chance === undefined) delete cell.dataset.odds;
      else cell.dataset.odds = `${Math.round(100 * chance)} %`;
      cell.title = cell.dataset.odds ?? "";
    }
  }
}

/**
 * @param {HTMLTableElement} table
 * @param {string} text
 */
function report(table, text) {
  let line = document.getElementById("mineproof-odds");
  if (line === null) {
    line = document.createElement("p");
    line.id = "mineproof-odds";
    table.after(line);
  }
  line.textContent = text;
}

const style = document.createElement("style");
style.textContent = "table.minesweeper td[data-odds]::after { content: attr(data-odds); font-size: 0.7em; }";
document.head.append(style);

// Ask again whenever the board changes, but not for the changes that this script makes: they are attributes only.
const board = document.querySelector("table.minesweeper");
if (board !== null) {
  const options = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["class"] };
  new MutationObserver(() => void showOdds()).observe(board, options);
}
void showOdds();
