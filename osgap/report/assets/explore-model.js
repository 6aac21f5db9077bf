// SPDX-License-Identifier: BSD-3-Clause
// The explorer's numbers: R, times and their parts of a machine, and one machine beside another.
"use strict";
const osgapModel = (data) => {
  const { model, axes } = data, scale = model.reference.time_scale;
  const rowKeys = data.rows.map((row) => row.key);
  const set = model.sets[0];
  const STEP = 1.1;
  // What a buyer chooses: each with the sliders that it moves.
  const PARTS = [["clock", ["clock_mhz"]], ["memory", ["latency_ns", "bandwidth_mb_s"]], ["disk", ["disk_speed"]],
    ["network", ["network_mbit_s", "network_delay_us"]]].map(([name, keys]) => [name, keys.filter((key) =>
    axes.some((axis) => axis.key === key))]).filter(([, keys]) => keys.length);
  const total = (parts) => parts.reduce((sum, part) => sum + part, 0);
  const mean = (values) => Math.exp(values.reduce((sum, x) => sum + Math.log(x), 0) / values.length);
  const axisOf = Object.fromEntries(axes.map((axis) => [axis.key, axis]));
  const reference = model.reference.values;

  // A value on the machine's own time, as sliders show it; and back.
  const shown = (key, value) => osgapFormula.onOwnTime(model, axisOf[key], value);
  const simulated = (key, value) => value / shown(key, 1);
  const ownNs = (parts) => parts.map((part) => Math.max(0, part) * scale);

  function at(setting) {
    const made = osgapFormula.predict(model, setting);
    const rows = rowKeys.filter((key) => key in made.relative).map((key) => ({
      key, ...made.relative[key], parts: ownNs(made.now[key].parts), off: made.now[key].off,
      factor: made.now[key].factor,
    }));
    return { setting, mips: made.mips / scale, mips_ratio: made.mips_ratio, rows, mean: made.relative[set.name] };
  }

  const valueOf = (machine, what) => (what === set.name ? machine.mean
    : machine.rows.find((row) => row.key === what));

  // Times as fast as `before` an operation of each row is on `now`; the mean has the key of the set.
  // The interval is that of R with `before` as the machine to which it is relative: none of itself.
  function faster(before, now) {
    const found = {}, values = [], same = isSame(before.setting, now.setting);
    const around = (value, factor, off) => (same ? { low: value, high: value } : osgapFormula.band(value, factor, off));
    for (const row of now.rows) {
      const old = before.rows.find((other) => other.key === row.key);
      const value = total(old.parts) / total(row.parts);
      values.push(value);
      found[row.key] = { value, ...around(value, row.factor, Math.hypot(old.off, row.off)) };
    }
    const value = mean(values);
    found[set.name] = { value, ...around(value, set.factor, 0) };
    return found;
  }

  // Memory in cycles that need not be whole: of a small step, whole cycles would hide the gain. One
  // cycle is the least.
  function exactly(machine) {
    const { clock_mhz: clock, memory, l1d } = machine;
    return { latency: memory.latency_ns * clock / 1000, transfer: l1d.line_bytes / memory.bandwidth_mb_s * clock };
  }

  function times(machine, place) {
    const { found } = osgapFormula.values(model, machine, place);
    return rowKeys.filter((key) => key in found).map((key) => total(found[key].parts));
  }

  // How much faster the operating system is if one part is `factor` times as fast: 0.05 is 5 %.
  function gains(setting, factor = STEP) {
    const old = osgapFormula.machineAt(model, setting), from = exactly(old);
    const place = osgapFormula.placeOf(old), before = times(old, place);
    return Object.fromEntries(PARTS.map(([name, keys]) => {
      const next = osgapFormula.machineAt(model, moved(setting, keys, factor)), to = exactly(next);
      const after = times(next, {
        latency: Math.max(1, place.latency * to.latency / from.latency),
        transfer: place.transfer * to.transfer / from.transfer,
      });
      return [name, mean(before.map((time, number) => time / after[number])) - 1];
    }));
  }

  // The setting with the parts of these sliders `factor` times as fast.
  function moved(setting, keys, factor) {
    const faster = (key) => setting[key] * (axisOf[key].dimension === "time" ? 1 / factor : factor);
    return { ...setting, ...Object.fromEntries(keys.map((key) => [key, faster(key)])) };
  }

  // R along the clock, the other sliders as they stand.
  function curve(setting, what, points = 72) {
    const { low, high } = axisOf.clock_mhz;
    return osgapFormula.clocks(model, setting, [low, high], points).flatMap((clock) => {
      const machine = osgapFormula.predict(model, { ...setting, clock_mhz: clock });
      const one = machine.relative[what];
      return one ? [{ mips: machine.mips / scale, ...one }] : [];
    });
  }

  const isBeyond = (setting) => axes.some(({ key, simulated: seen }) =>
    setting[key] < seen[0] / 1.001 || setting[key] > seen[seen.length - 1] * 1.001);
  const isSame = (a, b) => axes.every(({ key }) => Math.abs(Math.log(a[key] / b[key])) < 1e-4);

  return { at, valueOf, faster, gains, moved, curve, isBeyond, isSame, shown, simulated, total, mean,
    reference, set: set.name, axes, axisOf, PARTS, rows: data.rows, scale };
};
