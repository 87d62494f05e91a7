// The look of seats: each has a letter, a colour, a shape and a pattern, so that nobody needs to distinguish colours.

/** The letters of seats, unless the game's protocol defines other ones. */
export const LETTERS = "ABCDEFGH";

/** Read the theme's colours from the style sheets (`viewer.css`, `matches.css`), which alone define light and dark. */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ...Object.fromEntries(["paper", "line", "ink", "rich", "poor", "edge"].map((n) => [n, colour(`viewer-${n}`)])),
    font: style.fontFamily,
    mono: style.getPropertyValue("--mono"),
    seats: [0, 1, 2, 3].map((seat) => ({
      wall: colour(`seat-${seat}`),
      line: colour(`seat-line-${seat}`) || colour(`seat-${seat}`), // a variant with more contrast to the paper
      onWall: colour(`on-seat-${seat}`),
    })),
  };
}

/** Lines of each seat's pattern in the unit square, as [x1, y1, x2, y2], so that areas of seats look different. */
const PATTERNS = [
  [[0, 0.5, 0.5, 0], [0.5, 1, 1, 0.5], [0, 1, 1, 0]],
  [[0, 0.5, 0.5, 1], [0.5, 0, 1, 0.5], [0, 0, 1, 1]],
  [[0, 0.25, 1, 0.25], [0, 0.75, 1, 0.75]],
  [[0.25, 0, 0.25, 1], [0.75, 0, 0.75, 1]],
];

/** Draw a seat's pattern over a square of the board. */
export function drawPattern(context, seat, x, y, size) {
  context.beginPath();
  for (const [x1, y1, x2, y2] of PATTERNS[seat]) {
    context.moveTo(x + x1 * size, y + y1 * size);
    context.lineTo(x + x2 * size, y + y2 * size);
  }
  context.stroke();
}

/** Trace a seat's shape around a centre: circle, square, diamond, hexagon. The caller fills and strokes it. */
export function traceShape(context, seat, x, y, radius) {
  context.beginPath();
  if (seat === 0) context.arc(x, y, radius, 0, 2 * Math.PI);
  else if (seat === 1) context.roundRect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8, radius * 0.3);
  else tracePolygon(context, x, y, radius * 1.15, seat === 2 ? 4 : 6);
  context.closePath();
}

function tracePolygon(context, x, y, radius, corners) {
  for (let i = 0; i < corners; i++) {
    const angle = (2 * Math.PI * i) / corners - Math.PI / 2;
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
}
