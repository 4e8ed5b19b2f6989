// The official's keys on /review: Enter confirms, digits type, letters choose, Esc rejects (asking first), S skips, U undoes.
// A reading cannot be confirmed before its picture was on the screen for a moment: a second Enter never hits the next one.
(() => {
  "use strict";
  const PAUSE = 350;
  const place = document.getElementById("reading");
  if (!place) return;

  const part = (selector) => place.querySelector(selector);
  let since = performance.now();
  let wrote = -Infinity; // when a reason was last typed at
  document.addEventListener("input", (event) => {
    if (event.target.matches("#reject *")) wrote = performance.now();
  });
  let seen = ""; // the key of the form that has been on the screen since then

  const key = () => part("input[name=key]")?.value ?? "";

  // U takes back one's own last decision, nobody else's; and no letter counts while the page has just changed under
  // somebody who was typing a reason.
  const CHANGED = 1000;
  const undoMine = () => {
    const me = document.querySelector("[data-person]")?.dataset.person;
    const mine = [...document.querySelectorAll("[data-undo]")].find((button) => button.dataset.undo === me);
    mine?.click();
  };

  const pictureShown = () => {
    const picture = part("img[data-picture]");
    return !picture || picture.complete;
  };
  const ready = () => key() === seen && performance.now() - since > PAUSE && pictureShown();

  const value = () => {
    const typed = part("#typed")?.value.replace(/[\s,.'’]/g, "") ?? "";
    return typed || part("input[name=choice]:checked")?.value || "";
  };
  const group = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const refresh = () => {
    const button = part("[data-confirm]");
    if (!button) return;
    const chosen = value();
    button.disabled = !/^\d+$/.test(chosen);
    part("[data-value]").textContent = /^\d+$/.test(chosen) ? group(chosen) : "";
  };

  const arrived = () => {
    since = performance.now();
    seen = key();
    refresh();
  };
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx?.target === place || event.target === place) arrived();
    else refresh();
    follow();
  });

  // Another official was faster: the queue that came by the stream no longer holds what is on the screen.
  // Asked once for each state of the queue, so that a queue older than the reading never asks in circles.
  let asked = "";
  const ask = (queue, url) => {
    const mark = `${url} ${queue.dataset.waiting}`;
    if (mark === asked) return;
    asked = mark;
    htmx.ajax("GET", url, { target: "#reading" });
  };
  const follow = () => {
    const queue = document.getElementById("queue");
    const form = part("[data-reading]");
    if (!queue || part("form.htmx-request")) return;
    const waiting = queue.dataset.waiting.split(" ").filter(Boolean);
    if (!form && waiting.length) ask(queue, "/review/next");
    if (form && !form.dataset.decided && !waiting.includes(form.dataset.reading)) {
      ask(queue, `/review/reading/${encodeURIComponent(form.dataset.reading)}`);
    }
  };

  // A picture may come later than its reading: say so, and look again.
  const missing = (picture) => {
    const late = part(".late");
    picture.hidden = true;
    if (late) late.hidden = false;
    setTimeout(() => {
      if (picture.isConnected) picture.src = picture.src.replace(/(\?.*)?$/, `?${Date.now()}`);
    }, 3000);
  };
  place.addEventListener("error", (event) => {
    if (event.target.matches?.("img[data-picture]")) missing(event.target);
  }, true);
  place.addEventListener("load", (event) => {
    if (!event.target.matches?.("img[data-picture]")) return;
    event.target.hidden = false;
    const late = part(".late");
    if (late) late.hidden = true;
  }, true);

  place.addEventListener("input", (event) => {
    if (event.target.id === "typed") for (const choice of place.querySelectorAll("input[name=choice]")) choice.checked = false;
    else if (event.target.name === "choice") part("#typed").value = "";
    part("[name=sure]")?.remove();
    refresh();
  });
  place.addEventListener("submit", (event) => {
    if (!ready()) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);

  const choose = (index) => {
    const choice = place.querySelectorAll("input[name=choice]")[index];
    if (!choice) return;
    choice.checked = true;
    choice.dispatchEvent(new Event("input", { bubbles: true }));
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const rejecting = part("#reject")?.open;
    const typed = part("#typed");
    const inField = event.target.matches("input:not([type=radio]), textarea, select");
    const pressed = event.key;

    if (pressed === "Escape") {
      event.preventDefault();
      if (rejecting) part("#reject").open = false;
      else if (typed?.value) {
        typed.value = "";
        for (const choice of place.querySelectorAll("input[name=choice]")) choice.checked = choice.defaultChecked;
        typed.blur();
        refresh();
      } else if (part("#reject")) {
        part("#reject").open = true;
        part("#reject [autofocus]")?.focus();
      }
      return;
    }
    if (pressed === "Enter") {
      if (event.repeat) event.preventDefault();
      else if (!event.target.matches("button, a, summary, select, textarea") && !(inField && event.target !== typed)) {
        event.preventDefault();
        const button = part("[data-confirm]") || part("[data-next]");
        if (button && !button.disabled && ready()) button.click();
      }
      return;
    }
    if (rejecting || (inField && event.target !== typed)) return;
    if (/^[a-z]$/i.test(pressed) && performance.now() - since < CHANGED && performance.now() - wrote < CHANGED * 3) return;
    if (event.altKey && /^Digit[1-9]$/.test(event.code)) {
      event.preventDefault();
      choose(Number(event.code.slice(5)) - 1);
      return;
    }
    if (event.altKey) return;
    if (typed && (/^\d$/.test(pressed) || pressed === "Backspace") && event.target !== typed) typed.focus();
    else if (/^[a-f]$/i.test(pressed) && typed) {
      event.preventDefault();
      choose(pressed.toLowerCase().charCodeAt(0) - 97);
    } else if (/^s$/i.test(pressed) || (pressed === "ArrowRight" && !event.target.matches("input"))) {
      part("[data-skip]")?.click();
    } else if (/^u$/i.test(pressed)) {
      event.preventDefault();
      undoMine();
    }
  });
  const first = part("img[data-picture]");
  if (first?.complete && !first.naturalWidth) missing(first);
  arrived();
})();
