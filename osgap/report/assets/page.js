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

  // --- The scaling figure
  function scaling() {
    const box = byId("scaling-series");
    if (!box) return;
    const all = charts["scaling-chart"].data.means, picked = byId("scaling-set");
    const update = () => {
      const ticked = new Set([...box.querySelectorAll("input:checked")].map((one) => one.value));
      const set = picked ? picked.value : all[0].set;
      const rows = all.filter((row) => row.set === set && ticked.has(row.label));
      return show("scaling-chart", { means: rows });
    };
    box.addEventListener("change", update);
    on("scaling-set", "change", update);
    return update();
  }

  // --- Every benchmark
  const PARTS = [["user", "user"], ["kernel", "kernel"], ["busy", "user and kernel"],
    ["memory_stall", "memory stall"], ["idle", "idle"]];

  function benchmarks(tables) {
    if (!byId("benchmark")) return;
    const relative = osgapUi.records(tables.relative);
    const labels = Object.fromEntries([...byId("benchmark-series").options].map((one) =>
      [one.value, one.textContent]));
    const parts = new Map((tables.attribution ? osgapUi.records(tables.attribution) : []).map(
      (row) => [`${row.run || ""} ${row.key} ${row.benchmark} ${row.fs}`, row]));
    const update = () => {
      const run = byId("benchmark-run") ? byId("benchmark-run").value : undefined;
      const rows = relative.filter((row) => `${row.benchmark} ${row.fs}` === byId("benchmark").value
        && (run === undefined || row.run === run))
        .map((row) => ({ ...row, label: labels[row.series] }));
      const cycles = rows.filter((row) => row.series === byId("benchmark-series").value)
        .flatMap((row) => stack(row, parts.get(`${row.run || ""} ${row.key} ${row.benchmark} ${row.fs}`)));
      return Promise.all([
        show("benchmark-speed", { rows: rows.map((row) => ({ ...row, shown: row.relative })) }),
        show("benchmark-value", { rows: rows.map((row) => ({ ...row, shown: row.value })) }),
        show("benchmark-cycles", { parts: cycles }),
      ]);
    };
    for (const id of ["benchmark", "benchmark-run", "benchmark-series"]) on(id, "change", update);
    return update();
  }

  function stack(row, own) {
    if (!own) return [];
    return PARTS.filter(([name]) => own[name] !== null).map(([name, part], rank) =>
      ({ clock_mhz: row.clock_mhz, run: row.run, part, share: own[name], cpi: own.cpi, rank }));
  }

  // --- Explore
  function explore(models) {
    const first = Object.keys(models)[0];
    if (!first || !byId("explore-what")) return;
    const model = () => models[byId("explore-run") ? byId("explore-run").value : first];
    const AXES = models[first].axes.map((axis) => axis.key);
    // The reference's machine at the run's fastest clock.
    const start = () => {
      const own = model();
      return { ...own.reference.values, [CLOCK]: own.simulated[CLOCK][1] };
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
      const names = [...known.benchmarks.map((one) => `${one.name} ${one.fs}`),
        ...Object.keys(known.composite_factors).filter((name) =>
          known.marks.some((mark) => name in mark.relative))];
      for (const old of [...what.options]) if (old.dataset.own) old.remove();
      for (const name of names) {
        const one = new Option(name.replace(/ none$/, ""), name);
        one.dataset.own = "yes";
        what.add(one);
      }
      const sets = new Set(known.sets.map((set) => set.name));
      for (const one of what.options) if (!one.dataset.own) one.hidden = one.disabled = !sets.has(one.value);
      const allowed = [...what.options].filter((one) => !one.disabled);
      what.value = allowed.some((one) => one.value === before) ? before : allowed[0].value;
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
      const kept = new URLSearchParams(AXES.map((axis) => [axis, byId(axis).value]));
      kept.set("what", byId("explore-what").value);
      if (byId("explore-run")) kept.set("run", byId("explore-run").value);
      history.replaceState(null, "", `#${kept}`);
    }

    function update(moved) {
      const known = model(), what = byId("explore-what").value, here = setting();
      for (const axis of known.axes) {
        const slider = byId(axis.key), value = osgapFormula.onOwnTime(known, axis, here[axis.key]);
        const text = `${shown(value)} ${slider.dataset.unit}`.trim();
        byId(`${axis.key}-value`).textContent = text;
        slider.setAttribute("aria-valuetext", text);
      }
      const made = osgapFormula.predict(known, here), now = made.relative[what];
      const [low, high] = known.ranges[CLOCK], curve = [];
      for (let step = 0; step <= POINTS; step++) {
        const clock = low * (high / low) ** (step / POINTS);
        const one = osgapFormula.predict(known, { ...here, [CLOCK]: clock });
        if (one.relative[what]) curve.push({ mips_ratio: one.mips_ratio, ...one.relative[what] });
      }
      const marked = (marks) => marks.filter((mark) => what in mark.relative).map((mark) =>
        ({ ...mark, value: mark.relative[what] }));
      if (moved) keep();
      told(known, here, made, now, what);
      byId("explore-told").dataset.relative = now ? now.value : "";
      byId("explore-told").dataset.setting = JSON.stringify(here);
      return show("explore-chart", {
        curve: curve.filter((one) => one.low !== null).length ? curve
          : curve.map((one) => ({ ...one, low: one.value, high: one.value })),
        marks: marked(known.marks), native: marked(known.native),
        here: now ? [{ mips_ratio: made.mips_ratio, value: now.value, name: "the sliders" }] : [],
      });
    }

    function told(known, here, made, now, what) {
      const near = osgapFormula.nearest(known, here), scale = known.reference.time_scale;
      const band = !now ? "" : now.low === null ? " (no errors are known, so no band)"
        : ` [${now.low.toPrecision(3)}, ${now.high.toPrecision(3)}]`;
      const beyond = isBeyond(known, here) ? " This is beyond what was simulated." : "";
      byId("explore-told").textContent = (now
        ? `R is ${now.value.toPrecision(3)}${band} at ${(made.mips / scale).toPrecision(3)} MIPS, ` +
          `${made.mips_ratio.toPrecision(3)} times the slowest machine's.`
        : `R of ${what} is not known here.`) +
        (near ? ` The nearest machine of the paper's: ${near.title}.` : "") + beyond;
    }

    const isBeyond = (known, here) => AXES.some((axis) => {
      const [low, high] = known.simulated[axis];
      return here[axis] < low / 1.001 || here[axis] > high * 1.001;
    });

    restore();
    for (const id of [...AXES, "explore-what"]) on(id, "input", () => update(true));
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
    await Promise.all([scaling(), benchmarks(tables), explore(models)]);
    await osgapUi.drawAll();
    downloads(tables);
    for (const query of ["(prefers-color-scheme: dark)", "(max-width: 600px)"]) {
      matchMedia(query).addEventListener("change", osgapUi.drawAll);
    }
    document.documentElement.dataset.ready = "yes";
  }

  begin().catch((error) => osgapUi.trouble(`The page is not complete: ${error.message}.`));
})();
