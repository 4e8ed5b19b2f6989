// Typing scores by hand: digits group themselves in threes while they are typed, a form is sent once, and a photo is made
// small enough for the venue's network (and loses where it was taken) before it is sent.
(() => {
  "use strict";
  const GAP = "\u202f";
  const WIDEST = 1600;
  const digitsOf = (text) => text.replace(/[^0-9]/g, "");
  const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, GAP);

  const write = (field) => {
    const before = digitsOf(field.value.slice(0, field.selectionStart ?? field.value.length)).length;
    const digits = digitsOf(field.value);
    field.value = grouped(digits);
    field.classList.toggle("long", digits.length > 12);
    if (document.activeElement !== field) return;
    let at = 0;
    for (let seen = 0; at < field.value.length && seen < before; at += 1) if (field.value[at] !== GAP) seen += 1;
    field.setSelectionRange(at, at);
  };
  for (const field of document.querySelectorAll("[data-digits]")) write(field);
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-digits]") && !/[^0-9\s,.'’]/.test(event.target.value)) write(event.target);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-once]");
    if (!form) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
  // Back brings the page as it was: then it may be sent again, and the server knows it is the same.
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-once]")) delete form.dataset.sent;
  });

  document.addEventListener("change", async (event) => {
    const field = event.target;
    const file = field.matches("[data-shrink]") ? field.files?.[0] : null;
    if (!file) return;
    if (field.form) field.form.dataset.sent = "1"; // not before it is small
    try {
      const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
      const scale = Math.min(1, WIDEST / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(picture.width * scale));
      canvas.height = Math.max(1, Math.round(picture.height * scale));
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      const small = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
      if (!small) return;
      const files = new DataTransfer();
      files.items.add(new File([small], "photo.jpg", { type: "image/jpeg" }));
      field.files = files.files;
    } catch {
      // It goes as it is; the server says if it cannot take it.
    } finally {
      if (field.form) delete field.form.dataset.sent;
    }
  });
})();
