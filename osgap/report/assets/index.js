// SPDX-License-Identifier: BSD-3-Clause
// The index's search: hides the cards, and the groups, without the words.
"use strict";
(() => {
  const input = document.getElementById("words");
  const matches = document.getElementById("matches");
  const cards = [...document.querySelectorAll(".card")];
  const folds = [...document.querySelectorAll("main details")];

  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const card of cards) {
      const text = card.textContent.toLowerCase();
      card.hidden = !words.every((word) => text.includes(word));
      count += card.hidden ? 0 : 1;
    }
    for (const section of document.querySelectorAll("main section")) {
      section.hidden = !section.querySelector(".card:not([hidden])");
    }
    for (const fold of folds) fold.open = words.length > 0;
    matches.textContent = words.length ? `${count} of ${cards.length}` : "";
  };

  input.addEventListener("input", search);
  // A link to a folded group opens it.
  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const fold = target && target.querySelector("details");
    if (fold) fold.open = true;
  };
  window.addEventListener("hashchange", unfold);
  unfold();
  document.getElementById("search").hidden = false;
  document.documentElement.dataset.ready = "yes";
})();
