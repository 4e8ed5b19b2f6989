// Geometry and drawing over the picture: corners, score places, the magnifier. No talk with the server here.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const CORNERS = ["top left", "top right", "bottom right", "bottom left"];

function draw(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The map from the display's own square (0,0 to 1,1) to the picture, by its corners (Heckbert's closed form).
function square(corners) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const dx1 = x1 - x2, dx2 = x3 - x2, dy1 = y1 - y2, dy2 = y3 - y2, sx = x0 - x1 + x2 - x3, sy = y0 - y1 + y2 - y3;
  const bottom = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (sx * dy2 - dx2 * sy) / bottom, h = (dx1 * sy - sx * dy1) / bottom;
  const a = x1 - x0 + g * x1, b = x3 - x0 + h * x3, d = y1 - y0 + g * y1, e = y3 - y0 + h * y3;
  return {
    out(u, v) { const w = g * u + h * v + 1; return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w]; },
    back(x, y) {
      const p = a - g * x, q = b - h * x, r = d - g * y, s = e - h * y, t = x - x0, k = y - y0, whole = p * s - q * r || 1e-9;
      return [(t * s - q * k) / whole, (p * k - t * r) / whole];
    },
  };
}

function path(points) {
  return points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
}

function outline(view, place) {
  return [[place.left, place.top], [place.right, place.top], [place.right, place.bottom], [place.left, place.bottom]].map(([u, v]) => view.out(u, v));
}

function handle(kind, label, [x, y], scale) {
  return draw("g", { class: `handle ${kind}`, tabindex: "0", role: "button", "aria-label": label, transform: `translate(${x} ${y})` },
    draw("circle", { class: "grip", r: 24 * scale }), draw("circle", { class: "ring", r: 10 * scale }), draw("circle", { class: "dot", r: 1.5 * scale }));
}

// A part of the picture, six times as large, above the finger; its middle is the point itself.
function magnify(canvas, picture, [x, y], size, stage) {
  const side = canvas.width, wide = picture.naturalWidth / size[0], zoom = 6;
  const reach = side / zoom / 2 * wide, pen = canvas.getContext("2d");
  pen.fillStyle = "#05080a";
  pen.fillRect(0, 0, side, side);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(picture, x * wide - reach, y * wide - reach, 2 * reach, 2 * reach, 0, 0, side, side);
  pen.strokeStyle = "#ffb454";
  pen.beginPath();
  pen.moveTo(side / 2, side / 2 - 14); pen.lineTo(side / 2, side / 2 + 14);
  pen.moveTo(side / 2 - 14, side / 2); pen.lineTo(side / 2 + 14, side / 2);
  pen.stroke();
  const at = [x / size[0] * stage.clientWidth, y / size[1] * stage.clientHeight];
  const above = at[1] > side + 40 ? at[1] - side - 30 : at[1] + 40;
  canvas.style.left = `${Math.min(Math.max(at[0] - side / 2, 0), Math.max(0, stage.clientWidth - side))}px`;
  canvas.style.top = `${Math.min(above, Math.max(0, stage.clientHeight - side))}px`;
  canvas.hidden = false;
}

function between(value, least, most) {
  return Math.min(most, Math.max(least, value));
}
