// The strip of pictures before a malfunction: arrow keys and buttons step through it, a finger swipes it by itself.
// It opens at the last picture. A picture that has not come yet is asked for again.
(() => {
  "use strict";
  const AGAIN = 3000;
  const MOST = 40;
  const step = (strip, by) => {
    const wide = strip.clientWidth || 1;
    const at = Math.round(strip.scrollLeft / wide);
    const last = strip.children.length - 1;
    strip.scrollTo({ left: Math.min(last, Math.max(0, at + by)) * wide, behavior: "instant" });
  };
  const open = (strip) => {
    let at = strip.children.length - 1;
    const place = () => {
      strip.scrollLeft = at * strip.clientWidth;
    };
    place();
    strip.addEventListener("scroll", () => {
      if (wide === strip.clientWidth) at = Math.round(strip.scrollLeft / (strip.clientWidth || 1));
    });
    // A phone that is turned goes on showing the same picture.
    let wide = strip.clientWidth;
    new ResizeObserver(() => {
      if (wide === strip.clientWidth) return;
      wide = strip.clientWidth;
      place();
    }).observe(strip);
  };
  // A strip may come while the page is looked at.
  const opened = new WeakSet();
  const look = () => {
    for (const strip of document.querySelectorAll("[data-strip]")) {
      if (opened.has(strip)) continue;
      opened.add(strip);
      open(strip);
    }
  };
  look();
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    if (event.target.matches?.("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
    const strip = event.target.closest?.("[data-strip]") ?? document.querySelector("[data-strip]");
    if (!strip) return;
    event.preventDefault();
    step(strip, event.key === "ArrowLeft" ? -1 : 1);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    const strip = button?.closest(".kept")?.querySelector("[data-strip]");
    if (strip) step(strip, Number(button.dataset.step));
  });
  document.addEventListener(
    "error",
    (event) => {
      const picture = event.target;
      if (!picture.matches?.("img[data-late]")) return;
      const tried = Number(picture.dataset.tried || 0) + 1;
      if (tried > MOST) return;
      picture.dataset.tried = String(tried);
      const address = picture.src.split("#")[0];
      setTimeout(() => {
        picture.src = "";
        picture.src = address;
      }, AGAIN);
    },
    true,
  );
})();
