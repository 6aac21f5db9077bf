// SPDX-License-Identifier: BSD-3-Clause
// What any page needs: its tables and models unpacked, tables that sort and filter, files to save, charts.
"use strict";
const osgapUi = (() => {
  const MOST_ROWS = 500, FEW_ROWS = 8, LONG = 60, MOST_LABELS = 8;
  const WIDE = 450, SAME = 0.15, PAPER = 620, PRINTED_ROWS = 20;  // pixels, pixels, rows
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

  const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

  // A colour that is lost on black, lighter.
  function onBack(colour) {
    if (!isDark() || !/^#[0-9a-f]{6}$/i.test(colour)) return colour;
    const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    const bright = (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]) / 255;
    const add = Math.max(0, 0.45 - bright) * (bright < 0.05 ? 2 : 1);
    return `#${parts.map((part) => Math.round(part + (255 - part) * add)
      .toString(16).padStart(2, "0")).join("")}`;
  }

  // Labels in the text's colour, and their halos in the background's.
  function inked(mark) {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    if (mark.style === "label") return { ...mark, color: colour("--text") };
    const back = colour("--back");
    return { ...mark, color: back, stroke: back, strokeWidth: 4, strokeJoin: "round" };
  }

  function adapted(value) {
    if (Array.isArray(value)) return value.map(adapted);
    if (value && typeof value === "object") {
      if (value.type === "text" && value.style) return inked(value);
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, adapted(inner)]));
    }
    return typeof value === "string" ? onBack(value) : value;
  }

  function theme() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const text = colour("--text"), line = colour("--line");
    return {
      background: "transparent", view: { stroke: line },
      axis: { labelColor: text, titleColor: text, gridColor: line, domainColor: text, tickColor: text },
      legend: { labelColor: text, titleColor: text, columns: 2 }, title: { color: text },
      style: {
        "guide-label": { fontSize: 12 }, "guide-title": { fontSize: 12 },
      },
    };
  }

  // Lines have labels at their ends where there is space, and a legend elsewhere.
  function labelled(spec, ends) {
    if (!ends.length) return spec;
    const layer = spec.layer.map((one) => {
      const encoding = { ...one.encoding };
      for (const channel of ["color", "shape", "strokeDash"]) {
        if (encoding[channel]) encoding[channel] = { ...encoding[channel], legend: null };
      }
      return { ...one, encoding };
    });
    return { ...spec, layer };
  }

  const hasEnds = (own) => "layer" in own.spec && "ends" in own.data;

  // A chart with a row for each value of y is as high as it has rows.
  function sized(spec, data) {
    if (!spec.height || !spec.height.step) return spec;
    const rows = data.rows || data.parts || [];
    const count = new Set(rows.map((row) => row.run ?? row.benchmark)).size;
    const autosize = { type: "fit-x", contains: "padding" };
    return { ...spec, height: Math.max(1, count) * spec.height.step, autosize };
  }

  async function draw(id) {
    const own = charts[id];
    if (!own || !byId(id)) return;
    const width = byId(id).clientWidth, config = theme(), isLabelled = hasEnds(own);
    if (width < 500) config.legend.columns = 1;
    const ends = isLabelled && width >= WIDE ? own.data.ends : [];
    const base = isLabelled ? labelled(adapted(own.spec), ends) : adapted(own.spec);
    const datasets = isLabelled ? { ...own.data, ends } : own.data;
    const spec = { ...sized(base, own.data), datasets, config };
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

  // The labels at the ends of lines, none closer than `gap`; equal lines share a label.
  function lineEnds(rows, x, y, gap, isLog) {
    const last = new Map();
    for (const row of rows) {
      const best = last.get(row.label);
      if (row[y] !== null && (!best || row[x] > best[x])) last.set(row.label, row);
    }
    const at = (row) => (isLog ? Math.log(row[y]) : row[y]);
    const sorted = [...last.values()].sort((a, b) => at(a) - at(b)), groups = [];
    for (const row of sorted) {
      const group = groups[groups.length - 1];
      const isEqual = group && Math.abs(at(group[0]) - at(row)) < gap * SAME
        && Math.abs(group[0][x] / row[x] - 1) < SAME;
      if (isEqual) group.push(row);
      else groups.push([row]);
    }
    if (groups.length > MOST_LABELS) return [];
    const places = groups.map((group) => at(group[0]));
    const middle = places.map((place, n) => place - n * gap);
    for (let n = 1; n < places.length; n++) places[n] = Math.max(places[n], places[n - 1] + gap);
    // Half of what was pushed up goes down again.
    const pushed = places.map((place, n) => place - (middle[n] + n * gap));
    return groups.map((group, n) => {
      const place = places[n] - pushed[n] / 2 - (pushed[n + 1] || 0) / 2;
      return {
        [x]: group[0][x], [y]: isLog ? Math.exp(place) : place,
        text: group.map((row) => row.label).join(" = "),
      };
    });
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
