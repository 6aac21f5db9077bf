// SPDX-License-Identifier: BSD-3-Clause
// The explorer's chart: R against the processor's MIPS.
"use strict";
const osgapCurve = (() => {
  const { colour, element, text, line, box, path, label, shape } = osgapSvg;
  const DECADES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000];
  const SAME_LABEL = 1.1, RADIUS = 3.5;

  // `view` has width, height, font, and what to show: own, state, now, a, hidden.
  function draw(view) {
    const frame = framed(view), { left, right, base, ceiling, x, y } = frame;
    const parts = [osgapSvg.hatch("beyond"), axes(view, frame)];
    const kept = osgapSvg.element("clipPath", { id: "inside" }, box(left, ceiling - 3, right - left + 6, base - ceiling + 6));
    parts.push(`<defs>${kept}</defs>`);
    if (!view.hidden) parts.push(...answer(view, frame));
    parts.push(...guesses(view, frame));
    return { svg: osgapSvg.open(view.width, view.height, view.font, { aria_hidden: "true" }) + parts.join("") + "</svg>", frame, x, y };
  }

  function framed(view) {
    const { width, height, font, own, state, now, a } = view;
    const machine = own.at(own.reference), clock = own.axisOf.clock_mhz;
    const perMhz = machine.mips / own.reference.clock_mhz;
    const measured = state.natives.map((mark) => mark.mips_ratio * machine.mips);
    const ends = [clock.low * perMhz, Math.max(clock.high * perMhz, ...measured) * 1.05];
    const shown = view.hidden ? [] : [now, a].filter(Boolean).flatMap((one) => [own.valueOf(one, state.what)])
      .flatMap((one) => [one.high || one.value]);
    const marks = state.natives.map((mark) => mark.relative[state.what]).filter(Number.isFinite);
    const simulated = view.hidden ? [] : view.model.marks.map((mark) => mark.relative[state.what]).filter(Number.isFinite);
    const end = osgapSvg.top([...shown, ...marks, ...simulated]);
    const left = font * 3.2, right = width - font * 0.8, base = height - font * 2.9, ceiling = font * 0.9;
    const x = (mips) => left + (right - left) * Math.log(mips / ends[0]) / Math.log(ends[1] / ends[0]);
    const y = (value) => base - (base - ceiling) * value / end;
    const value = (at) => end * (base - at) / (base - ceiling);
    return { left, right, base, ceiling, x, y, value, end, ends, perMhz };
  }

  const isNarrow = ({ left, right }, font) => right - left < font * 40;

  function axes(view, frame) {
    const { left, right, base, ceiling, x, y, ends, end, perMhz } = frame, { font, own } = view;
    const parts = [], narrow = isNarrow(frame, font), seen = own.axisOf.clock_mhz.simulated.map((clock) => clock * perMhz);
    const first = x(seen[0]), last = x(seen[seen.length - 1]);
    for (const [from, to] of [[left, first], [last, right]]) {
      if (to > from + 1) parts.push(box(from, ceiling, to - from, base - ceiling, { fill: "url(#beyond)", opacity: "0.55" }));
    }
    for (const tick of osgapSvg.ticks(end)) {
      parts.push(line(left, y(tick), right, y(tick)), text(left - 6, y(tick) + font * 0.35, tick, { text_anchor: "end" }));
    }
    for (const tick of DECADES.filter((one) => one >= ends[0] && one <= ends[1])) {
      if (narrow && !/^[15]|^0\.[15]/.test(String(tick))) continue;
      parts.push(line(x(tick), base, x(tick), base + 4, { stroke: colour("faint") }),
        text(x(tick), base + font * 1.25, osgapWords.plain(tick), { text_anchor: "middle" }));
    }
    parts.push(line(left, y(1), right, y(1), { stroke: colour("faint"), stroke_dasharray: "2 3", stroke_width: 1.5 }),
      text((left + right) / 2, base + font * 2.5, narrow ? "MIPS (hatched: not simulated)" : "Processor's speed, MIPS (hatched: beyond the simulated clocks)",
        { text_anchor: "middle", fill: colour("faint") }));
    return parts.join("");
  }

  function answer(view, frame) {
    const { own, state, now, a, curve, ghost, font } = view, { x, y, end } = frame, parts = [];
    const clipped = (inner) => element("g", { clip_path: "url(#inside)" }, inner);
    const banded = curve.filter((one) => one.low !== null);
    const over = (value) => Math.min(value, end * 2);
    if (banded.length) {
      const outline = [...banded.map((one) => [x(one.mips), y(over(one.high))]), ...banded.reverse().map((one) => [x(one.mips), y(one.low)])];
      parts.push(clipped(path(outline, { fill: colour("accent"), opacity: "0.16" }, "Z")));
    }
    parts.push(...simulated(view, frame));
    if (a) {
      parts.push(clipped(path(ghost.map((one) => [x(one.mips), y(over(one.value))]), { stroke: colour("ghost"), stroke_width: 2.5, stroke_dasharray: "7 5" })));
      const one = own.valueOf(a, state.what);
      parts.push(point(x(a.mips), y(one.value), one, y, "ghost", font), label(x(a.mips), y(one.value) - font * 0.8, "A", { text_anchor: "middle", fill: colour("ghost"), font_weight: 700 }));
    }
    parts.push(clipped(path(curve.map((one) => [x(one.mips), y(over(one.value))]), { stroke: colour("accent"), stroke_width: 2.5 })));
    const one = own.valueOf(now, state.what), at = x(now.mips);
    const rightmost = at > frame.right - font * (a ? 7 : 5.2);
    parts.push(...measured(view, frame), point(at, y(one.value), one, y, "accent", font));
    // A falling curve leaves space above, to the right.
    parts.push(label(rightmost ? frame.right : at + font * 0.8, y(one.value) - font * (rightmost ? 1 : 0.6), `${a ? "B: " : ""}R ${osgapWords.two(one.value)}`,
      { text_anchor: rightmost ? "end" : "start", fill: colour("accent"), font_weight: 700, font_size: font * 1.15 }));
    return parts;
  }

  function point(at, height, one, y, name, font) {
    const whisker = one.low === null || one.low === one.high ? ""
      : line(at, y(one.low), at, y(one.high), { stroke: colour(name), stroke_width: 2.5 }) +
        [one.low, one.high].map((end) => line(at - 5, y(end), at + 5, y(end), { stroke: colour(name), stroke_width: 2.5 })).join("");
    return whisker + element("circle", { cx: at, cy: height, r: font * 0.5, fill: colour(name), stroke: colour("back"), stroke_width: 2 });
  }

  // The simulated points, a shape for each series, its name at its last point.
  function simulated(view, frame) {
    const { own, state, model, font } = view, { x, y } = frame, parts = [], ends = [];
    const mips = own.at(own.reference).mips, names = [...new Set(model.marks.map((mark) => mark.label))];
    names.forEach((name, number) => {
      const marks = model.marks.filter((mark) => mark.label === name && state.what in mark.relative);
      for (const mark of marks) {
        parts.push(shape(osgapSvg.SHAPES[number % osgapSvg.SHAPES.length], x(mark.mips_ratio * mips), y(mark.relative[state.what]), RADIUS,
          { fill: colour("back"), stroke: colour("faint"), stroke_width: 1.5 }));
      }
      if (marks.length) ends.push({ name, at: x(marks[marks.length - 1].mips_ratio * mips), height: y(marks[marks.length - 1].relative[state.what]) });
    });
    // The labels need space.
    if (isNarrow(frame, font)) return parts;
    ends.sort((one, other) => one.height - other.height);
    let lowest = -Infinity;
    for (const one of ends) {
      const height = Math.max(one.height + font * 0.35, lowest + font * SAME_LABEL);
      lowest = height;
      parts.push(label(one.at - 9, height, one.name, { text_anchor: "end", fill: colour("faint"), font_size: font * 0.9 }));
    }
    return parts;
  }

  function measured(view, frame) {
    const { own, state, font } = view, { x, y } = frame, mips = own.at(own.reference).mips;
    return state.natives.filter((mark) => state.what in mark.relative).map((mark) => {
      const at = x(mark.mips_ratio * mips), height = y(mark.relative[state.what]);
      return shape("diamond", at, height, font * 0.5, { fill: colour("measured"), stroke: colour("back"), stroke_width: 1.5 }) +
        label(at - font, height + font * 0.35, `${mark.name}, measured`, { text_anchor: "end", fill: colour("measured"), font_weight: 700 });
    });
  }

  // The point to drag, and what others have guessed: the latter once the answer is seen.
  function guesses(view, frame) {
    const { state, now, hidden, font } = view, { x, y, end, right } = frame, at = x(now.mips), parts = [];
    if (!hidden) {
      for (const value of state.guesses) {
        parts.push(element("circle", { cx: at, cy: y(Math.min(value, end)), r: font * 0.35, fill: "none", stroke: colour("guess"), stroke_width: 2 }));
      }
    }
    if (state.guess === null) return parts;
    const height = y(Math.min(state.guess, end)), left = at > right - font * 10;
    parts.push(line(at, y(0), at, y(end), { stroke: colour("guess"), stroke_dasharray: "2 4" }),
      shape("diamond", at, height, font * (hidden ? 0.75 : 0.5), { fill: colour("guess"), stroke: colour("back"), stroke_width: 2 }),
      label(at + (left ? -font : font), height + font * (hidden ? 0.35 : 1.3), `your guess: ${osgapWords.two(state.guess)}`,
        { text_anchor: left ? "end" : "start", fill: colour("guess"), font_weight: 700 }));
    return parts;
  }

  return { draw };
})();
