// SPDX-License-Identifier: BSD-3-Clause
// The explorer's state, and the address that keeps it.
"use strict";
const osgapState = (own, measured, start) => {
  const keys = own.axes.map((axis) => axis.key);
  const DIGITS = 6, MOST = 500, RESTS_MS = 150, asked = new URLSearchParams(location.search);
  const state = {
    at: { ...start }, what: own.set, a: null, guess: null, guessing: false, guesses: [],
    card: "", natives: measured, projector: false,
  };
  const short = (value) => Number(value.toPrecision(DIGITS));
  const positive = (text) => {
    const value = Number(text);
    return Number.isFinite(value) && value > 0 ? value : null;
  };

  function clamped(key, value) {
    const { low, high } = own.axisOf[key];
    return Math.min(high, Math.max(low, value));
  }

  function set(key, value) {
    if (Number.isFinite(value) && value > 0) state.at[key] = clamped(key, value);
  }

  // Values in the order of the sliders; the reference's are exact, others have six digits.
  const written = (setting) => keys.map((key) => short(setting[key])).join(",");
  function readSetting(text) {
    const values = (text || "").split(",").map(positive);
    if (values.length !== keys.length || values.includes(null)) return null;
    return Object.fromEntries(keys.map((key, at) => {
      const exact = own.reference[key];
      return [key, short(exact) === values[at] ? exact : clamped(key, values[at])];
    }));
  }

  // "NAME~MIPS RATIO~ROW=R~ROW=R": a measured machine's mark.
  const writtenMark = (mark) => [mark.name.replace(/[~|]/g, " "), short(mark.mips_ratio),
    ...Object.entries(mark.relative).map(([name, value]) => `${name}=${short(value)}`)].join("~");
  function readMark(text) {
    const [name, ratio, ...rows] = text.split("~"), relative = {};
    for (const row of rows) {
      const [key, value] = row.split("=");
      if (positive(value)) relative[key] = positive(value);
    }
    return positive(ratio) && Object.keys(relative).length ? { name: name.slice(0, 60), mips_ratio: positive(ratio), relative } : null;
  }

  function fragment(state) {
    const kept = new URLSearchParams({ at: written(state.at) });
    if (state.what !== own.set) kept.set("what", state.what);
    if (state.a) kept.set("a", written(state.a));
    if (state.guessing || asked.has("guess")) kept.set("guessing", state.guessing ? "yes" : "no");
    if (state.guess !== null) kept.set("guess", short(state.guess));
    if (state.guesses.length) kept.set("guesses", state.guesses.map(short).join(","));
    if (state.card) kept.set("card", state.card);
    if (state.projector) kept.set("projector", "yes");
    if (state.natives !== measured) kept.set("measured", state.natives.map(writtenMark).join("|"));
    return `#${kept}`;
  }

  function restore() {
    const kept = new URLSearchParams(location.hash.slice(1));
    const known = new Set([own.set, ...own.rows.map((row) => row.key)]);
    state.at = readSetting(kept.get("at")) || { ...start };
    state.what = known.has(kept.get("what")) ? kept.get("what") : own.set;
    state.a = readSetting(kept.get("a"));
    state.guess = positive(kept.get("guess"));
    // ?guess opens the question, ?guess=0.4,0.6 with the guesses of a class.
    state.guessing = kept.has("guessing") ? kept.get("guessing") === "yes" : asked.has("guess");
    state.guesses = numbers(kept.get("guesses") || asked.get("guess"));
    state.card = kept.get("card") || "";
    state.projector = kept.get("projector") === "yes";
    state.natives = kept.has("measured") ? kept.get("measured").split("|").map(readMark).filter(Boolean) : measured;
  }

  const numbers = (text) => (text || "").split(/[,\s]+/).map(positive).filter((value) => value !== null).slice(0, MOST);
  // Guesses in pasted text: numbers alone, or links with ?guess=.
  function pasted(text) {
    const linked = [...text.matchAll(/[?&]guess=([\d.,%C]+)/gi)].map((found) => found[1].replace(/%2C/gi, ","));
    return numbers(linked.length ? linked.join(",") : text);
  }

  // Browsers limit how often an address changes: it follows when a hand rests.
  let waiting = 0;
  const keep = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => history.replaceState(null, "", fragment(state)), RESTS_MS);
  };
  const page = () => location.href.replace(/[?#].*$/, "");
  const link = () => page() + fragment(state);
  // What a student sends: the question, and the guess as a number that a teacher can collect.
  const guessLink = () => `${page()}?guess=${short(state.guess)}` + fragment({ ...state, guess: null, guesses: [] });

  return { state, set, restore, keep, link, guessLink, pasted };
};
