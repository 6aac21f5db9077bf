// SPDX-License-Identifier: BSD-3-Clause
// The explorer: what a reader does, and what is drawn again then.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id), all = (selector) => [...document.querySelectorAll(selector)];
  const on = (id, kind, act) => byId(id).addEventListener(kind, act);
  const own = osgapModel(data), kept = osgapState(own, data.measured, data.start), { state } = kept, cards = osgapGames.cards(own);
  const FIRST_GUESS = 1, FONT = 13;
  let view = null, frame = null;

  const fontSize = () => (state.projector ? 24 : FONT);
  const isHidden = () => state.guessing;

  // --- What is shown
  function computed() {
    const now = own.at(state.at), a = state.a ? own.at(state.a) : null, before = a || own.at(own.reference);
    const hidden = isHidden();
    return {
      own, state, model: data.model, now, a, before, hidden, font: fontSize(),
      curve: hidden ? [] : own.curve(state.at, state.what), ghost: a && !hidden ? own.curve(state.a, state.what) : [],
    };
  }

  function draw() {
    const curve = byId("curve"), bars = byId("bars"), focused = document.activeElement && document.activeElement.dataset
      ? document.activeElement.dataset.row : undefined;
    bars.innerHTML = osgapBars.draw({ ...view, width: bars.clientWidth }).svg;
    // The curve has the space that the bars leave.
    const drawn = osgapCurve.draw({ ...view, width: curve.clientWidth, height: Math.max(curve.clientHeight, fontSize() * 8) });
    frame = drawn.frame;
    curve.innerHTML = drawn.svg;
    if (focused) bars.querySelector(`[data-row="${focused}"]`).focus();
  }

  function sentence() {
    if (view.hidden) return "First guess: drag the point in the chart to the R that you expect, then press Show.";
    const from = state.a ? "machine A" : `the ${data.reference}`;
    const named = data.presets.find((one) => one.machine && own.isSame(one.at, state.at));
    return osgapWords.why(own, view.before, view.now, state.what, from, named && named.machine);
  }

  function update(but) {
    view = computed();
    byId("sentence").textContent = sentence();
    sliders.show(but);
    draw();
    gainsShown();
    beside();
    guess();
    card();
    const name = state.what === own.set ? "mean of all benchmarks" : own.rows.find((row) => row.key === state.what).name;
    byId("chart-title").textContent = `R, ${name}; dotted: 1, kept up`;
    for (const button of all("[data-preset]")) {
      button.setAttribute("aria-pressed", String(own.isSame(data.presets[button.dataset.preset].at, state.at)));
    }
    byId("measured-told").textContent = state.natives.length ? told(state.natives) : byId("measured-told").dataset.hint;
    byId("forget").hidden = !state.natives.length;
    document.documentElement.classList.toggle("projector", state.projector);
    byId("projector").setAttribute("aria-pressed", String(state.projector));
  }

  function told(marks) {
    return marks.map((mark) => {
      const rows = Object.keys(mark.relative).filter((key) => key !== own.set).length;
      return `${mark.name}: R ${osgapWords.two(mark.relative[own.set])}, mean of ${rows} of ${own.rows.length} rows.`;
    }).join(" ");
  }

  function gainsShown() {
    const gains = own.gains(state.at);
    for (const [name, gain] of Object.entries(gains)) {
      byId(`gain-${name}`).textContent = view.hidden ? "?" : osgapWords.percent(gain);
      byId(`gain-${name}-bar`).style.width = view.hidden ? 0 : `${Math.max(0, Math.min(100, gain * 1000))}%`;
    }
    view.gains = gains;
  }

  function beside() {
    byId("keep").textContent = state.a ? "Keep this as A" : "Keep as A";
    for (const id of ["swap", "drop"]) byId(id).hidden = !state.a;
    byId("compared").textContent = view.hidden ? "" : state.a ? osgapWords.compared(own, view.a, view.now, state.what)
      : "Keep a machine as A, then change it: B / A tells which to buy.";
  }

  function guess() {
    const one = own.valueOf(view.now, state.what), entered = byId("guess-value");
    byId("guess").textContent = state.guessing ? "Show" : state.guess === null ? "Guess first" : "Guess again";
    entered.disabled = !state.guessing;
    // A hand that types in it is not disturbed.
    if (document.activeElement !== entered) entered.value = state.guess === null ? FIRST_GUESS : state.guess;
    const asked = state.guessing ? `Where will R be?${osgapGames.toldOfClass(state.guesses, null)}`
      : (state.guess === null ? "The answer hides until you have guessed." : osgapGames.told(state.guess, one)) +
        osgapGames.toldOfClass(state.guesses, one);
    byId("guess-told").textContent = asked;
    byId("guess-link").hidden = state.guess === null;
  }

  function card() {
    const picked = cards[state.card], output = byId("card-told");
    byId("card").value = picked ? state.card : "";
    const [solved, words] = picked && !view.hidden ? picked.check(view.now, view.gains) : [false, ""];
    output.textContent = words;
    output.classList.toggle("solved", solved);
  }

  function changed(but) {
    update(but);
    kept.keep();
  }

  // --- What a reader does
  const sliders = osgapSliders.make(own, kept, changed);

  function go(setting) {
    for (const { key } of own.axes) kept.set(key, setting[key]);
    changed();
  }

  for (const button of all("[data-preset]")) {
    button.addEventListener("click", () => go(data.presets[button.dataset.preset].at));
  }
  on("reset", "click", () => {
    Object.assign(state, { what: own.set, a: null, guess: null, guessing: false, guesses: [], card: "", natives: data.measured });
    go(data.start);
  });

  function pick(event) {
    const row = event.target.closest("[data-row]");
    if (!row || (event.type === "keydown" && ![" ", "Enter"].includes(event.key))) return;
    event.preventDefault();
    state.what = row.dataset.row;
    row.focus();
    changed();
  }
  on("bars", "click", pick);
  on("bars", "keydown", pick);

  on("keep", "click", () => { state.a = { ...state.at }; changed(); });
  on("drop", "click", () => { state.a = null; changed(); });
  on("swap", "click", () => { [state.a, state.at] = [{ ...state.at }, { ...state.a }]; changed(); });

  on("guess", "click", () => {
    if (!state.guessing) state.guess = FIRST_GUESS;
    else if (state.guess === null) state.guess = FIRST_GUESS;
    state.guessing = !state.guessing;
    changed();
  });
  on("guess-value", "input", () => {
    const value = Number(byId("guess-value").value);
    if (!(value > 0)) return;
    state.guess = value;
    changed();
  });
  on("guess-class", "change", () => { state.guesses = kept.pasted(byId("guess-class").value); changed(); });
  const drag = (event) => {
    if (!state.guessing || (event.type === "pointermove" && !event.buttons)) return;
    event.preventDefault();
    const height = event.clientY - byId("curve").getBoundingClientRect().top;
    state.guess = Number(Math.min(frame.end, Math.max(0.01, frame.value(height))).toFixed(2));
    changed();
  };
  on("curve", "pointerdown", drag);
  on("curve", "pointermove", drag);

  for (const [name, one] of Object.entries(cards)) byId("card").add(new Option(one.title, name));
  on("card", "change", () => { state.card = byId("card").value; changed(); });

  // --- Links, pictures, the projector
  async function copy(id, text) {
    const button = byId(id), before = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = before; }, 1500);
    } catch {
      window.prompt("The link:", text);
    }
  }
  on("copy", "click", () => copy("copy", kept.link()));
  on("guess-link", "click", () => copy("guess-link", kept.guessLink()));
  on("png", "click", () => osgapSlide.save(view, sentence(), `osgap, run ${data.run}: predicted from simulated machines`).catch(trouble));
  on("projector", "click", () => {
    state.projector = !state.projector;
    if (state.projector && document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen();
    changed();
  });
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement && state.projector) { state.projector = false; changed(); }
  });

  // --- A measured machine
  function trouble(error) {
    byId("trouble").textContent = `${error.message}.`;
    byId("trouble").hidden = false;
  }
  async function read(files) {
    byId("trouble").hidden = true;
    try {
      state.natives = await osgapNative.read(data, files);
      changed();
    } catch (error) {
      trouble(error);
    }
  }
  for (const id of ["measured-folder", "measured-files"]) {
    // The same files can be chosen again.
    on(id, "change", () => read([...byId(id).files]).then(() => { byId(id).value = ""; }));
  }
  on("forget", "click", () => { state.natives = []; changed(); });
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    read(await osgapNative.dropped(event.dataTransfer.items));
  });

  // --- Beginning
  kept.restore();
  update();
  new ResizeObserver(() => draw()).observe(byId("main"));
  window.addEventListener("hashchange", () => { kept.restore(); update(); });
  window.osgapExplorer = { own, kept, computed: () => view };
  document.documentElement.dataset.ready = "yes";
})();
