// The official's keys on /review: Enter confirms, digits type, letters choose, Esc rejects (asking first), S skips, U undoes.
// A reading cannot be confirmed before its picture was on the screen for a moment: a second Enter never hits the next one.
(() => {
  "use strict";
  const PAUSE = 350;
  const place = document.getElementById("reading");
  if (!place) return;

  const part = (selector) => place.querySelector(selector);
  let since = performance.now();

  const pictureShown = () => {
    const picture = part("img[data-picture]");
    return !picture || picture.complete;
  };
  const ready = () => performance.now() - since > PAUSE && pictureShown();

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
    refresh();
  };
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx?.target === place || event.target === place) arrived();
    else refresh();
    follow();
  });

  // Another official was faster: the queue that came by the stream no longer holds what is on the screen.
  const follow = () => {
    const queue = document.getElementById("queue");
    const form = part("[data-reading]");
    if (!queue || place.matches(".htmx-request")) return;
    const waiting = queue.dataset.waiting.split(" ").filter(Boolean);
    const gone = form && !form.dataset.decided && !waiting.includes(form.dataset.reading);
    const idle = !form && waiting.length > 0;
    if (gone && !part("form.htmx-request")) htmx.ajax("GET", `/review/reading/${form.dataset.reading}`, { target: "#reading" });
    if (idle) htmx.ajax("GET", "/review/next", { target: "#reading" });
  };

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
    const key = event.key;

    if (key === "Escape") {
      event.preventDefault();
      if (rejecting) part("#reject").open = false;
      else if (typed?.value) {
        typed.value = "";
        choose(0);
        typed.blur();
        refresh();
      } else if (part("#reject")) {
        part("#reject").open = true;
        part("#reject [autofocus]")?.focus();
      }
      return;
    }
    if (key === "Enter") {
      if (event.repeat) event.preventDefault();
      else if (!event.target.matches("button, a, summary, select, textarea") && !(inField && event.target !== typed)) {
        event.preventDefault();
        const button = part("[data-confirm]") || part("[data-next]");
        if (button && !button.disabled && ready()) button.click();
      }
      return;
    }
    if (rejecting || (inField && event.target !== typed)) return;
    if (event.altKey && /^Digit[1-9]$/.test(event.code)) {
      event.preventDefault();
      choose(Number(event.code.slice(5)) - 1);
      return;
    }
    if (event.altKey) return;
    if (typed && (/^\d$/.test(key) || key === "Backspace") && event.target !== typed) typed.focus();
    else if (/^[a-f]$/i.test(key) && typed) {
      event.preventDefault();
      choose(key.toLowerCase().charCodeAt(0) - 97);
    } else if (/^[s]$/i.test(key) || key === "ArrowRight") {
      if (event.target !== typed) part("[data-skip]")?.click();
    } else if (/^u$/i.test(key)) {
      event.preventDefault();
      document.querySelector("[data-undo]")?.click();
    }
  });
  arrived();
})();
