// SPDX-License-Identifier: BSD-3-Clause
// The explorer's sliders, on scales of logarithms: ticks as simulated, hatched where nothing was.
"use strict";
const osgapSliders = (() => {
  const STEPS = 1000;
  const byId = (id) => document.getElementById(id);

  function make(own, kept, changed) {
    const place = (axis, value) => Math.log(value / axis.low) / Math.log(axis.high / axis.low);
    const valueAt = (axis, step) => {
      const value = Number((axis.low * (axis.high / axis.low) ** (step / STEPS)).toPrecision(4));
      // A slider rests on what was simulated, and on the reference.
      const near = [...axis.simulated, own.reference[axis.key]].find((one) => Math.round(place(axis, one) * STEPS) === step);
      return near === undefined ? value : near;
    };

    function equip(axis) {
      const range = byId(axis.key), typed = byId(`${axis.key}-typed`), back = byId(`${axis.key}-back`);
      const [first, last] = [axis.simulated[0], axis.simulated[axis.simulated.length - 1]].map((value) => place(axis, value) * 100);
      back.innerHTML = `<i class="beyond" style="left:0;width:${first}%"></i><i class="beyond" style="left:${last}%;right:0"></i>` +
        axis.simulated.map((value) => `<b style="left:${place(axis, value) * 100}%"></b>`).join("");
      range.addEventListener("input", () => { kept.set(axis.key, valueAt(axis, Number(range.value))); changed(axis.key); });
      typed.addEventListener("change", () => { kept.set(axis.key, own.simulated(axis.key, Number(typed.value))); changed(); });
      for (const button of document.querySelectorAll(`[data-axis="${axis.key}"]`)) {
        button.addEventListener("click", () => { kept.set(axis.key, kept.state.at[axis.key] * Number(button.dataset.by)); changed(); });
      }
    }

    // Shows the state; the slider `but` is in a hand and stays.
    function show(but) {
      for (const axis of own.axes) {
        const value = kept.state.at[axis.key], range = byId(axis.key), shown = own.shown(axis.key, value);
        if (axis.key !== but) range.value = Math.round(place(axis, value) * STEPS);
        const words = osgapWords.plain(shown), typed = byId(`${axis.key}-typed`);
        typed.value = Number(shown.toPrecision(4));
        range.setAttribute("aria-valuetext", `${words} ${axis.unit}`.trim());
        const beyond = value < axis.simulated[0] / 1.001 || value > axis.simulated[axis.simulated.length - 1] * 1.001;
        byId(`${axis.key}-line`).classList.toggle("is-beyond", beyond);
      }
    }

    own.axes.forEach(equip);
    return { show };
  }

  return { make };
})();
