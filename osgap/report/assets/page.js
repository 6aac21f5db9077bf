// SPDX-License-Identifier: BSD-3-Clause
// The page's own parts: series on and off, a benchmark to pick, sliders, tables to save.
"use strict";
(() => {
  const { byId, charts, show } = osgapUi;
  // The curve is drawn along it.
  const CLOCK = "clock_mhz";
  const STEPS = 1000, POINTS = 40;
  const shown = (value) => Number(value.toPrecision(4)).toString();
  const on = (id, kind, act) => byId(id) && byId(id).addEventListener(kind, act);

  const { recall, remember, lineEnds } = osgapUi;

  // A menu whose choice is in the address.
  function recalled(id) {
    const menu = byId(id), wanted = recall(id);
    if (menu && [...menu.options].some((one) => one.value === wanted)) menu.value = wanted;
    on(id, "change", () => remember({ [id]: menu.value }));
  }

  // --- The scaling figure
  function scaling() {
    const box = byId("scaling-series");
    if (!box) return;
    const all = charts["scaling-chart"].data.means, picked = byId("scaling-set");
    recalled("scaling-set");
    const inputs = [...box.querySelectorAll("input")], off = (recall("off") || "").split("|");
    for (const one of inputs) one.checked = !off.includes(one.value);
    const update = () => {
      const ticked = new Set(inputs.filter((one) => one.checked).map((one) => one.value));
      const set = picked ? picked.value : all[0].set;
      const rows = all.filter((row) => row.set === set && ticked.has(row.label));
      return show("scaling-chart", { means: rows, ends: lineEnds(rows, "mips_ratio", "value", 0.05, false) });
    };
    box.addEventListener("change", () => {
      remember({ off: inputs.filter((one) => !one.checked).map((one) => one.value).join("|") });
      return update();
    });
    on("scaling-set", "change", update);
    return update();
  }

  // --- Charts of lines that no control changes
  function panels() {
    return Promise.all(Object.entries(charts).filter(([, own]) => own.data.rows && own.data.ends)
      .map(([id, own]) => show(id, { ends: lineEnds(own.data.rows, "x", "y", 0.15, false) })));
  }

  // --- Every benchmark
  const PARTS = [["user", "user"], ["kernel", "kernel"], ["busy", "user and kernel"],
    ["memory_stall", "memory stall"], ["idle", "idle"]];
  const isRate = (metric) => metric === "MB/s" || metric === "MIPS";

  function benchmarks(tables) {
    const menu = byId("benchmark");
    if (!menu) return;
    for (const id of ["benchmark", "benchmark-run", "benchmark-series"]) recalled(id);
    const relative = osgapUi.records(tables.relative);
    const cyclesOf = byId("benchmark-series");
    const labels = osgapUi.charts["benchmark-value"].spec.usermeta.names;
    const parts = new Map((tables.attribution ? osgapUi.records(tables.attribution) : []).map(
      (row) => [`${row.run || ""} ${row.key} ${row.benchmark} ${row.fs}`, row]));
    const update = () => {
      const run = byId("benchmark-run") ? byId("benchmark-run").value : undefined;
      const rows = relative.filter((row) => `${row.benchmark} ${row.fs}` === menu.value
        && (run === undefined || row.run === run))
        .map((row) => ({ ...row, label: labels[row.series] || row.series }));
      caption(menu.selectedOptions[0].textContent, rows);
      const speeds = rows.map((row) => ({ ...row, shown: row.relative }));
      const values = rows.map((row) => ({ ...row, shown: row.value }));
      const cycles = !cyclesOf ? [] : rows.filter((row) => row.series === cyclesOf.value)
        .flatMap((row) => stack(row, parts.get(`${row.run || ""} ${row.key} ${row.benchmark} ${row.fs}`)));
      return Promise.all([
        show("benchmark-speed", { rows: speeds, ends: lineEnds(speeds, "clock_mhz", "shown", 0.06, false) }),
        show("benchmark-value", { rows: values, ends: lineEnds(values, "clock_mhz", "shown", 0.15, true) }),
        show("benchmark-cycles", { parts: cycles }),
      ]);
    };
    for (const id of ["benchmark", "benchmark-run", "benchmark-series"]) on(id, "change", update);
    return update();
  }

  // The quantity and unit of the charts of a benchmark: each has one metric.
  function caption(name, rows) {
    const metric = rows.length ? rows[0].metric : "";
    const say = (id, text) => { if (byId(id)) byId(id).textContent = text; };
    say("benchmark-speed-caption", `R of ${name} (1: kept up)`);
    say("benchmark-value-caption", `${isRate(metric) ? "Rate" : "Time"} of ${name}, ${metric}`);
    say("benchmark-cycles-caption", `Parts of the cycles of ${name}`);
  }

  function stack(row, own) {
    if (!own) return [];
    return PARTS.filter(([name]) => own[name] !== null).map(([name, part], rank) =>
      ({ clock_mhz: row.clock_mhz, run: row.run, part, share: own[name], cpi: own.cpi, rank }));
  }

  // --- Files on a server
  function remote(tables) {
    const menu = byId("remote-benchmark");
    if (!menu) return;
    const menus = ["remote-benchmark", "remote-series", "remote-run"].filter(byId);
    menus.forEach(recalled);
    const { parts } = osgapUi.charts["remote-parts"].spec.usermeta, run = byId("remote-run");
    const update = () => {
      const rows = osgapUi.records(tables.remote_time).filter((row) => `${row.benchmark} ${row.fs}` === menu.value
        && row.series === byId("remote-series").value && (!run || row.run === run.value));
      return show("remote-parts", { parts: rows.flatMap((row) => Object.entries(parts).map(([name, part], rank) =>
        ({ clock_mhz: row.clock_mhz, part, share: row[name] / row.time_ns, ms: row[name] / 1e6, rank }))) });
    };
    for (const id of menus) on(id, "change", update);
    return update();
  }

  // --- Explore
  function explore(models) {
    const first = Object.keys(models)[0];
    if (!first || !byId("explore-what")) return;
    const model = () => models[byId("explore-run") ? byId("explore-run").value : first];
    const AXES = models[first].axes.map((axis) => axis.key);
    // The machine as its file has it, at the run's fastest clock.
    const start = () => model().own;
    const origin = () => models[model().origin] || model();
    const isReference = (here) => origin() === model() && AXES.every((axis) =>
      Math.abs(here[axis] / model().reference.values[axis] - 1) < 1e-6);
    // R of the reference is 1 by definition, without a band.
    const predicted = (here) => {
      const made = osgapFormula.predict(model(), here, origin());
      if (!isReference(here)) return made;
      const exact = (one) => ({ ...one, low: one.value, high: one.value });
      const relative = Object.entries(made.relative).map(([name, one]) => [name, exact(one)]);
      return { ...made, relative: Object.fromEntries(relative) };
    };
    const position = (axis, value) => {
      const [low, high] = model().ranges[axis];
      return Math.round(STEPS * Math.log(value / low) / Math.log(high / low));
    };
    const at = (axis) => {
      const own = start()[axis], [low, high] = model().ranges[axis], place = Number(byId(axis).value);
      if (place === position(axis, own)) return own;
      return Number((low * (high / low) ** (place / STEPS)).toPrecision(4));
    };
    const setting = () => Object.fromEntries(AXES.map((axis) => [axis, at(axis)]));

    function offer() {
      const what = byId("explore-what"), before = what.value;
      const known = model();
      const labels = Object.fromEntries(known.benchmarks.map((one) => [`${one.name} ${one.fs}`, one.label]));
      const names = [...Object.keys(labels), ...Object.keys(known.composite_factors).filter((name) =>
        known.marks.some((mark) => name in mark.relative))];
      for (const old of [...what.options]) if (old.dataset.own) old.remove();
      for (const name of names) {
        const one = new Option(labels[name] || name.replace(/ none$/, "").replaceAll("_", " "), name);
        one.dataset.own = "yes";
        what.add(one);
      }
      const sets = new Set(known.sets.map((set) => set.name));
      for (const one of what.options) if (!one.dataset.own) one.hidden = one.disabled = !sets.has(one.value);
      const allowed = [...what.options].filter((one) => !one.disabled);
      // Without a mean a system call comes first.
      const call = allowed[0].dataset.own && allowed.find((one) => one.value === "getpid none");
      what.value = allowed.some((one) => one.value === before) ? before : (call || allowed[0]).value;
    }

    function restore() {
      const kept = new URLSearchParams(location.hash.slice(1));
      if (byId("explore-run") && kept.get("run") in models) byId("explore-run").value = kept.get("run");
      offer();
      const from = start();
      for (const axis of AXES) {
        const place = Number(kept.get(axis));
        byId(axis).value = kept.has(axis) && place >= 0 && place <= STEPS ? place : position(axis, from[axis]);
      }
      const what = kept.get("what");
      if ([...byId("explore-what").options].some((one) => one.value === what && !one.disabled)) byId("explore-what").value = what;
    }

    function keep() {
      const all = Object.fromEntries(AXES.map((axis) => [axis, byId(axis).value]));
      const run = byId("explore-run") ? { run: byId("explore-run").value } : {};
      remember({ ...all, what: byId("explore-what").value, ...run });
    }

    function update(moved) {
      const known = model(), what = byId("explore-what").value, here = setting();
      for (const axis of known.axes) {
        const slider = byId(axis.key), value = osgapFormula.onOwnTime(known, axis, here[axis.key]);
        const text = `${shown(value)} ${slider.dataset.unit}`.trim();
        byId(`${axis.key}-value`).textContent = text;
        slider.setAttribute("aria-valuetext", text);
      }
      const made = predicted(here), now = made.relative[what];
      const curve = osgapFormula.clocks(known, here, known.ranges[CLOCK], POINTS).flatMap((clock) => {
        const at = { ...here, [CLOCK]: clock }, one = predicted(at), value = one.relative[what];
        // A band that closed at the reference would seem to narrow beside it.
        const ends = isReference(at) ? { low: null, high: null } : {};
        return value ? [{ mips_ratio: one.mips_ratio, ...value, ...ends }] : [];
      });
      const marked = (marks) => marks.filter((mark) => what in mark.relative).map((mark) =>
        ({ ...mark, value: mark.relative[what] }));
      if (moved) keep();
      told(known, here, made, now, what);
      byId("explore-told").dataset.relative = now ? now.value : "";
      byId("explore-told").dataset.setting = JSON.stringify(here);
      return show("explore-chart", {
        curve,
        marks: marked(known.marks), native: marked(known.native),
        here: now ? [{ mips_ratio: made.mips_ratio, value: now.value, name: "the sliders" }] : [],
      });
    }

    function told(known, here, made, now, what) {
      const near = osgapFormula.nearest(known, here), scale = known.reference.time_scale;
      const name = byId("explore-what").selectedOptions[0].textContent;
      const band = !now ? "" : now.low === null ? " (no errors are known, so no band)"
        : ` [${now.low.toFixed(2)}, ${now.high.toFixed(2)}]`;
      const whose = origin() === known ? "the reference's" : `${nameOf(known.origin)}'s`;
      const beyond = isBeyond(known, here) ? " This is beyond what was simulated." : "";
      const sentence = !now ? `R of ${name} is not known here.`
        : isReference(here) ? "R is 1 here by definition: it is relative to this machine. Move a slider."
          : `R is ${now.value.toFixed(2)}${band} at ${(made.mips / scale).toPrecision(3)} MIPS, ` +
            `${made.mips_ratio.toPrecision(3)} times ${whose}.`;
      byId("explore-told").textContent = sentence +
        (near ? ` The nearest machine of the paper's: ${near.title}.` : "") + beyond;
    }

    const nameOf = (run) => [...byId("explore-run").options].find((one) => one.value === run).textContent;

    const isBeyond = (known, here) => AXES.some((axis) => {
      const [low, high] = known.simulated[axis];
      return here[axis] < low / 1.001 || here[axis] > high * 1.001;
    });

    restore();
    for (const id of AXES) on(id, "input", () => update(true));
    on("explore-what", "change", () => update(true));
    on("explore-run", "change", () => { keepRun(); update(true); });
    function keepRun() {
      offer();
      const from = start();
      for (const axis of AXES) byId(axis).value = position(axis, from[axis]);
    }
    window.addEventListener("hashchange", () => {
      if (location.hash.includes(`${CLOCK}=`)) { restore(); update(false); }
    });
    return update(false);
  }

  // --- Data
  function downloads(tables) {
    const pick = byId("table");
    if (!pick) return;
    const asJson = (name) => JSON.stringify(osgapUi.records(tables[name]), null, 1) + "\n";
    const view = () => osgapUi.viewer(byId("viewer"), pick.value, tables[pick.value]);
    recalled("table");
    pick.addEventListener("change", view);
    on("save-csv", "click", () => osgapUi.save(`${pick.value}.csv`, tables[pick.value].csv, "text/csv"));
    on("save-json", "click", () => osgapUi.save(`${pick.value}.json`, asJson(pick.value), "application/json"));
    on("save-all", "click", () => {
      const all = Object.fromEntries(Object.keys(tables).map((name) => [name, osgapUi.records(tables[name])]));
      osgapUi.save("tables.json", JSON.stringify(all, null, 1) + "\n", "application/json");
    });
    view();
  }

  async function begin() {
    document.querySelectorAll("div.table").forEach(osgapUi.liven);
    const { tables, models } = await osgapUi.unpack();
    osgapUi.prepare();
    await Promise.all([scaling(), panels(), benchmarks(tables), remote(tables), explore(models)]);
    await osgapUi.repaint();
    downloads(tables);
    for (const query of ["(prefers-color-scheme: dark)", "(max-width: 600px)"]) {
      matchMedia(query).addEventListener("change", osgapUi.repaint);
    }
    document.documentElement.dataset.ready = "yes";
  }

  begin().catch((error) => osgapUi.trouble(`The page is not complete: ${error.message}.`));
})();
