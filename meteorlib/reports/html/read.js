"use strict";
// The data in the page, and segments, which are decoded when they are needed.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const systems = data.systems;
const count = data.segments.references.length;
const UNIT = 10000;
const NO_VALUE = UNIT + 1;
const NUMBERS = ["place", "reference", "precision", "recall", "f_mean", "fragmentation", "penalty", "optimal",
  "hypothesisLength", "referenceLength", "hypothesisFunction", "referenceFunction",
  "chunks", "penalizedChunks", "hypothesisMatches", "referenceMatches"];

const VALUES = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((letter, value) => {
  VALUES[letter.charCodeAt(0)] = value;
});

/** Decode whole numbers: five bits a letter, the lowest first, plus 32 if more follow. */
function numbers(letters) {
  const found = [];
  let number = 0, scale = 1;
  for (let at = 0; at < letters.length; at++) {
    const value = VALUES[letters.charCodeAt(at)];
    number += (value % 32) * scale;
    scale *= 32;
    if (value < 32) {
      found.push(number);
      number = 0;
      scale = 1;
    }
  }
  return found;
}

function words(letters) {
  return numbers(letters).map((number) => data.words[number]);
}

/** The matches of a segment in the order of the reference: [reference, length, hypothesis, length, stage]. */
function matchesOf(letters) {
  const found = [], flat = numbers(letters);
  for (let at = 0; at < flat.length; at += 5) {
    const [reference, hypothesis, stage, length, other] = flat.slice(at, at + 5);
    if (other) {
      found.push([reference, length, hypothesis, other, stage]);
    } else {
      for (let step = 0; step < length; step++) found.push([reference + step, 1, hypothesis + step, 1, stage]);
    }
  }
  return found;
}

function inFours(letters) {
  const flat = numbers(letters);
  return Array.from({length: flat.length / 4}, (_, at) => flat.slice(4 * at, 4 * at + 4));
}

/** All that is known of a segment of a system. */
function segmentOf(system, index) {
  const columns = data.segments.systems[system];
  const flat = numbers(columns.numbers[index]);
  const found = Object.fromEntries(NUMBERS.map((name, at) => [name, flat[at]]));
  const stages = flat.slice(NUMBERS.length);
  const [junctions, crossings, matchPairs, crossing, ...faults] = stages.slice(4 * data.stages.length);
  const parts = numbers(columns.parts?.[index] ?? "");
  return {
    ...found,
    score: columns.score[index],
    referenceLetters: data.segments.references[index][found.place],
    referenceWords: words(data.segments.references[index][found.place]),
    hypothesisWords: words(columns.hypothesis[index]),
    matches: matchesOf(columns.runs[index]),
    chunkList: inFours(columns.chunks[index]),
    stages: data.stages.map((_, at) => stages.slice(4 * at, 4 * at + 4)),
    order: crossing === undefined ? null : {junctions, crossings, matchPairs, crossing},
    faults,
    faultLetters: columns.faults?.[index] ?? "",
    parts: new Map(parts.flatMap((at, place) => (place % 2 ? [] : [[at, parts[place + 1]]]))),
  };
}

/** The share of a match that counts, for display after the name of its stage; empty if all of it counts. */
function partOf(segment, at) {
  return segment.parts.has(at) ? ` ${(segment.parts.get(at) / UNIT).toFixed(2)}` : "";
}

/** Whether a measure, such as metric0, is that of another metric, in its own unit. */
function isMetric(measure) {
  return /^metric\d+$/.test(measure);
}

const kept = new Map();

/** One number of all segments, in units of 0.0001 as the page shows it; `NO_VALUE` where there is none. */
function column(system, measure) {
  const key = `${system} ${measure}`;
  if (!kept.has(key)) {
    const {score, numbers: rows} = data.segments.systems[system];
    const at = NUMBERS.indexOf(measure);
    kept.set(key, isMetric(measure) ? Float64Array.from(data.metrics[measure.slice(6)].segments[system]) : Int32Array.from(rows, (letters, index) => {
      if (measure === "score") return units(score[index]);
      return at < 0 ? computed(segmentOf(system, index), measure) : numbers(letters)[at];
    }));
  }
  return kept.get(key);
}

/** The difference of two systems' scores, of full precision; closer ones are equal, as for `meteorlib score`. */
function difference(index, first, second) {
  const [one, other] = [first, second].map((system) => data.segments.systems[system].score[index]);
  return Math.abs(one - other) < 1e-12 ? 0 : one - other;
}

/** Four digits as Python writes them: halves, which only multiples of 1/32 can be, go to the even digit. */
function digits(value) {
  const magnitude = Math.abs(value);
  let text = magnitude.toFixed(4);
  const halves = magnitude * 32;
  if (Number.isInteger(halves) && halves % 2 && Number(text.at(-1)) % 2) text = (Number(text) - 0.0001).toFixed(4);
  return value < 0 && Number(text) ? `−${text}` : text;
}

function units(value) {
  return Math.round(Number(digits(value).replace("−", "-")) * UNIT);
}

function shownUnits(value) {
  return value === NO_VALUE ? "–" : (value / UNIT).toFixed(4);
}

function signed(value) {
  const text = digits(value);
  return Number(text) > 0 ? `+${text}` : text;
}

/** The data of two systems, and whether they stand there the other way round. */
function pairData(first, second) {
  const [low, high] = first < second ? [first, second] : [second, first];
  const before = low * systems.length - (low * (low + 1)) / 2;
  return {found: data.pairs[before + high - low - 1], turned: first > second};
}
