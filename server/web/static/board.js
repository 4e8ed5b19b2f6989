// The projector turns its own pages. Which page is on is kept outside what the stream redraws, so an update never turns one.
(() => {
  "use strict";
  const board = document.getElementById("board");
  if (!board) return;
  const wide = window.matchMedia("(min-width: 64rem)");
  const pause = (Number(board.dataset.seconds) || 12) * 1000;
  let on = 0;

  const show = () => {
    for (const deck of board.querySelectorAll("[data-deck]")) {
      const pages = [...deck.querySelectorAll("[data-page]")];
      const now = pages.length ? on % pages.length : 0;
      pages.forEach((page, index) => page.classList.toggle("off", wide.matches && index !== now));
      const sign = deck.querySelector("[data-sign]");
      if (sign) sign.textContent = wide.matches && pages.length > 1 ? `${now + 1} / ${pages.length}` : "";
    }
  };
  show();
  setInterval(() => {
    on += 1;
    show();
  }, pause);
  document.addEventListener("htmx:after:swap", () => show());
  wide.addEventListener("change", () => show());
})();
