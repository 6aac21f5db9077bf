// SPDX-License-Identifier: BSD-3-Clause
// The explorer's questions: the guess before the answer, and cards that check the machine.
"use strict";
const osgapGames = (() => {
  const { two, plain, percent } = osgapWords;
  const WANTED_R = 0.8, NOTHING = 0.0005, MOSTLY = 0.75, STEP = 2 ** 0.25, MOST_STEPS = 200;
  const CSWITCH = "cswitch none";

  // What a guess of R was, beside the model's.
  function told(guess, one) {
    const off = guess / one.value, inside = one.low !== null && guess >= one.low && guess <= one.high;
    const verdict = inside ? "inside the interval" : Math.abs(off - 1) < 0.005 ? "the same"
      : off > 1 ? `${plain(off)} times too high` : `${plain(1 / off)} times too low`;
    return `You guessed ${two(guess)}. The model says ${two(one.value)}${osgapWords.within(one)}: your guess is ${verdict}.`;
  }

  function toldOfClass(guesses, one) {
    if (!guesses.length) return "";
    const inOrder = [...guesses].sort((a, b) => a - b), half = inOrder.length / 2;
    const median = (inOrder[Math.floor(half - 0.5)] + inOrder[Math.floor(half)]) / 2;
    const count = `${guesses.length} guess${guesses.length > 1 ? "es" : ""}`;
    return one ? ` ${count} of a class, median ${two(median)}, from ${two(inOrder[0])} to ${two(inOrder[inOrder.length - 1])}.`
      : ` ${count} of a class ${guesses.length > 1 ? "are" : "is"} here.`;
  }

  // Doublings and halvings of memory and disk since the reference.
  const doublings = (own, setting) => own.axes.filter((axis) => axis.key !== "clock_mhz")
    .reduce((sum, { key }) => sum + Math.abs(Math.log2(setting[key] / own.reference[key])), 0);

  // How far a player comes who always takes the step that gains most: a bar to beat.
  function greedy(own, from) {
    let setting = { ...own.reference, clock_mhz: from };
    const keys = own.axes.map((axis) => axis.key).filter((key) => key !== "clock_mhz");
    for (let step = 0; step < MOST_STEPS && own.at(setting).mean.value < WANTED_R; step++) {
      const tries = keys.map((key) => own.moved(setting, [key], STEP));
      setting = tries.reduce((best, one) => (own.at(one).mean.value > own.at(best).mean.value ? one : best));
    }
    return doublings(own, setting);
  }

  // Each card: its task, and the answer to a machine: [solved, sentence].
  function cards(own) {
    const fastest = own.axisOf.clock_mhz.simulated[own.axisOf.clock_mhz.simulated.length - 1];
    const shown = plain(own.shown("clock_mhz", fastest));
    let bar = null;
    return {
      reach: {
        title: `Reach R ≥ ${WANTED_R} at ${shown} MHz with the least change`,
        check(machine) {
          const used = doublings(own, machine.setting), mean = machine.mean.value;
          const changed = `You used ${used.toFixed(1)} doublings of memory and disk.`;
          if (machine.setting.clock_mhz < fastest * 0.999) return [false, `Not yet: set the clock to ${shown} MHz or more.`];
          if (mean < WANTED_R) return [false, `Not yet: the mean of R is ${two(mean)}. ${changed}`];
          bar = bar === null ? greedy(own, fastest) : bar;
          return [true, `R is ${two(mean)}: reached. ${changed} A player who always takes the best quarter of a doubling needs ${bar.toFixed(1)}.`];
        },
      },
      nothing: {
        title: "Find the machine on which faster memory gains nothing",
        check(machine, gains) {
          const gain = gains.memory, told = `with memory 10 % faster, the operating system's speed changes by ${percent(gain)}.`;
          return [Math.abs(gain) < NOTHING, `${Math.abs(gain) < NOTHING ? "Found: " : "Not yet: "}${told}`];
        },
      },
      ...(own.rows.some((row) => row.key === CSWITCH) && {
        waiting: {
          title: `Make a context switch spend over ${MOSTLY * 100} % of its time waiting for memory`,
          check(machine) {
            const { parts } = machine.rows.find((row) => row.key === CSWITCH), share = parts[1] / own.total(parts);
            return [share > MOSTLY, `${share > MOSTLY ? "Found" : "Not yet"}: it waits for memory ${plain(share * 100)} % of its time.`];
          },
        },
      }),
    };
  }

  return { told, toldOfClass, cards };
})();
