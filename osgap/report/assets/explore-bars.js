// SPDX-License-Identifier: BSD-3-Clause
// The explorer's bars: R of every benchmark, and under or beside it the time of an operation.
"use strict";
const osgapBars = (() => {
  const { colour, element, text, line, box } = osgapSvg;
  const LARGE = 20;
  const PARTS = [["computing", "computing"], ["memory", "memory wait"], ["disk", "disk wait"], ["network", "network wait"]];

  // Rows from the least R to the largest; the mean is last.
  function sorted(view) {
    const rows = [...view.now.rows];
    // Their order would tell the answer.
    if (!view.hidden) rows.sort((a, b) => a.value - b.value);
    return [...rows, { key: view.own.set, name: "mean of all", ...view.now.mean }];
  }

  // `view` has width, font, and what to show: own, state, now, before, a, hidden.
  function draw(view) {
    const frame = framed(view), rows = sorted(view);
    const head = heading(view, frame);
    const body = rows.map((row, number) => drawnRow(view, frame, row, frame.head + number * frame.row)).join("");
    const height = frame.head + rows.length * frame.row + 2;
    return { svg: osgapSvg.open(view.width, height, view.font, { role: "group", aria_label: "Benchmarks: R and the time of an operation" }) + head + body + "</svg>", height };
  }

  function framed(view) {
    const { width, font, own, now, a, state } = view, narrow = width < font * 44;
    const shown = view.hidden ? [] : [...now.rows, now.mean, ...(a ? [...a.rows, a.mean] : [])].map((one) => one.high || one.value);
    const end = osgapSvg.top(shown), name = narrow ? 0 : font * 18.6, value = font * 8.8;
    const barsEnd = narrow ? width - value - 4 : name + (width - name) * 0.32;
    const isLarge = narrow && font >= LARGE;
    const x = (r) => name + (barsEnd - name) * r / end;
    const times = narrow ? 0 : barsEnd + value + font, timesEnd = width - (narrow ? font * 8.4 : font * 8.6);
    const row = font * (isLarge ? 1.5 : narrow ? 4.1 : 2.1);
    return { narrow, isLarge, end, name, value, barsEnd, x, times, timesEnd, row, head: isLarge ? 2 : font * (narrow ? 4.4 : 1.8), what: state.what, own };
  }

  function heading(view, frame) {
    const { font } = view, { narrow, name, times, x } = frame, base = font * 1.1, parts = [], small = font * (font < 20 ? 0.92 : 1);
    parts.push(line(x(1), frame.head - 2, x(1), frame.head + (view.now.rows.length + 1) * frame.row, { stroke: colour("faint"), stroke_dasharray: "2 3" }));
    if (frame.isLarge) return parts.join("");
    parts.push(text(name, base, "R (1 = kept up)", { fill: colour("faint") }));
    const under = narrow ? base + font * 1.5 : base;
    if (!narrow) parts.push(text(0, base, "Benchmark", { fill: colour("faint") }));
    const legend = [["ghost", view.a ? "A" : "before"], ...PARTS.slice(0, view.now.rows[0].parts.length)];
    const long = (words) => small * (2 + words.length * 0.56);
    const whole = legend.reduce((sum, [, words]) => sum + long(words), 0);
    let at = narrow ? 0 : Math.min(times, view.width - whole);
    legend.forEach(([key, words], number) => {
      // Two lines of a legend on a narrow screen.
      if (narrow && number === 2) at = 0;
      const height = under + (narrow && number >= 2 ? font * 1.3 : 0);
      parts.push(box(at, height - font * 0.75, font * 0.8, font * 0.8, { fill: colour(key) }), text(at + font * 1.1, height, words, { fill: colour("faint"), font_size: small }));
      at += long(words);
    });
    return parts.join("");
  }

  function drawnRow(view, frame, row, top) {
    const { own, font, state, hidden } = view, isMean = row.key === own.set, chosen = state.what === row.key;
    const known = own.rows.find((other) => other.key === row.key);
    const name = isMean ? "mean of all" : known.name, narrow = frame.narrow;
    const middle = top + (narrow && !frame.isLarge ? font * 0.75 : frame.row / 2), barTop = narrow && !frame.isLarge ? top + font * 1.35 : middle - font * 0.55;
    // The row's words are its name for a screen reader, its meaning is told at the pointer.
    const title = element("title", {}, isMean ? "Geometric mean of R" : known.meaning.replace(/[&<]/g, " "));
    const parts = [element("rect", { x: 1, y: top + 1, width: view.width - 2, height: frame.row - 2, rx: 4,
      fill: chosen ? colour("panel") : "transparent", stroke: chosen ? colour("accent") : "none" }, title)];
    if (isMean) parts.push(line(0, top, view.width, top, { stroke: colour("faint") }));
    if (!hidden && frame.isLarge) parts.push(large(view, frame, row, top));
    parts.push(text(6, middle + font * 0.35, name, { font_weight: chosen || isMean ? 700 : 400 }));
    if (!hidden && !frame.isLarge) parts.push(speed(view, frame, row, barTop), isMean ? overall(view, frame, top, barTop) : stacks(view, frame, row, top, barTop));
    return element("g", { role: "button", tabindex: "0", "data-row": row.key, aria_pressed: String(chosen), class: "row" }, parts.join(""));
  }

  // For a projector on a small screen: the bar under the name, and R.
  function large(view, frame, row, top) {
    const bar = box(0, top + 3, frame.x(Math.min(row.value, frame.end)), frame.row - 6, { fill: colour("accent"), opacity: "0.3" });
    return bar + text(frame.barsEnd + 6, top + frame.row / 2 + view.font * 0.35, osgapWords.two(row.value), { font_weight: 700 }) +
      text(frame.barsEnd + 6 + view.font * 2.7, top + frame.row / 2 + view.font * 0.35, osgapWords.within(row).trim(), { fill: colour("faint"), font_size: view.font * 0.9 });
  }

  function speed(view, frame, row, top) {
    const { font, a } = view, { x, end } = frame, height = font * 1.1, parts = [];
    const to = x(Math.min(row.value, end));
    if (a) {
      const old = view.own.valueOf(a, row.key);
      if (old) parts.push(box(x(0), top - 2, x(Math.min(old.value, end)) - x(0), height + 4, { fill: "none", stroke: colour("ghost"), stroke_width: 1.5, stroke_dasharray: "4 3" }));
    }
    parts.push(box(x(0), top, to - x(0), height, { fill: colour("accent") }));
    if (row.low !== null && row.low !== row.high) {
      const middle = top + height / 2, high = x(Math.min(row.high, end));
      const whisker = { stroke: colour("text"), stroke_width: 1.5 };
      parts.push(line(x(row.low), middle, high, middle, whisker), ...[x(row.low), high].map((at) => line(at, middle - 4, at, middle + 4, whisker)));
    }
    parts.push(text(frame.barsEnd + 6, top + height * 0.85, osgapWords.two(row.value), { font_weight: 700 }),
      text(frame.barsEnd + 6 + font * 2.7, top + height * 0.85, osgapWords.within(row).trim(), { fill: colour("faint"), font_size: font * 0.9 }));
    return parts.join("");
  }

  // The time of an operation, before in grey, now by its parts; the longer one is as long as there is place.
  function stacks(view, frame, row, top, barTop) {
    const { font } = view, before = view.before.rows.find((other) => other.key === row.key);
    const total = view.own.total, old = total(before.parts), now = total(row.parts), most = Math.max(old, now);
    const upper = frame.narrow ? barTop + font * 1.3 : barTop - font * 0.1, thick = font * 0.55;
    const x = (ns) => frame.times + (frame.timesEnd - frame.times) * ns / most;
    const parts = [box(x(0), upper, x(old) - x(0), thick, { fill: colour("ghost") })];
    let done = 0;
    row.parts.forEach((part, number) => {
      parts.push(box(x(done), upper + thick + 1, x(done + part) - x(done), thick, { fill: colour(PARTS[number][0]) }));
      done += part;
    });
    const unit = osgapWords.unitOf(Math.max(old, now)), same = Math.abs(old / now - 1) < 1e-6;
    const told = same ? `${osgapWords.time(now)}` : `${osgapWords.inUnit(old, unit)} → ${osgapWords.inUnit(now, unit)} ${unit[0]}`;
    parts.push(text(frame.timesEnd + font * 0.5, upper + thick + font * 0.4, told, { font_size: font * 0.95 }));
    return parts.join("");
  }

  function overall(view, frame, top, barTop) {
    const { own, font } = view, fast = own.faster(view.before, view.now)[own.set];
    const at = frame.narrow ? 0 : frame.times, height = frame.narrow ? barTop + font * 2.2 : barTop + font * 0.9;
    return text(at, height, `All together: ${osgapWords.speedUp(fast.value)}`, { font_weight: 700 });
  }

  return { draw };
})();
