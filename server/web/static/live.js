// How fresh is what you see? The stream sends a "beat" every few seconds, with the venue's time as data.
// Silence longer than PATIENCE marks the page stale, in words, and the stream is opened anew until it answers.
(() => {
  "use strict";
  const PATIENCE = 9000;
  const root = document.documentElement;
  const host = document.querySelector("[hx-sse\\:connect]");
  const words = document.querySelector(".fresh");
  if (!host || !words) return;

  let heard = performance.now();
  let last = words.dataset.at || "";
  let line = null;

  const show = (state) => {
    if (state === root.dataset.live) return;
    root.dataset.live = state;
    words.textContent = {
      on: "Live",
      wait: "Connecting…",
      off: `Stale since ${last}`,
      out: "Logged out – log in again",
    }[state];
  };
  const alive = () => {
    heard = performance.now();
    show("on");
  };

  show("wait");
  host.addEventListener("beat", (event) => {
    last = event.detail.data;
    alive();
  });
  host.addEventListener("htmx:sse:after:connection", (event) => {
    line = event.detail.connection;
    if (line.status === 200) alive();
  });
  host.addEventListener("htmx:sse:after:message", alive);
  host.addEventListener("htmx:sse:error", (event) => show(event.detail.status === 401 ? "out" : "off"));
  host.addEventListener("htmx:response:error", (event) => {
    if (event.target === host) show(event.detail.ctx.response.status === 401 ? "out" : "off");
  });

  const again = () => setTimeout(() => htmx.trigger(host, "again"), 2000);
  host.addEventListener("htmx:sse:close", again);
  host.addEventListener("htmx:finally:request", (event) => {
    if (event.target === host && !host._htmx?.sse) again();
  });
  host.addEventListener("htmx:error", (event) => {
    if (event.target === host) show("off");
  });

  setInterval(() => {
    if (document.hidden || root.dataset.live === "out") return;
    if (performance.now() - heard < PATIENCE) return;
    show("off");
    heard = performance.now() - PATIENCE / 2; // ask again in half the patience
    if (host._htmx?.sse) line?.reader?.cancel().catch(() => {});
    else htmx.trigger(host, "again");
  }, 1000);
  window.addEventListener("offline", () => show("off"));
})();
