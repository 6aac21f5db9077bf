// SPDX-License-Identifier: BSD-3-Clause
// What any page needs: its tables and models unpacked, tables that sort and filter, files to save, charts.
"use strict";
const osgapUi = (() => {
  const MOST_ROWS = 500, FEW_ROWS = 8, LONG = 60;
  const WIDE = 450, PAPER = 620, PRINTED_ROWS = 20;  // pixels, pixels, rows
  const { onBack, adapted, theme, labelled, sized, lineEnds } = osgapLooks;
  const byId = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(byId(id).textContent);
  const charts = read("charts"), views = new Map();

  function trouble(text) {
    byId("trouble").textContent = text;
    byId("trouble").hidden = false;
  }

  // The state of the page's parts in its address, beside plain links to sections.
  const kept = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
  const recall = (key) => kept().get(key);

  // Puts values into the address; an empty one goes out of it.
  function remember(values) {
    const all = kept();
    for (const [key, value] of Object.entries(values)) {
      if (value === "" || value === null || value === undefined) all.delete(key);
      else all.set(key, value);
    }
    const text = String(all);
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
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

  // On a telephone the column to look at stands beside the rows' names.
  function bringNear(table, name) {
    const column = [...table.tHead.rows[0].cells].findIndex((one) => one.dataset.name === name);
    if (column < 2) return;
    for (const row of table.rows) row.insertBefore(row.cells[column], row.cells[1]);
  }

  function liven(holder) {
    const table = holder.querySelector("table");
    if (holder.dataset.ratio && matchMedia("(max-width: 600px)").matches) bringNear(table, holder.dataset.ratio);
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.replaceChildren(button);
      button.addEventListener("click", () => sortBy(table, heading, column));
    });
    if (table.tBodies[0].rows.length <= FEW_ROWS) return;
    const label = document.createElement("label"), filter = document.createElement("input");
    const count = document.createElement("output"), none = document.createElement("p");
    label.textContent = "Rows that contain ";
    filter.type = "search";
    label.append(filter);
    none.className = "note";
    none.textContent = "No row contains all of these words.";
    const key = holder.id ? `rows-${holder.id}` : "";
    const update = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const rows = [...table.tBodies[0].rows];
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
      const seen = rows.filter((row) => !row.hidden).length;
      count.textContent = `${seen} of ${rows.length} rows`;
      none.hidden = seen > 0;
    };
    filter.addEventListener("input", () => {
      update();
      if (key) remember({ [key]: filter.value });
    });
    filter.value = (key && recall(key)) || "";
    const line = document.createElement("p");
    line.className = "control";
    line.append(label, count);
    holder.prepend(line);
    holder.append(none);
    update();
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

  const hasEnds = (own) => "layer" in own.spec && "ends" in own.data;

  async function draw(id) {
    const own = charts[id];
    if (!own || !byId(id)) return;
    const width = byId(id).clientWidth, config = theme(), isLabelled = hasEnds(own);
    if (width < 500) config.legend.columns = 1;
    const ends = isLabelled && width >= WIDE ? own.data.ends : [];
    const base = isLabelled ? labelled(adapted(own.spec), ends) : adapted(own.spec);
    const datasets = isLabelled ? { ...own.data, ends } : own.data;
    const spec = { ...sized(base, own.data, width), datasets, config };
    const made = await window.vegaEmbed(`#${CSS.escape(id)}`, spec, {
      actions: { export: true, source: false, compiled: false, editor: false }, renderer: "svg", logLevel: 1,
    });
    const menu = byId(id).querySelector("summary");
    menu.setAttribute("aria-label", "Save this chart");
    menu.title = "Save this chart";
    // Who does not see it has the words below it, and its numbers in the tables.
    byId(id).querySelector("svg.marks").setAttribute("aria-hidden", "true");
    views.set(id, made.view);
  }

  // Gives a chart other rows; it is drawn with these from then on.
  async function show(id, data) {
    if (!charts[id]) return;
    charts[id].data = { ...charts[id].data, ...data };
    const numbers = document.querySelector(`.numbers[data-chart="${CSS.escape(id)}"]`);
    if (numbers && numbers.open) tabulate(numbers);
    const view = views.get(id);
    if (!view) return;
    if (hasEnds(charts[id]) || charts[id].spec.height.step) {
      await draw(id);
      return;
    }
    for (const [name, rows] of Object.entries(data)) view.data(name, rows);
    await view.runAsync();
  }

  const LABELS = {
    label: "what", mips_ratio: "MIPS ratio", clock_mhz: "clock, MHz", value: "value", low: "low",
    high: "high", shown: "value", metric: "unit", what: "cell",
  };

  // The rows of a chart as a table below it.
  function tabulate(holder) {
    const data = charts[holder.dataset.chart].data;
    const name = Object.keys(data).find((one) => !["ends", "diagonal", "one", "here"].includes(one) && data[one].length);
    const rows = name ? data[name] : [];
    const hidden = new Set(["set", "series", "view", "key", "dx", "dy", "align", "baseline", "rank", "relative", "order"]);
    const names = rows.length ? Object.keys(rows[0]).filter((one) => !hidden.has(one)
      && typeof rows[0][one] !== "object") : [];
    const table = document.createElement("table");
    const head = table.createTHead().insertRow(), body = table.createTBody();
    for (const one of names) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = LABELS[one] || one.replaceAll("_", " ");
      head.append(cell);
    }
    for (const row of rows.slice(0, MOST_ROWS)) {
      const line = body.insertRow();
      for (const one of names) {
        const value = row[one];
        line.insertCell().textContent = typeof value === "number" ? digits(value) : value ?? "";
      }
    }
    const box = document.createElement("div");
    box.className = "scroll";
    box.tabIndex = 0;
    box.append(table);
    holder.querySelector("div").replaceChildren(box);
  }

  function prepare() {
    for (const holder of document.querySelectorAll(".numbers")) {
      holder.addEventListener("toggle", () => holder.open && tabulate(holder));
    }
    window.addEventListener("beforeprint", () => {
      for (const view of views.values()) view.width(PAPER).run();
      for (const holder of document.querySelectorAll("#checks .table, #provenance .table, #failures .table")) {
        const rows = holder.querySelectorAll("tbody tr").length;
        if (rows > PRINTED_ROWS && !holder.querySelector(".cut")) {
          const line = document.createElement("p");
          line.className = "cut only-print";
          line.textContent = `${rows - PRINTED_ROWS} more rows are on the page alone.`;
          holder.append(line);
        }
      }
    });
    window.addEventListener("afterprint", () => drawAll());
    const link = byId("copy-link");
    if (link && navigator.clipboard) {
      link.hidden = false;
      link.addEventListener("click", async () => {
        await navigator.clipboard.writeText(location.href);
        link.textContent = "Copied";
        setTimeout(() => { link.textContent = "Copy link"; }, 1500);
      });
    }
  }

  function repaint() {
    for (const swatch of document.querySelectorAll(".swatch")) swatch.style.color = onBack(swatch.dataset.colour);
    return drawAll();
  }

  const drawAll = () => Promise.all(Object.keys(charts).map(draw));

  return { byId, charts, trouble, unpack, records, save, liven, viewer, draw, show, drawAll, lineEnds,
    prepare, repaint, recall, remember };
})();
