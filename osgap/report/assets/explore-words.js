// SPDX-License-Identifier: BSD-3-Clause
// The explorer's numbers as text, and its sentences.
"use strict";
const osgapWords = (() => {
  const UNITS = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
  const plain = (value) => Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6, useGrouping: value >= 1e4 });
  const rough = (value) => plain(value < 100 ? Number(value.toPrecision(2)) : value);
  const two = (value) => value.toFixed(value < 10 ? 2 : 1);
  const within = (one) => (one.low === null || one.low === one.high ? "" : ` [${two(one.low)}, ${two(one.high)}]`);
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  // The largest unit in which the time is 1 or more.
  const unitOf = (ns) => UNITS.find(([, size]) => ns >= size) || UNITS[UNITS.length - 1];
  const inUnit = (ns, unit) => plain(ns / unit[1]);
  function time(ns) {
    const unit = unitOf(ns);
    return `${inUnit(ns, unit)} ${unit[0]}`;
  }

  function list(items) {
    if (items.length < 2) return items.join("");
    return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
  }

  // What differs between two settings: "32 times the clock and 32 times the disk's speed".
  function changes(own, before, now) {
    const factor = (key, sign = 1) => (now[key] / before[key]) ** sign, told = [];
    const add = (value, faster, slower) => {
      if (value > 1.0005) told.push(faster(plain(value)));
      else if (value < 0.9995) told.push(slower(plain(1 / value)));
    };
    const latency = factor("latency_ns", -1), bandwidth = factor("bandwidth_mb_s");
    add(factor("clock_mhz"), (n) => `${n} times the clock`, (n) => `a clock ${n} times slower`);
    if (Math.abs(latency / bandwidth - 1) < 5e-4) {
      add(latency, (n) => `${n} times the memory's speed`, (n) => `memory ${n} times slower`);
    } else {
      add(latency, (n) => `memory that answers ${n} times faster`, (n) => `memory that answers ${n} times slower`);
      add(bandwidth, (n) => `${n} times the memory's bandwidth`, (n) => `1/${n} of the memory's bandwidth`);
    }
    add(factor("disk_speed"), (n) => `${n} times the disk's speed`, (n) => `a disk ${n} times slower`);
    if ("network_mbit_s" in now) {
      add(factor("network_mbit_s"), (n) => `${n} times the network's bandwidth`, (n) => `1/${n} of the network's bandwidth`);
    }
    if ("network_delay_us" in now) {
      add(factor("network_delay_us", -1), (n) => `1/${n} of the network's delay`, (n) => `${n} times the network's delay`);
    }
    return told;
  }

  function speedUp(value) {
    if (Math.abs(value - 1) < 5e-3) return "no faster";
    return value > 1 ? `${rough(value)} times as fast` : `${rough(1 / value)} times slower`;
  }

  // Why the selected row takes its time, and what the change has made of it.
  function why(own, before, now, what, from, machine) {
    const fast = own.faster(before, now)[what].value;
    const told = own.isSame(before.setting, now.setting) ? []
      : machine ? [`the ${machine}'s speeds`] : changes(own, before.setting, now.setting);
    const change = told.length ? `${capital(list(told))} made` : "";
    const beyond = own.isBeyond(now.setting) ? " This lies beyond the simulated machines: the interval may be too narrow." : "";
    const one = own.valueOf(now, what);
    const speed = `R is ${two(one.value)}${within(one)}.`;
    if (what === own.set) {
      const made = change ? `${change} the operating system ${speedUp(fast)}.`
        : `This is ${from}: other machines are compared with it.`;
      return `${made} ${speed}${beyond}`;
    }
    const row = own.rows.find((other) => other.key === what);
    const made = change ? ` ${change} it ${speedUp(fast)}.` : "";
    return `One ${row.name} takes ${parted(one.parts)}.${made} ${speed}${beyond}`;
  }

  // "57 us: 19 computing, 38 waiting for memory"
  function parted(parts) {
    const all = parts.reduce((sum, part) => sum + part, 0), unit = unitOf(all);
    const names = ["computing", "waiting for memory", "waiting for the disk", "waiting for the network"];
    const told = parts.map((part, at) => [part, names[at]]).filter(([part]) => part / all >= 0.005)
      .map(([part, name]) => `${inUnit(part, unit)} ${name}`);
    return `${inUnit(all, unit)} ${unit[0]}: ${told.join(", ")}`;
  }

  // B beside A: which to buy.
  function compared(own, a, b, what) {
    const one = own.faster(a, b)[what];
    const name = what === own.set ? "the operating system" : own.rows.find((row) => row.key === what).name;
    if (own.isSame(a.setting, b.setting)) return "B is A so far: change the sliders, or press a machine's button.";
    return `B / A: ${plain(one.value)}${one.low === null ? "" : ` [${plain(one.low)}, ${plain(one.high)}]`}. ` +
      `${capital(name)} is ${speedUp(one.value)} on B; R is ${two(own.valueOf(a, what).value)} on A, ${two(own.valueOf(b, what).value)} on B.`;
  }

  const percent = (gain) => `${gain >= 5e-4 ? "+" : gain <= -5e-4 ? "−" : ""}${Math.abs(gain * 100).toFixed(1)} %`;

  return { plain, two, within, time, unitOf, inUnit, changes, speedUp, why, parted, compared, percent, capital, list };
})();
