/** The service's color, for accounts without a color of their own. */
export const DEFAULT_COLOR: HexColor = '#0b6b4a';

/** Backgrounds that an accent must be readable on: the base and the cards of pages and emails. */
type Surfaces = { grounds: readonly HexColor[]; card: HexColor; toward: 'black' | 'white'; tintShare: number };
const LIGHT: Surfaces = { grounds: ['#ffffff', '#f6f6f4'], card: '#ffffff', toward: 'black', tintShare: 0.88 };
const DARK: Surfaces = { grounds: ['#1c1f1c', '#121412'], card: '#1c1f1c', toward: 'white', tintShare: 0.8 };

/** A brand's colors in a light or dark color scheme. */
export type SchemeColors = {
  /** Color of text and lines: the brand's color, darkened or lightened until it is readable. */
  accent: HexColor;
  /** Text on the accent. */
  onAccent: HexColor;
  /** A pale background for normal text. */
  tint: HexColor;
};

/** `button` is the brand's color as given; `onButton` is black or white. */
export type BrandColors = { button: HexColor; onButton: HexColor; light: SchemeColors; dark: SchemeColors };

/** Derives the colors from a brand's color: text in or on each has a contrast of at least 4.5 (docs/branding.md). */
export function brandColors(color: HexColor): BrandColors {
  return { button: color, onButton: textColorOn(color), light: schemeOf(color, LIGHT), dark: schemeOf(color, DARK) };
}

function schemeOf(color: HexColor, { grounds, card, toward, tintShare }: Surfaces): SchemeColors {
  const accent = readableOn(color, grounds, toward);
  return { accent, onAccent: textColorOn(accent), tint: mixColors(accent, card, tintShare) };
}
export type HexColor = string;

type Rgb = readonly [number, number, number];

const BLACK = '#000000';
const WHITE = '#ffffff';
/** Minimum contrast of normal text (WCAG 2.2, success criterion 1.4.3). */
const MIN_CONTRAST = 4.5;
/** Number of steps from a color to black or white; each changes a channel by up to one. */
const STEPS = 255;

/** Returns the contrast ratio of two colors, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: HexColor, other: HexColor): number {
  const [a, b] = [luminanceOf(rgbOf(one)), luminanceOf(rgbOf(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns black or white, for the higher contrast: at least 4.58 on every color. */
export function textColorOn(color: HexColor): HexColor {
  return contrastOf(color, BLACK) >= contrastOf(color, WHITE) ? BLACK : WHITE;
}

/**
 * Returns the color if it is readable on all backgrounds, otherwise the nearest mixture with `toward`, black or white,
 * which must itself be readable on them.
 */
export function readableOn(color: HexColor, backgrounds: readonly HexColor[], toward: 'black' | 'white'): HexColor {
  const end = toward === 'black' ? BLACK : WHITE;
  for (let step = 0; step < STEPS; step += 1) {
    const mixture = mixColors(color, end, step / STEPS);
    if (backgrounds.every((background) => contrastOf(mixture, background) >= MIN_CONTRAST)) return mixture;
  }
  return end;
}

/** Mixes `share` (0 to 1) of the second color into the first. */
export function mixColors(one: HexColor, other: HexColor, share: number): HexColor {
  const [from, to] = [rgbOf(one), rgbOf(other)];
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return `#${[channel(0), channel(1), channel(2)].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function rgbOf(color: HexColor): Rgb {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** Computes the relative luminance (WCAG 2.2), with the threshold of IEC 61966-2-1. */
function luminanceOf([red, green, blue]: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
