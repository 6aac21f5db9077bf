// SPDX-License-Identifier: BSD-3-Clause
// What osgap/predict computes, for the sliders: times of a machine, R and its means. A test in a
// browser holds both equal.
"use strict";
const osgapFormula = (() => {
  const CHECKS_LOOP = "empty_loop", MIX = "integer_mix", NORMAL = 1.96;
  const LEAST = 1e-9;
  const STEPS = 16, NEXT = 1e-4;

  // As Python rounds: a half to the even number.
  function round(value) {
    const floor = Math.floor(value), part = value - floor;
    if (part !== 0.5) return Math.round(value);
    return floor % 2 === 0 ? floor : floor + 1;
  }

  function placeOf(machine) {
    const { clock_mhz: clock, memory, l1d } = machine;
    const latency = Math.max(1, round(memory.latency_ns * clock / 1000));
    return { latency, transfer: l1d.line_bytes / memory.bandwidth_mb_s * clock };
  }

  function busyCycles(one, place, sharpness) {
    const slow = one.a + one.b * place.latency;
    const full = one.c + one.d * place.latency + one.lines * place.transfer;
    const top = Math.max(slow, full), safe = Math.max(top, LEAST);
    return top * ((slow / safe) ** sharpness + (full / safe) ** sharpness) ** (1 / sharpness);
  }

  function modulo(value, by) {
    return ((value % by) + by) % by;
  }

  // The disk's mechanism (osgap/predict/disk.py): when a request that arrives completes, ns.
  class Mechanism {
    constructor(disk, cylinder) {
      Object.assign(this, { disk, cylinder, busyUntil: 0, cacheFree: 0 });
    }
    complete(now, sector, sectors, isWrite) {
      const start = Math.max(now, this.busyUntil);
      if (isWrite && sectors <= this.disk.cache_sectors) {
        const accepted = Math.max(now, this.cacheFree) + this.disk.overhead_ns;
        this.busyUntil = this.served(Math.max(start, accepted), sector, sectors);
        this.cacheFree = this.busyUntil;
        return accepted;
      }
      this.busyUntil = this.served(start, sector, sectors);
      return this.busyUntil;
    }
    served(start, sector, sectors) {
      const disk = this.disk, turn = disk.rotation_ns;
      const cylinder = Math.floor(sector / (disk.sectors_per_track * disk.heads));
      let ready = start + disk.overhead_ns + this.seek(cylinder);
      this.cylinder = cylinder;
      const head = Math.floor(sector % disk.sectors_per_track * turn / disk.sectors_per_track);
      ready += modulo(head - ready, turn);
      return ready + Math.floor(sectors * turn / disk.sectors_per_track);
    }
    seek(cylinder) {
      const disk = this.disk, distance = Math.abs(this.cylinder - cylinder);
      if (!distance) return 0;
      const root = Math.floor(Math.sqrt((distance - 1) * 1048576));
      const full = Math.floor(Math.sqrt((disk.cylinders - 1) * 1048576));
      const span = Math.max(0, disk.seek_full_ns - disk.seek_track_ns);
      return disk.seek_track_ns + (full ? Math.floor(span * root / full) : 0);
    }
  }

  function replayed(one, disk, busy, begin) {
    const first = Math.floor(one.steps[0][2] / (disk.sectors_per_track * disk.heads));
    const mechanism = new Mechanism(disk, first);
    const done = [];
    let issued = begin, worked = 0;
    one.steps.forEach(([follows, thinks, sector, sectors, isWrite], number) => {
      const think = round(thinks * busy);
      issued = (follows === number ? issued : Math.max(issued, done[follows])) + think;
      worked += think;
      done.push(mechanism.complete(issued, sector, sectors, Boolean(isWrite)));
    });
    return done.reduce((most, at) => Math.max(most, at), 0) - begin - worked;
  }

  // Mean and deviation of what an operation takes on this disk, ns.
  function loggedTimes(one, busyNs, disk) {
    const turn = disk.rotation_ns, busy = busyNs / one.busy_ns, took = [];
    for (const off of [0.95, 1, 1.05]) {
      for (let phase = 0; phase < 4; phase++) {
        const begin = Math.floor(turn * phase / 4);
        took.push(replayed(one, disk, busy * off, begin) + busy * off * one.worked_ns);
      }
    }
    const whole = one.waited_ns + one.worked_ns;
    const mean = took.reduce((sum, x) => sum + x, 0) / took.length;
    const spread = Math.sqrt(took.reduce((sum, x) => sum + (x - mean) ** 2, 0) / took.length);
    return [mean / whole * one.total_ns, spread / whole * one.total_ns];
  }

  // [time of an operation, how far it may be off for what it waits], ns.
  function timeOf(one, busyNs, disk) {
    if (one.logged.length) {
      const wanted = busyNs / disk.rotation_ns;
      const far = (own) => Math.abs(Math.log(own.turns / wanted));
      const nearest = one.logged.reduce((best, own) => (far(own) < far(best) ? own : best));
      return loggedTimes(nearest, busyNs, disk);
    }
    const waits = disk.rotation_ns * one.turns, busy = busyNs / disk.rotation_ns;
    const busiest = one.busiest === null ? Infinity : one.busiest;
    const hidden = busy > busiest && one.turns > one.least
      ? disk.rotation_ns * (1 - busiest / busy) * (one.turns - one.least) / Math.sqrt(12) : 0;
    return [one.whole ? waits : busyNs + waits, hidden];
  }

  // The wait for the wire of files on a server (osgap/predict/wire_wait.py), ns.
  function wireWait(one, busyNs, network) {
    if (!one.wire || !network) return 0;
    const { calls, frames, bytes, hidden } = one.wire;
    const sent = (bytes + frames * network.overhead_bytes) / network.bytes_per_s * 1e9;
    return Math.max(0, sent + Math.min(2 * calls, frames) * network.delay_ns - hidden * busyNs);
  }

  const nameOf = (one) => `${one.name} ${one.fs}`;
  const AT_ONCE = { latency: 0, transfer: 0 };

  // The parts of an operation's time: computing, waiting for memory, waiting for the disk and, of a
  // machine with a network, for the wire, ns. What the disk's turns hide is no longer than they are.
  function partsOf(computingNs, busyNs, wireNs, total, network) {
    const worked = busyNs + wireNs, shown = worked > total ? total / worked : 1;
    const parts = [computingNs * shown, (busyNs - computingNs) * shown, total - worked * shown];
    return network ? [...parts, wireNs * shown] : parts;
  }

  // {"NAME FS": {value, metric, off, parts}}: as the tables have them; off is a part of the whole
  // time; the parts, in ns, add up to the time of an operation without the loop around it.
  function values(data, machine, place = placeOf(machine)) {
    const whole = new Map(), parts = new Map();
    for (const one of data.benchmarks) {
      const at = (where) => busyCycles(one, where, data.sharpness) / machine.clock_mhz * 1000;
      const busyNs = at(place), wireNs = wireWait(one, busyNs, machine.network);
      const time = timeOf(one, busyNs + wireNs, machine.disk);
      whole.set(nameOf(one), time);
      parts.set(nameOf(one), partsOf(at(AT_ONCE), busyNs, wireNs, time[0], machine.network));
    }
    const found = {}, own = new Map(), net = new Map();
    for (const one of data.benchmarks) {
      const taken = one.name in data.subtracted ? data.subtracted[one.name] : CHECKS_LOOP;
      const [total, off] = whole.get(nameOf(one));
      const loop = `${taken} none`, over = taken && whole.has(loop) ? whole.get(loop)[0] : 0;
      const time = total - over;
      net.set(nameOf(one), parts.get(nameOf(one)).map((part, at) =>
        part - (over ? parts.get(loop)[at] : 0)));
      own.set(nameOf(one), time);
      let value = NaN;
      if (one.metric === "MB/s") value = time > 0 ? one.bytes / time * 1e3 : NaN;
      else if (one.metric === "MIPS") value = one.insts / time * 1e3;
      else if (one.metric in data.unit_ns) value = time / data.unit_ns[one.metric];
      found[nameOf(one)] = { value, metric: one.metric, off: off / total, factor: one.factor,
        parts: net.get(nameOf(one)) };
    }
    const systems = [...new Set(data.benchmarks.map((one) => one.fs))];
    for (const [name, members] of Object.entries(data.composites)) {
      for (const fs of systems) {
        const keys = members.map((part) => `${part} ${fs}`);
        if (!keys.every((key) => own.has(key))) continue;
        const add = (get) => keys.reduce((sum, key) => sum + get(key), 0);
        const total = add((key) => whole.get(key)[0]), off = add((key) => whole.get(key)[1]);
        found[`${name} ${fs}`] = {
          value: add((key) => own.get(key)) / data.unit_ns.s, metric: "s", off: off / total,
          factor: data.composite_factors[`${name} ${fs}`],
          parts: net.get(keys[0]).map((_, at) => add((key) => net.get(key)[at])),
        };
      }
    }
    const mix = data.benchmarks.find((one) => one.name === MIX && one.fs === "none");
    const mips = mix ? mix.insts / whole.get(`${MIX} none`)[0] * 1e3 : NaN;
    return { found, mips };
  }

  // The reference's system with the values `at`, as Quantity.applied in osgap/machines/axes.py.
  function machineAt(data, at) {
    const machine = structuredClone(data.reference.system);
    for (const axis of data.axes) {
      // A page of several runs has the sliders of its first one.
      const start = data.reference.values[axis.key], value = axis.key in at ? at[axis.key] : start;
      for (const { path, integer } of axis.fields) {
        const last = path[path.length - 1];
        const part = path.slice(0, -1).reduce((inner, name) => inner[name], machine);
        const changed = axis.falls ? part[last] / (value / start) : value * (part[last] / start);
        part[last] = integer ? round(changed) : changed;
      }
    }
    return machine;
  }

  // A value on the time of the machine itself, of which the simulated one is a multiple.
  function onOwnTime(data, axis, value) {
    const scale = data.reference.time_scale;
    if (axis.dimension === "ratio") return value;
    return axis.dimension === "time" ? value * scale : value / scale;
  }

  const isRate = (metric) => metric === "MB/s" || metric === "MIPS";
  const defined = (value) => Number.isFinite(value) && value > 0;

  // What is predicted where the sliders stand: MIPS relative to the reference; R of each benchmark
  // ("NAME FS") and of each set's mean, with low and high (null where no error is known).
  // `origin` is the model to whose reference R is relative, by default the same.
  function predict(data, at, origin = data) {
    const base = values(origin, machineAt(origin, origin.reference.values));
    const here = values(data, machineAt(data, at));
    const ratio = here.mips / base.mips, relative = {};
    // R of the reference is 1 by definition: there is nothing to be wrong about.
    const isReference = data.axes.every(({ key }) => !(key in at) || at[key] === data.reference.values[key]);
    const around = (value, factor, off) => band(value, isReference ? 1 : factor, isReference ? 0 : off);
    for (const [name, one] of Object.entries(here.found)) {
      const before = base.found[name] ? base.found[name].value : NaN;
      if (!defined(one.value) || !defined(before)) continue;
      const speed = (isRate(one.metric) ? one.value / before : before / one.value) / ratio;
      relative[name] = { value: speed, ...around(speed, one.factor, one.off) };
    }
    for (const set of data.sets) {
      const names = Object.keys(here.found).filter((name) =>
        set.benchmarks.includes(name.split(" ")[0]));
      const speeds = names.map((name) => (relative[name] || {}).value);
      if (!names.length || !speeds.every(defined)) continue;
      const mean = Math.exp(speeds.reduce((sum, x) => sum + Math.log(x), 0) / speeds.length);
      relative[set.name] = { value: mean, ...around(mean, set.factor, 0) };
    }
    const scale = origin.reference.time_scale / data.reference.time_scale;
    return { mips_ratio: ratio * scale, mips: here.mips, relative, before: base.found, now: here.found };
  }

  // Where a curve along the clock has points: `points` even steps from `low` to `high`, both sides of
  // each of the first changes of memory's latency in whole cycles, at which R steps, and of the
  // reference, which alone has no band.
  function clocks(data, at, [low, high], points) {
    const found = Array.from({ length: points + 1 }, (_, n) => low * (high / low) ** (n / points));
    const { latency_ns: latency } = machineAt(data, at).memory, own = data.reference.values.clock_mhz;
    const steps = Array.from({ length: STEPS }, (_, n) => (n + 1.5) * 1000 / latency);
    for (const step of [...steps, own]) found.push(step * (1 - NEXT), step * (1 + NEXT));
    return found.filter((clock) => clock >= low && clock <= high).sort((a, b) => a - b);
  }

  function band(value, factor, off) {
    if (factor === null || factor === undefined) return { low: null, high: null };
    const by = Math.exp(Math.hypot(Math.log(factor), NORMAL * off));
    return { low: value / by, high: value * by };
  }

  // The machine file that is nearest in the logarithms of all axes, on its own time.
  function nearest(data, at) {
    const far = (one) => Math.hypot(...data.axes.map((axis) =>
      axis.key in at ? Math.log(one[axis.key] / onOwnTime(data, axis, at[axis.key])) : 0));
    return data.machines.reduce((best, one) =>
      (best === null || far(one) < far(best) ? one : best), null);
  }

  return { predict, nearest, onOwnTime, values, machineAt, placeOf, band, clocks };
})();
