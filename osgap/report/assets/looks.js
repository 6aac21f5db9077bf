// SPDX-License-Identifier: BSD-3-Clause
// What charts look like in light and in dark, and where their lines have labels.
"use strict";
const osgapLooks = (() => {
  const MOST_LABELS = 8, SAME = 0.15, PASSES = 60;
  const NARROW = 500, ROW = 30;  // pixels

  const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

  // A colour that is lost on black, lighter.
  function onBack(colour) {
    if (!isDark() || !/^#[0-9a-f]{6}$/i.test(colour)) return colour;
    const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    const bright = (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]) / 255;
    const add = Math.max(0, 0.6 - bright) * (bright < 0.05 ? 2 : 1);
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

  // A chart with a row for each value of y is as high as it has rows. On a telephone the names
  // stand above their dots.
  function sized(spec, data, width) {
    if (!spec.height || !spec.height.step) return spec;
    if (width < NARROW && !isOfBars(spec)) return sized(withNamesInside(spec), data);
    const rows = data.rows || data.parts || [];
    const count = new Set(rows.map((row) => row.run ?? row.benchmark)).size;
    const autosize = { type: "fit-x", contains: "padding" };
    return { ...spec, height: Math.max(1, count) * spec.height.step, autosize };
  }

  // Rising places moved apart, each pair by as much up as down.
  function apart(places, gap) {
    for (let pass = 0; pass < PASSES; pass++) {
      for (let n = 1; n < places.length; n++) {
        const short = gap - (places[n] - places[n - 1]);
        if (short <= 0) continue;
        places[n - 1] -= short / 2;
        places[n] += short / 2;
      }
    }
    return places;
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
    const places = apart(groups.map((group) => at(group[0])), gap);
    return groups.map((group, n) => ({
      [x]: group[0][x], [y]: isLog ? Math.exp(places[n]) : places[n],
      text: group.map((row) => row.label).join(" = "),
    }));
  }

  const isOfBars = (spec) => spec.mark && (spec.mark.type || spec.mark) === "bar";

  function withNamesInside(spec) {
    const axis = { labelAlign: "left", labelBaseline: "bottom", labelOffset: -3, labelPadding: -3, ticks: false, domain: false, labelLimit: 300 };
    const inside = (one) => (one.encoding && one.encoding.y && one.encoding.y.field
      ? { ...one, encoding: { ...one.encoding, y: { ...one.encoding.y, axis } } } : one);
    const made = { ...inside(spec), height: { step: ROW } };
    return spec.layer ? { ...made, layer: spec.layer.map(inside) } : made;
  }

  return { onBack, adapted, theme, labelled, sized, lineEnds };
})();
