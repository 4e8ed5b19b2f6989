// Small manners that every page needs: dialogs that open and close, menus of results walked by arrow keys,
// and the answer to an action announced. Nothing here decides anything: the server does.
(() => {
  "use strict";
  // On a phone the menu is wider than the screen: the page that is open stands in sight.
  const here = document.querySelector(".menu [aria-current]");
  if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - (here.parentElement.clientWidth - here.offsetWidth) / 2;

  const typing = (element) => element?.matches?.("input, textarea, select, [contenteditable]");

  document.addEventListener("htmx:after:swap", () => {
    const dialog = document.querySelector("dialog[data-open]:not([open])");
    if (dialog) {
      dialog.showModal();
      dialog.querySelector("[autofocus]")?.focus();
    }
  });

  // Forms that the stream brings get the key of this page, so that a double tap is one deed.
  const once = document.querySelector("[data-page-key]")?.dataset.pageKey;
  document.addEventListener("htmx:after:swap", () => {
    if (!once) return;
    for (const input of document.querySelectorAll("input[data-once]")) input.value ||= `${once}-${input.dataset.once}`;
  });

  document.addEventListener("click", (event) => {
    const closer = event.target.closest("[data-close]");
    if (!closer) return;
    const dialog = closer.closest("dialog");
    if (dialog) {
      event.preventDefault();
      dialog.close();
    } else if (closer.dataset.close) {
      event.preventDefault();
      document.querySelector(closer.dataset.close)?.replaceChildren();
    }
  });
  // The server says that a deed is done (HX-Trigger: done): the dialog that asked for it goes.
  document.addEventListener("done", () => document.querySelector("dialog[open]")?.close());
  document.addEventListener("close", (event) => event.target.closest("[data-shell]")?.replaceChildren(), true);

  // "/" goes to the search, arrows walk through what was found, Enter in the search takes the first.
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !typing(event.target)) {
      const search = document.querySelector("[data-search]");
      if (search) {
        event.preventDefault();
        search.focus();
        search.select();
      }
      return;
    }
    // F on a machine keeps its scores as they stand: in its tile or row, whatever has the focus there.
    if (event.key.toLowerCase() === "f" && !typing(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat) {
      const freeze = event.target.closest?.(".tile, tr")?.querySelector("[data-freeze]");
      if (freeze) {
        event.preventDefault();
        freeze.click();
        return;
      }
    }
    const list = event.target.closest?.("[data-pick]");
    if (!list) return;
    const choices = [...list.querySelectorAll("[data-choice]")];
    if (event.key === "Enter" && event.target.matches("input[type=search]")) {
      event.preventDefault();
      if (!event.repeat && choices.length && list.dataset.fresh === event.target.value) choices[0].click();
      else list.dataset.enter = "1";
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const stops = [list.querySelector("input[type=search]"), ...choices];
    const here = stops.indexOf(document.activeElement);
    stops[Math.min(stops.length - 1, Math.max(0, here + (event.key === "ArrowDown" ? 1 : -1)))]?.focus();
  });

  // Results belong to the text that asked for them: Enter pressed before they came waits for them.
  document.addEventListener("htmx:after:swap", () => {
    for (const list of document.querySelectorAll("[data-pick]")) {
      const answer = list.querySelector("[data-for]");
      if (!answer) continue;
      list.dataset.fresh = answer.dataset.for;
      const search = list.querySelector("input[type=search]");
      if (list.dataset.enter && search && search.value === list.dataset.fresh) {
        delete list.dataset.enter;
        list.querySelector("[data-choice]")?.click();
      }
    }
  });
})();
