// SPDX-License-Identifier: BSD-3-Clause
// A machine measured by `osgap native` as a mark: its tables are read, nothing leaves the browser.
"use strict";
const osgapNative = (() => {
  const WANTED = ["times.csv", "points.csv"], MOST_BYTES = 5e6, MOST_FILES = 2000;

  function parsed(csv) {
    const rows = [];
    let row = [], cell = "", quoted = false;
    for (const [at, c] of [...csv.replace(/\r/g, "")].entries()) {
      if (c === '"') quoted = !quoted || csv[at + 1] === '"';
      else if (!quoted && c === ",") { row.push(cell); cell = ""; }
      else if (!quoted && c === "\n") { rows.push([...row, cell]); row = []; cell = ""; }
      else cell += c;
    }
    if (cell || row.length) rows.push([...row, cell]);
    const [names = [], ...body] = rows;
    return body.map((one) => Object.fromEntries(names.map((name, at) => [name, one[at]])));
  }

  // Marks as osgap/report/marks.py computes them: R of the rows that both machines have.
  function marks(data, times, points) {
    const { base } = data, set = data.model.sets[0];
    return points.filter((point) => Number(point.mips) > 0).map((point) => {
      const ratio = Number(point.mips) / base.mips, relative = {};
      for (const row of times.filter((one) => one.key === point.key)) {
        const key = `${row.benchmark} ${row.fs}`, value = Number(row.median);
        if (!(key in base.values) || !(value > 0)) continue;
        const [old, metric] = base.values[key];
        relative[key] = (metric === "MB/s" || metric === "MIPS" ? value / old : old / value) / ratio;
      }
      const rows = data.rows.map((row) => row.key).filter((key) => key in relative);
      const kept = Object.fromEntries(rows.map((key) => [key, relative[key]]));
      if (rows.length) {
        kept[set.name] = Math.exp(rows.reduce((sum, key) => sum + Math.log(relative[key]), 0) / rows.length);
      }
      return { name: String(point.machine || "this machine"), mips_ratio: ratio, relative: kept };
    }).filter((mark) => Object.keys(mark.relative).length);
  }

  // The texts by file name: both tables of a run, or a JSON file with them.
  async function texts(files) {
    const found = {};
    for (const file of files.slice(0, MOST_FILES)) {
      const isTable = WANTED.includes(file.name), isJson = file.name.endsWith(".json");
      if ((isTable || isJson) && file.size < MOST_BYTES) found[file.name] = await file.text();
    }
    return found;
  }

  async function read(data, files) {
    const found = await texts(files);
    let times = [], points = [];
    if (WANTED.every((name) => name in found)) [times, points] = WANTED.map((name) => parsed(found[name]));
    for (const [name, text] of Object.entries(found)) {
      if (times.length || !name.endsWith(".json")) continue;
      try {
        const content = JSON.parse(text);
        if (Array.isArray(content.times) && Array.isArray(content.points)) ({ times, points } = content);
      } catch (error) {
        throw new Error(`${name}: is no JSON (${error.name})`);
      }
    }
    if (!times.length || !points.length) {
      throw new Error("found no times.csv and points.csv; allowed: the folder of osgap native, or its tables.json");
    }
    const made = marks(data, times, points);
    if (!made.length) throw new Error("this run has no MIPS or none of the benchmarks shown here");
    return made;
  }

  // All files of what was dropped, folders too.
  async function dropped(items) {
    const files = [], waiting = [...items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
    while (waiting.length && files.length < MOST_FILES) {
      const entry = waiting.shift();
      if (entry.isFile) {
        files.push(await new Promise((done, failed) => entry.file(done, failed)));
        continue;
      }
      const reader = entry.createReader();
      for (let some = [null]; some.length;) {
        some = await new Promise((done, failed) => reader.readEntries(done, failed));
        waiting.push(...some);
      }
    }
    return files;
  }

  return { read, dropped, parsed, marks };
})();
