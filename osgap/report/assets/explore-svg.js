// SPDX-License-Identifier: BSD-3-Clause
// Shapes of the explorer's charts as text. Colours are the page's, by name.
"use strict";
const osgapSvg = (() => {
  const colour = (name) => `var(--${name})`;
  const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const fixed = (value) => Number(value.toFixed(1));
  const attributes = (own) => Object.entries(own).map(([name, value]) =>
    ` ${name.replace(/_/g, "-")}="${escaped(typeof value === "number" ? fixed(value) : value)}"`).join("");
  const element = (name, own, inner = "") => `<${name}${attributes(own)}>${inner}</${name}>`;
  const text = (x, y, words, own = {}) => element("text", { x, y, fill: colour("text"), ...own }, escaped(words));
  const line = (x1, y1, x2, y2, own = {}) => element("line", { x1, y1, x2, y2, stroke: colour("line"), ...own });
  const box = (x, y, width, height, own = {}) => element("rect", { x, y, width: Math.max(0, width), height, ...own });
  const path = (points, own = {}, end = "") => element("path", {
    d: `M${points.map(([x, y]) => `${fixed(x)} ${fixed(y)}`).join("L")}${end}`, fill: "none", ...own,
  });
  // Words with a halo, so that lines do not strike them through.
  const label = (x, y, words, own = {}) => text(x, y, words, {
    stroke: colour("back"), stroke_width: 4, stroke_linejoin: "round", paint_order: "stroke", ...own,
  });

  const SHAPES = {
    circle: (x, y, r) => ["circle", { cx: x, cy: y, r }],
    square: (x, y, r) => ["rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r }],
    triangle: (x, y, r) => ["path", { d: `M${fixed(x)} ${fixed(y - r)}L${fixed(x + r)} ${fixed(y + r)}L${fixed(x - r)} ${fixed(y + r)}Z` }],
    diamond: (x, y, r) => ["path", { d: `M${fixed(x)} ${fixed(y - r * 1.3)}L${fixed(x + r * 1.3)} ${fixed(y)}L${fixed(x)} ${fixed(y + r * 1.3)}L${fixed(x - r * 1.3)} ${fixed(y)}Z` }],
  };
  const shape = (name, x, y, r, own) => {
    const [kind, place] = SHAPES[name](x, y, r);
    return element(kind, { ...place, ...own });
  };

  const hatch = (id) => `<defs><pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<line x1="0" y1="0" x2="0" y2="7" stroke="${colour("line")}" stroke-width="2"/></pattern></defs>`;

  const open = (width, height, font, own = {}) => `<svg xmlns="http://www.w3.org/2000/svg" width="${fixed(width)}" height="${fixed(height)}"` +
    ` viewBox="0 0 ${fixed(width)} ${fixed(height)}" font-family="system-ui, sans-serif" font-size="${font}"${attributes(own)}>`;

  // The top of an axis of R: 1.2, and more only where a value needs it.
  function top(values) {
    const most = Math.max(...values.filter(Number.isFinite), 0);
    return [1.2, 1.6, 2, 3, 4, 6, 8, 12, 16, 24, 32].find((end) => most <= end) || most;
  }
  function ticks(end) {
    const step = [0.2, 0.4, 0.5, 1, 2, 4, 8].find((own) => end / own <= 6.01) || end / 4, found = [];
    for (let at = 0; at <= end + 1e-9; at += step) found.push(Number(at.toFixed(2)));
    return found;
  }

  return { colour, element, text, line, box, path, label, shape, hatch, open, top, ticks, SHAPES: Object.keys(SHAPES) };
})();
