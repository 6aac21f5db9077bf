// SPDX-License-Identifier: BSD-3-Clause
// What any page needs: its tables and models unpacked, tables that sort and filter, files to save, charts.
"use strict";
const osgapUi = (() => {
  const MOST_ROWS = 500, FEW_ROWS = 8, LONG = 60;
  const byId = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(byId(id).textContent);
  const charts = read("charts"), views = new Map();

  function trouble(text) {
    byId("trouble").textContent = text;
    byId("trouble").hidden = false;
  }

  async function unpack() {
    if (typeof DecompressionStream === "undefined") {
      throw new Error("this browser is too old to unpack the page's tables");
    }
    const packed = Uint8Array.from(atob(byId("packed").textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  function parseCsv(text) {
    const rows = [];
    let row = [], cell = "", quoted = false;
    for (let at = 0; at < text.length; at++) {
      const c = text[at];
      if (quoted) {
        if (c !== '"') cell += c;
        else if (text[at + 1] === '"') { cell += '"'; at++; } else quoted = false;
      } else if (c === '"') quoted = true;
      else if (c === ",") { row.push(cell); cell = ""; }
      else if (c === "\n") { row.push(cell); rows.push(row); row = []; cell = ""; }
      else cell += c;
    }
    return rows;
  }

  // Rows as objects; a cell of a column of numbers is a number, or null where it is undefined.
  function records(table) {
    const [names, ...rows] = parseCsv(table.csv), numbers = new Set(table.numbers);
    return rows.map((row) => Object.fromEntries(names.map((name, at) =>
      [name, numbers.has(name) ? (row[at] === "" ? null : Number(row[at])) : row[at]])));
  }

  function save(name, text, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function sortBy(table, heading, column) {
    const rising = heading.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const key = (row) => {
      const cell = row.cells[column];
      return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
    };
    const body = table.tBodies[0], rows = [...body.rows];
    rows.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === "" || y === "") return (x === "") - (y === "");
      const order = typeof x === "number" && typeof y === "number" ? x - y
        : String(x).localeCompare(String(y));
      return rising ? order : -order;
    });
    body.append(...rows);
  }

  function liven(holder) {
    const table = holder.querySelector("table");
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.replaceChildren(button);
      button.addEventListener("click", () => sortBy(table, heading, column));
    });
    if (table.tBodies[0].rows.length <= FEW_ROWS) return;
    const label = document.createElement("label"), filter = document.createElement("input");
    label.textContent = "Rows that contain ";
    filter.type = "search";
    label.append(filter);
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    const line = document.createElement("p");
    line.className = "control";
    line.append(label);
    holder.prepend(line);
  }

  const digits = (value) => (value === null ? "" : String(Number(value.toPrecision(4))));

  function viewer(holder, name, table) {
    const rows = records(table), numbers = new Set(table.numbers), names = parseCsv(table.csv)[0];
    const box = document.createElement("div");
    box.className = "table";
    box.innerHTML = '<div class="scroll" tabindex="0" role="region"><table><caption></caption>' +
      "<thead><tr></tr></thead><tbody></tbody></table></div>";
    const more = rows.length > MOST_ROWS ? `, the first ${MOST_ROWS}` : "";
    box.querySelector("caption").textContent = `${name}: ${rows.length} rows${more}`;
    box.querySelector(".scroll").setAttribute("aria-label", name);
    for (const column of names) {
      const heading = document.createElement("th");
      heading.scope = "col";
      heading.textContent = column;
      if (numbers.has(column)) heading.className = "number";
      box.querySelector("tr").append(heading);
    }
    for (const row of rows.slice(0, MOST_ROWS)) {
      const line = box.querySelector("tbody").insertRow();
      for (const column of names) {
        const cell = line.insertCell();
        cell.textContent = numbers.has(column) ? digits(row[column]) : row[column];
        if (cell.textContent.length > LONG) cell.className = "long";
        if (!numbers.has(column)) continue;
        cell.className = "number";
        if (row[column] !== null) cell.dataset.value = row[column];
      }
    }
    holder.replaceChildren(box);
    liven(box);
  }

  function theme() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const text = colour("--text"), line = colour("--line");
    return {
      background: "transparent", view: { stroke: line },
      axis: { labelColor: text, titleColor: text, gridColor: line, domainColor: text, tickColor: text },
      legend: { labelColor: text, titleColor: text }, title: { color: text },
      style: { "guide-label": { fontSize: 12 }, "guide-title": { fontSize: 12 } },
    };
  }

  async function draw(id) {
    const own = charts[id];
    if (!own || !byId(id)) return;
    const spec = { ...own.spec, datasets: own.data, config: theme() };
    if (byId(id).clientWidth < 500) spec.config.legend.columns = 1;
    const made = await window.vegaEmbed(`#${CSS.escape(id)}`, spec, {
      actions: { export: true, source: false, compiled: false, editor: false }, renderer: "svg", logLevel: 1,
    });
    // Who does not see it has the words below it, and its numbers in the tables.
    byId(id).querySelector("svg.marks").setAttribute("aria-hidden", "true");
    views.set(id, made.view);
  }

  // Gives a chart other rows; it is drawn with these from then on.
  async function show(id, data) {
    if (!charts[id]) return;
    charts[id].data = { ...charts[id].data, ...data };
    const view = views.get(id);
    if (!view) return;
    for (const [name, rows] of Object.entries(data)) view.data(name, rows);
    await view.runAsync();
  }

  const drawAll = () => Promise.all(Object.keys(charts).map(draw));

  return { byId, charts, trouble, unpack, records, save, liven, viewer, draw, show, drawAll };
})();
