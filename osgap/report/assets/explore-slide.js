// SPDX-License-Identifier: BSD-3-Clause
// The explorer's picture for slides: the sentence, the chart and the bars as PNG, in light colours.
"use strict";
const osgapSlide = (() => {
  const WIDTH = 1920, HEIGHT = 1080, EDGE = 60, FONT = 20, TITLE = 34;
  const COLOURS = ["text", "faint", "line", "panel", "back", "accent", "ghost", "guess", "computing", "memory", "disk", "measured"];

  // The words in lines of about this many letters.
  function lines(words, letters) {
    return words.split(" ").reduce((done, word) => {
      const last = done[done.length - 1];
      if (last && last.length + word.length < letters) done[done.length - 1] = `${last} ${word}`;
      else done.push(word);
      return done;
    }, []);
  }

  const placed = (svg, x, y) => svg.replace("<svg ", `<svg x="${x}" y="${y}" `);

  function drawn(view, sentence, source) {
    const light = getComputedStyle(document.querySelector(".light"));
    const style = `svg{${COLOURS.map((name) => `--${name}:${light.getPropertyValue(`--${name}`).trim()}`).join(";")}}`;
    const title = lines(sentence, 85).slice(0, 3);
    const top = EDGE + title.length * TITLE * 1.3, bars = osgapBars.draw({ ...view, width: WIDTH - 2 * EDGE, font: FONT });
    const left = HEIGHT - top - bars.height - EDGE * 1.2;
    const curve = osgapCurve.draw({ ...view, width: WIDTH - 2 * EDGE, height: left, font: FONT });
    const { text, box, open } = osgapSvg;
    return open(WIDTH, HEIGHT, FONT) + `<style>${style}</style>` +
      box(0, 0, WIDTH, HEIGHT, { fill: "var(--back)" }) +
      title.map((words, at) => text(EDGE, EDGE + TITLE * (0.7 + 1.25 * at), words, { font_size: TITLE, font_weight: 700 })).join("") +
      placed(curve.svg, EDGE, top) + placed(bars.svg, EDGE, top + left) +
      text(WIDTH - EDGE, HEIGHT - EDGE * 0.35, source, { text_anchor: "end", fill: "var(--faint)", font_size: FONT * 0.8 }) + "</svg>";
  }

  async function png(svg) {
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    try {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
      canvas.getContext("2d").drawImage(picture, 0, 0);
      return await new Promise((done) => canvas.toBlob(done, "image/png"));
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  async function save(view, sentence, source) {
    const blob = await png(drawn(view, sentence, source)), link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = "explore.png";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  return { save };
})();
