// The calibration page: shows what the server says, sends what people do. All texts go in as text, never as markup.
"use strict";

const $ = (id) => document.getElementById(id);
let state = null;
let drag = null;
let sending = null;
let waiting = null;

// Looking must answer soon, or a picture that stands still is taken for the truth; buttons may work for a while.
const PATIENCE_MS = { look: 6000, button: 60000 };

async function ask(address, body) {
  const answer = await fetch(address, body === undefined ? { signal: AbortSignal.timeout(PATIENCE_MS.look) } : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE_MS.button),
  }).catch(() => { throw new Error("no answer from the agent's computer: does inlane-agent calibrate still run there?"); });
  if (answer.status === 401) { show(false); throw new Error("the PIN is needed"); }
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error || answer.statusText);
  return told;
}

function show(inside) {
  $("gate").hidden = inside;
  $("work").hidden = !inside;
  if (!inside && document.activeElement === document.body) $("pin").focus();
}

let toastTimer = 0;
function say(text) {
  $("toast").textContent = text;
  $("toast").hidden = !text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { $("toast").hidden = true; }, 6000);
}

async function press(address, body = {}) {
  try { take(await ask(address, body)); } catch (error) { say(error.message); }
}

// Edits while something is dragged: one on its way at a time, the newest waits.
async function edit(change) {
  if (sending) { waiting = { ...waiting, ...change }; return; }
  sending = change;
  try {
    const told = await ask("edit", change);
    if (!drag && !waiting) take(told);
  } catch (error) { if (!change.hold) say(error.message); } finally { sending = null; }
  if (waiting) { const next = waiting; waiting = null; edit(next); }
}

async function follow() {
  for (;;) {
    try {
      const told = await ask("state");
      show(true);
      take(told);
    } catch (error) {
      if (!$("work").hidden) {
        $("trouble").textContent = error.message[0].toUpperCase() + error.message.slice(1);
        $("trouble").hidden = false;
        $("now").classList.add("stale");
      }
    }
    await new Promise((done) => setTimeout(done, $("work").hidden ? 1500 : 300));
  }
}

async function look() {
  let number = 0;
  for (;;) {
    try {
      if ($("work").hidden || document.hidden) throw new Error();
      const answer = await fetch(`picture?after=${number}`, { signal: AbortSignal.timeout(PATIENCE_MS.look) });
      if (answer.status !== 200) throw new Error();
      number = Number(answer.headers.get("X-Number"));
      const url = URL.createObjectURL(await answer.blob());
      const before = $("picture").src;
      $("picture").src = url;
      await $("picture").decode().catch(() => {});
      if (before.startsWith("blob:")) URL.revokeObjectURL(before);
      if (drag) magnifyDrag();
      await new Promise((done) => setTimeout(done, 60));
    } catch { await new Promise((done) => setTimeout(done, 400)); }
  }
}

// --- what is shown

function take(told) {
  state = told;
  $("machine").textContent = told.machine;
  $("undo").disabled = !told.undo;
  $("save").disabled = told.saved;
  $("save").textContent = told.saved ? "Saved" : "Save";
  if (told.said && told.said !== take.said) say(told.said);
  take.said = told.said;
  const dots = told.kind === "dmd";
  $("find").hidden = !dots && told.kind !== "segments";
  $("fit").hidden = !dots;
  $("fit").disabled = $("drop").disabled = !told.draft.corners;
  $("trouble").hidden = !told.trouble;
  $("trouble").textContent = told.trouble;
  showReading(told);
  showMachine(told);
  showCamera(told);
  if (!drag) paint();
}

function lines(list, texts, kind = "") {
  list.replaceChildren(...texts.map((text) => { const item = document.createElement("li"); item.textContent = text; item.className = kind; return item; }));
}

function grouped(score) {
  let text = "";
  [...score.text].forEach((sign, i, all) => {
    if (i && /^[\d?]+$/.test(score.text) && (all.length - i) % 3 === 0) text += "\u2009";
    text += sign;
  });
  return text;
}

function showReading(told) {
  const { reading, problem, hints, sits } = told.look;
  const first = reading && reading.scores[0];
  $("read").replaceChildren(...(first ? [...grouped(first)].map((sign) => {
    const span = document.createElement("span");
    span.textContent = sign;
    if (sign === "?") span.className = "unseen";
    return span;
  }) : ["–"]));
  $("now").classList.toggle("stale", Boolean(told.trouble));
  $("read").classList.toggle("stale", !told.fresh);
  $("read").setAttribute("data-text", first ? first.text : "");
  const verdict = problem || (reading ? (reading.accepted ? "Accepted: it may count by itself" : `Held: ${reading.why || "no number"}`) : "Nothing is read yet");
  $("verdict").textContent = verdict + (first && first.state === "rolling" ? " (rolling)" : "");
  $("verdict").className = `verdict ${problem || (reading && reading.quality) ? "ill" : reading && reading.accepted ? "good" : ""}`;
  const more = reading ? reading.scores.slice(1).map((score) => `Player ${score.player ?? "?"}: ${grouped(score)}`) : [];
  if (first && first.player) more.unshift(`This is player ${first.player}`);
  if (first && first.candidates.length) more.push(`May also be: ${first.candidates.join(", ")}`);
  if (reading && reading.words.length) more.push(reading.words.join(" · "));
  lines($("others"), more);
  $("sure").textContent = first ? `${(first.confidence * 100).toFixed(1)} %` : "–";
  $("sure-bar").value = first ? first.confidence : 0;
  $("sits-row").hidden = told.kind !== "dmd";
  $("sits").textContent = sits ? `${sits.misfit >= 0.25 ? "loose" : sits.quality >= 0.6 ? "good" : sits.quality >= 0.35 ? "fair" : "weak"} (${sits.quality.toFixed(2)}), ${sits.misfit.toFixed(2)} dots off`
    : told.draft.corners ? "no dots within the corners" : "set the corners";
  lines($("hints"), hints.map((hint) => hint.text));
}

function fill(input, value) {
  if (document.activeElement !== input) input.value = value ?? "";
}

function showMachine(told) {
  const base = $("base");
  if (base.options.length !== told.profiles.length) {
    base.replaceChildren(...told.profiles.map((profile) => new Option(profile.name, profile.id)));
  }
  fill(base, told.draft.base);
  fill($("digits"), told.draft.digits);
  $("digits").placeholder = told.shown.digits ?? "any";
  fill($("players"), told.draft.players);
  $("players").placeholder = told.shown.players;
  $("add").disabled = !told.draft.corners || told.kind === "lights" || places().length >= 24;
  $("places-note").textContent = told.kind === "lights" ? "Lamps are described in the machine's profile."
    : !told.draft.corners ? "Set the display's corners first; places are drawn within them."
    : places().length ? "" : "None: the score is looked for by its size and place. Add places where scores always stand.";
  if (!drag && !$("places").contains(document.activeElement)) listPlaces();
}

function listPlaces() {
  $("places").replaceChildren(...places().map((place, i) => {
    const item = document.createElement("li"), who = document.createElement("select"), digits = document.createElement("input"), remove = document.createElement("button");
    const kinds = [["score:", "Whoever is up"], ...Array.from({ length: 8 }, (_, n) => [`score:${n + 1}`, `Player ${n + 1}`]),
      ["ball:", "Ball"], ["credits:", "Credits"], ["match:", "Match"], ["timer:", "Timer"]];
    who.append(...kinds.map(([value, text]) => new Option(text, value)));
    who.value = `${place.shows}:${place.player ?? ""}`;
    who.setAttribute("aria-label", `What place ${i + 1} shows`);
    who.onchange = () => {
      const [shows, player] = who.value.split(":");
      change(i, { shows, player: player ? Number(player) : null });
    };
    digits.type = "number"; digits.min = 1; digits.max = 24; digits.placeholder = "digits"; digits.value = place.digits ?? "";
    digits.setAttribute("aria-label", `Digits of place ${i + 1}`);
    digits.onchange = () => change(i, { digits: digits.value ? Number(digits.value) : null });
    remove.type = "button"; remove.textContent = "×"; remove.className = "quiet"; remove.title = "Remove";
    remove.setAttribute("aria-label", `Remove place ${i + 1}`);
    remove.onclick = () => twice("remove") || edit({ windows: places().filter((_, n) => n !== i) }).then(listPlaces);
    item.append(who, digits, remove);
    return item;
  }));
}

function places() {
  return state ? state.draft.windows ?? state.shown.windows : [];
}

function change(i, what) {
  const windows = places().map((place, n) => n === i ? { ...place, ...what } : place);
  state.draft.windows = windows;
  paint();
  return edit({ windows });
}

function showCamera(told) {
  const { settable, now, frozen, least_exposure_ms: least } = told.camera;
  $("camera").hidden = !settable;
  for (const input of document.querySelectorAll("[data-camera]")) {
    const name = input.dataset.camera, fixed = told.draft.camera[name];
    fill(input, Array.isArray(fixed) ? fixed.join(",") : fixed);
    input.placeholder = now && now[name] !== undefined ? `automatic (${[].concat(now[name]).map((part) => Number(part.toFixed(2))).join(",")})` : "automatic";
  }
  $("loosen").disabled = !frozen;
  $("freeze").disabled = !now;
  $("camera-note").textContent = frozen ? "Fixed: what is empty stays automatic."
    : `Automatic. Freeze it once the picture is good; two refresh periods of the display are ${least} ms.`;
  lines($("camera-said"), told.notes);
}

// --- over the picture

let painted = "";
function paint() {
  const over = $("over"), size = state && state.size;
  if (!size) return;
  const looks = JSON.stringify([size, state.draft.corners, state.dots, places(), $("stage").clientWidth]);
  if (looks === painted) return; // what stands still keeps its focus
  painted = looks;
  const focus = document.activeElement && over.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  over.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const scale = size[0] / Math.max(1, $("stage").clientWidth), corners = state.draft.corners ?? starting(size), parts = [];
  if (state.draft.corners) {
    const view = square(corners);
    places().forEach((place, i) => {
      const points = outline(view, place), area = draw("polygon", { class: "place", points: path(points), tabindex: "0", role: "button", "aria-label": `place ${i + 1}` });
      hold(area, { kind: "place", i });
      const grip = handle("size", `size of place ${i + 1}`, points[2], scale * 0.8);
      hold(grip, { kind: "size", i });
      const name = place.player ? `P${place.player}` : place.shows === "score" ? "score" : place.shows;
      parts.push(area, draw("text", { class: "name", x: points[0][0] + 4 * scale, y: points[0][1] + 15 * scale, "font-size": 13 * scale }, name), grip);
    });
  }
  parts.push(draw("polygon", { class: "frame", points: path(corners), "stroke-dasharray": state.draft.corners ? "none" : "8 6" }));
  corners.forEach((corner, i) => {
    const grip = handle("corner", `${CORNERS[i]} corner`, corner, scale);
    hold(grip, { kind: "corner", i });
    parts.push(grip);
  });
  const middle = handle("all", "whole display", square(corners).out(0.5, 0.5), scale * 0.9);
  hold(middle, { kind: "all" });
  parts.push(middle);
  over.replaceChildren(...parts);
  if (focus) [...over.querySelectorAll("[tabindex]")].find((part) => part.getAttribute("aria-label") === focus)?.focus();
}

function starting([wide, high]) {
  const [columns, rows] = state.dots ?? [4, 1], x = wide * 0.8, y = Math.min(high * 0.8, x * rows / columns);
  const [left, top] = [(wide - x) / 2, (high - y) / 2];
  return [[left, top], [left + x, top], [left + x, top + y], [left, top + y]];
}

function hold(element, what) {
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    element.focus({ preventScroll: true });
    begin(what, spot(event));
    $("stage").setPointerCapture(event.pointerId);
  });
  element.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const from = begin(what, [0, 0]), view = square(from.corners), dots = state.dots;
    let far = event.shiftKey ? 10 : event.altKey ? 0.2 : 1, [dx, dy] = [step[0] * far, step[1] * far];
    if (what.kind === "all" && dots && !event.altKey) { // whole dots, along the display
      const [a, b] = view.out(0.5, 0.5), [c, d] = view.out(0.5 + dx / dots[0], 0.5 + dy / dots[1]);
      [dx, dy] = [c - a, d - b];
    }
    move([dx, dy]);
    finish();
  });
}

function spot(event) {
  const box = $("stage").getBoundingClientRect();
  return [(event.clientX - box.left) / box.width * state.size[0], (event.clientY - box.top) / box.height * state.size[1]];
}

function begin(what, at) {
  drag = { ...what, at, corners: (state.draft.corners ?? starting(state.size)).map((point) => [...point]), places: places().map((place) => ({ ...place })), moved: false };
  return drag;
}

function move(by) {
  const { kind, i, corners } = drag, [wide, high] = state.size;
  drag.moved = true;
  if (kind === "corner") {
    state.draft.corners = corners.map((point, n) => n === i ? [between(point[0] + by[0], 0, wide), between(point[1] + by[1], 0, high)] : point);
    drag.point = state.draft.corners[i];
  } else if (kind === "all") {
    state.draft.corners = corners.map(([x, y]) => [between(x + by[0], 0, wide), between(y + by[1], 0, high)]);
  } else {
    const view = square(corners), [u0, v0] = view.back(...drag.at), [u1, v1] = view.back(drag.at[0] + by[0], drag.at[1] + by[1]);
    const from = drag.places[i], place = { ...from };
    if (kind === "place") {
      const du = between(u1 - u0, -from.left, 1 - from.right), dv = between(v1 - v0, -from.top, 1 - from.bottom);
      Object.assign(place, { left: from.left + du, right: from.right + du, top: from.top + dv, bottom: from.bottom + dv });
    } else {
      place.right = between(from.right + u1 - u0, from.left + 0.02, 1);
      place.bottom = between(from.bottom + v1 - v0, from.top + 0.02, 1);
    }
    for (const side of ["left", "top", "right", "bottom"]) place[side] = between(Math.round(place[side] * 1e4) / 1e4, 0, 1);
    state.draft.windows = drag.places.map((other, n) => n === i ? place : other);
  }
}

function send(more) {
  const rounded = (state.draft.corners ?? []).map((point) => point.map((part) => Math.round(part * 100) / 100));
  edit(drag.kind === "corner" || drag.kind === "all" ? { corners: rounded, hold: more } : { windows: state.draft.windows, hold: more });
}

function magnifyDrag() {
  if (drag && drag.point) magnify($("loupe"), $("picture"), drag.point, state.size, $("stage"));
}

function finish() {
  $("loupe").hidden = true;
  if (drag && drag.moved) send(false);
  drag = null;
  paint();
}

let lastSent = 0;
$("stage").addEventListener("pointermove", (event) => {
  if (!drag || !(event.buttons || event.pointerType === "touch")) return;
  const at = spot(event);
  move([at[0] - drag.at[0], at[1] - drag.at[1]]);
  paint();
  magnifyDrag();
  if (performance.now() - lastSent > 200) { lastSent = performance.now(); send(true); }
});
for (const over of ["pointerup", "pointercancel"]) $("stage").addEventListener(over, () => { if (drag) finish(); });

// --- buttons and fields

// A finger that taps twice means it once: the second tap would hit the next thing under it.
const tapped = {};
function twice(what) {
  const again = performance.now() - tapped[what] < 500;
  if (!again) tapped[what] = performance.now();
  return again;
}

for (const name of ["undo", "find", "fit", "freeze", "loosen", "save"]) {
  $(name).addEventListener("click", async () => {
    $(name).setAttribute("aria-busy", "true");
    await press(name);
    $(name).removeAttribute("aria-busy");
    listPlaces();
  });
}
$("drop").addEventListener("click", () => edit({ clear: ["corners"] }));
$("base").addEventListener("change", () => edit({ base: $("base").value }).then(listPlaces));
for (const name of ["digits", "players"]) {
  $(name).addEventListener("change", () => edit($(name).value ? { [name]: Number($(name).value) } : { clear: [name] }));
}
// Where a number is read that no place holds yet; else a free corner.
function proposed() {
  const reading = state.look.reading, held = places();
  const free = (reading ? reading.scores : []).find(({ place }) => place && !held.some((one) =>
    place[0] < one.right && place[2] > one.left && place[1] < one.bottom && place[3] > one.top));
  if (!free) return {};
  const [left, top, right, bottom] = free.place, x = (bottom - top) * 0.15, y = (bottom - top) * 0.25;
  return { left: between(left - x, 0, 0.98), top: between(top - y, 0, 0.98), right: between(right + x, 0.02, 1), bottom: between(bottom + y, 0.02, 1) };
}

$("add").addEventListener("click", () => {
  if (twice("add")) return;
  const shown = places(), only = shown[0]; // one place as large as the display gives way to the first of several
  const whole = state.kind !== "dmd" && shown.length === 1 && only.shows === "score" && !only.player && only.left + only.top === 0 && only.right + only.bottom === 2;
  const kept = whole ? [] : shown, n = kept.length, next = { shows: "score", player: n || whole ? Math.min(8, n + 1) : null, left: 0.05 + 0.45 * (n % 2), right: 0.45 + 0.45 * (n % 2),
    top: 0.1 + 0.4 * (Math.floor(n / 2) % 2), bottom: 0.45 + 0.4 * (Math.floor(n / 2) % 2), digits: null, ...proposed() };
  edit({ windows: [...kept, next] }).then(listPlaces);
});
for (const input of document.querySelectorAll("[data-camera]")) {
  input.addEventListener("change", () => {
    const parts = input.value.split(",").map((part) => part.trim()).filter(Boolean).map(Number), camera = { ...state.draft.camera };
    if (parts.some(Number.isNaN)) { say("a number is needed"); return; }
    if (parts.length) camera[input.dataset.camera] = parts.length > 1 ? parts : parts[0];
    else delete camera[input.dataset.camera];
    edit({ camera });
  });
}
$("gate").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await ask("enter", { pin: $("pin").value });
    $("gate-said").textContent = "";
    $("pin").value = "";
    show(true);
    take(await ask("state"));
  } catch (error) { $("gate-said").textContent = error.message; }
});
addEventListener("resize", () => { if (state && !drag) paint(); });
follow();
look();
