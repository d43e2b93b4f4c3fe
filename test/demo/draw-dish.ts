import { type Chance, chanceOf, seedOf } from '../../demo/chance.ts';
import type { Dish } from '../../demo/dishes.ts';

/*
 * Dishes as SVG in a square of 400, seen from above (glasses and burgers from the side): a table, what the food is
 * served in with its bed, and pieces of food with soft shadows. Positions and turns follow from the name.
 */

const SIDE = 400;
const MIDDLE = SIDE / 2;
const TABLES = '#3f4c55 #c79a6b #efe6d8 #2f6468 #c8714d #a3b59c #33455f #e5beb0 #d6a548 #5a4a42 #dfe5e4 #7b8f6a'.split(
  ' ',
);

/** What comes in strands or many small pieces: color, and length of a piece. */
const BEDS: Readonly<Record<string, readonly [color: string, length: number]>> = {
  rice: ['#f8f4ea', 9],
  saffron: ['#efb13f', 9],
  fried: ['#d9a860', 9],
  noodles: ['#e9c46a', 90],
  wide: ['#b9793a', 110],
  macaroni: ['#f2b632', 18],
  fries: ['#eebf4d', 62],
  greens: ['#6f9f3d', 30],
  slaw: ['#cfe0a0', 34],
  oats: ['#d8bd90', 8],
  lentils: ['#9c5a2b', 5],
  chips: ['#e8b64c', 26],
};

type Piece = (color: string, second: string, chance: Chance) => string;
const circle = (r: number, fill: string, more = '') => `<circle r="${r}" fill="${fill}" ${more}/>`;
const ellipse = (rx: number, ry: number, fill: string, more = '') =>
  `<ellipse rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;
const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;
const line = (d: string, stroke: string, width: number, more = '') =>
  path(d, 'none', `stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}`);
const box = (width: number, height: number, corner: number, fill: string, more = '') =>
  `<rect x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}" rx="${corner}" fill="${fill}" ${more}/>`;
const SHINE = 'opacity="0.35"';

/** A closed line around the middle that is nowhere quite round. */
function blob(chance: Chance, rx: number, ry: number): string {
  const points = Array.from({ length: 9 }, (_, nth) => {
    const angle = (nth * 2 * Math.PI) / 9;
    const far = 0.84 + 0.3 * chance.fraction();
    return [Math.cos(angle) * rx * far, Math.sin(angle) * ry * far] as const;
  });
  const between = (nth: number) => {
    const [[x, y], [toX, toY]] = [points[nth % 9] ?? [0, 0], points[(nth + 1) % 9] ?? [0, 0]];
    return `${((x + toX) / 2).toFixed(1)} ${((y + toY) / 2).toFixed(1)}`;
  };
  const curves = points.map(([x, y], nth) => `Q${x.toFixed(1)} ${y.toFixed(1)} ${between(nth)}`);
  return `M${between(8)}${curves.join('')}Z`;
}

const dots = (chance: Chance, count: number, far: number, r: number, fill: string) =>
  spread(chance, count, far)
    .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`)
    .join('');

/** Pieces of food by shape, about 100 wide. */
const SHAPES: Readonly<Record<string, Piece>> = {
  disc: (color, second, chance) => circle(48, second) + circle(42, color) + dots(chance, 6, 32, 4, second),
  slice: (color, second) =>
    circle(48, second) +
    circle(42, color) +
    [0, 60, 120].map((turn) => `<g transform="rotate(${turn})">${ellipse(34, 5, second, SHINE)}</g>`).join(''),
  blob: (color, second, chance) =>
    path(blob(chance, 46, 40), color) +
    path(blob(chance, 22, 12), second, 'opacity="0.5" transform="translate(-8 -12)"'),
  nugget: (color, second, chance) => path(blob(chance, 48, 34), color) + dots(chance, 14, 36, 4, second),
  egg: (color, second, chance) =>
    path(blob(chance, 50, 46), color) +
    circle(20, second, 'cx="4" cy="-2"') +
    `<ellipse cx="-3" cy="-9" rx="6" ry="4" fill="#fff" ${SHINE}/>`,
  half: (color, second) => ellipse(38, 46, color) + circle(20, second),
  leaf: (color, second) =>
    path('M-48 0C-24-34 24-34 48 0C24 34-24 34-48 0Z', color) +
    line('M-42 0H40M-12 0L4-16M-12 0L4 16M10 0L22-12M10 0L22 12', second, 3),
  lettuce: (color, second, chance) =>
    path(blob(chance, 50, 44), color) + path(blob(chance, 36, 30), second) + line('M-34 6Q0-6 34 2', color, 4),
  herb: (color, second) =>
    line('M-40 10Q0-6 40-10', second, 4) +
    [-26, -4, 18]
      .map(
        (x) =>
          `<g transform="translate(${x} 0)">${ellipse(9, 15, color, 'transform="rotate(24) translate(0 -14)"')}${ellipse(9, 15, color, 'transform="rotate(-24) translate(0 14)"')}</g>`,
      )
      .join(''),
  ring: (color) =>
    circle(38, 'none', `stroke="${color}" stroke-width="15"`) +
    circle(38, 'none', `stroke="#fff" stroke-width="3" opacity="0.35"`),
  strip: (color, second) => line('M-44 8Q0-18 44 8', color, 16) + line('M-40 4Q0-20 40 4', second, 4, SHINE),
  wave: (color, second) =>
    line('M-66 6Q-48-22-28 2T10 2T44 0T70-8', color, 30) + line('M-66 2Q-48-26-28-2T10-2T44-4T70-12', second, 8),
  cube: (color, second) =>
    box(72, 72, 12, color) + box(52, 46, 9, second, 'opacity="0.55" transform="translate(0 -6)"'),
  grain: (color) => ellipse(46, 26, color) + ellipse(26, 8, '#fff', SHINE),
  wedge: (color, second) =>
    path('M-48-20Q0 34 48-20Q0-62-48-20Z', second) +
    path('M-38-22Q0 20 38-22Z', color) +
    line('M0-20V0M-20-20L-12-4M20-20L12-4', second, 3),
  shrimp: (color, second) =>
    line('M-34 24Q-48-30 0-34T40 14', color, 28) +
    line('M-36-4L-14-8M-14-30L-8-12M14-34L10-16M36-20L22-8', second, 4) +
    path('M34 12L56 22L44 34L26 22Z', second),
  crescent: (color, second) =>
    path('M-60 26C-54-50 54-50 60 26C30-8-30-8-60 26Z', color) +
    line('M-34 2L-42-18M-12-12L-14-32M12-12L14-32M34 2L42-18', second, 6),
  avocado: (color, second) =>
    path('M-50 22C-40-44 40-44 50 22C24-2-24-2-50 22Z', second) +
    path('M-42 14C-34-34 34-34 42 14C22-8-22-8-42 14Z', color),
  maki: (color, second) =>
    circle(48, '#1f2b25') + circle(41, '#f7f4ec') + circle(20, color) + circle(9, second, 'cx="7" cy="5"'),
  uramaki: (color, second, chance) =>
    circle(48, '#f7f4ec') + dots(chance, 16, 42, 3, second) + circle(25, '#1f2b25') + circle(20, color),
  nigiri: (color, second) =>
    box(104, 46, 22, '#f7f4ec') +
    box(112, 38, 18, color, 'transform="translate(0 -6)"') +
    line('M-34-22L-24 6M-8-22L2 6M18-22L28 6', second, 5, 'opacity="0.8"'),
  gunkan: (color, second, chance) =>
    box(90, 64, 26, '#1f2b25') + box(74, 48, 20, color) + dots(chance, 10, 20, 6, second),
  fillet: (color, second) =>
    path('M-70 0C-50-34 40-40 74-6C50 30-40 36-70 0Z', color) +
    line('M-40-4Q0-18 50-8M-34 10Q0-2 44 8', second, 5, 'opacity="0.7"'),
  dumpling: (color, second) =>
    path('M-54 18C-46-46 46-46 54 18C24 32-24 32-54 18Z', color) +
    line('M-40-8L-26 4M-20-24L-12-6M0-30V-10M20-24L12-6M40-8L26 4', second, 5),
  wing: (color, second, chance) =>
    path('M14-8C40-34 76-14 66 16C54 40 20 34 6 12L-50 14C-66 18-66-14-50-10Z', color) + dots(chance, 9, 26, 5, second),
  toast: (color, second) => box(96, 96, 20, second) + box(80, 80, 14, color),
  half_toast: (color, second) =>
    path('M-56 44L56 44L0-52Z', second, 'stroke-linejoin="round"') + path('M-42 36L42 36L0-36Z', color),
  sandwich: (color, second) =>
    path('M-60 48H60L0-56Z', '#c98f4f') +
    path('M-44 38H44L0-38Z', '#f3dcae') +
    path('M-60 48H60L54 62H-54Z', color) +
    path('M-54 62H54L48 74H-48Z', second),
  taco: (color, second, chance) =>
    path('M-70 20A70 66 0 0 1 70 20Z', second) +
    `<g transform="translate(0 -26)">${dots(chance, 16, 42, 9, color)}${dots(chance, 9, 44, 8, '#6fa13c')}${dots(chance, 6, 40, 7, '#d8432f')}</g>` +
    path('M-66 36A66 58 0 0 1 66 36Z', '#f0bf5a'),
  burrito: (color, second) =>
    box(150, 62, 30, '#ecd3a2') +
    line('M-40-30L-10 30M10-30L34 30', '#d7b67c', 4) +
    path('M75-20A22 30 0 0 1 75 30L58 31A18 30 0 0 1 58-31Z', color) +
    circle(9, second, 'cx="68"'),
  roll: (color, second) => box(120, 44, 22, color) + line('M-40-12Q-20 6 0-12T40-12', second, 7, 'opacity="0.6"'),
  skewer: (color, second) =>
    line('M-96 0H96', '#c9a36b', 6) +
    [-50, -4, 42]
      .map(
        (x) =>
          `<g transform="translate(${x} 0)">${box(40, 42, 14, color)}${line('M-12-10L10-16M-12 4L10-2', second, 4)}</g>`,
      )
      .join(''),
  corn: (color, second) =>
    box(150, 50, 25, color) +
    [-48, -24, 0, 24, 48].map((x) => `<g transform="translate(${x} 0)">${line('M0-18V18', second, 3)}</g>`).join('') +
    line('M-66-8H66M-66 8H66', second, 3),
  scoop: (color, second, chance) =>
    circle(50, color) +
    dots(chance, 7, 34, 4, second) +
    path(blob(chance, 22, 10), '#fff', 'opacity="0.35" transform="translate(-10 -20)"'),
  cookie: (color, second, chance) => circle(49, color) + dots(chance, 9, 38, 7, second),
  doughnut: (color, second, chance) =>
    circle(49, second) + circle(43, color) + dots(chance, 16, 38, 3, '#fff') + circle(13, second),
  banana: (color, second) =>
    path('M-70-14C-40 36 40 36 70-14C44 8-44 8-70-14Z', color) + line('M-56 2Q0 30 56 2', second, 4),
  swirl: (color, second) =>
    circle(50, color) + line('M0 0C14-16 30 4 14 20C-8 38-38 14-26-14C-10-46 42-34 42 6', second, 7),
  stick: (color, second) => box(150, 24, 12, color) + line('M-64-4H64M-64 4H64', second, 3),
  cannoli: (color, second) =>
    box(120, 46, 14, second) +
    line('M-30-22L-18 22M2-22L14 22', color, 5) +
    circle(22, '#fdf7ea', 'cx="-60"') +
    circle(22, '#fdf7ea', 'cx="60"'),
  cherry: (color) =>
    line('M0-20Q10-50 34-58', '#4f7a34', 5) +
    circle(24, color) +
    `<circle cx="-8" cy="-8" r="6" fill="#fff" ${SHINE}/>`,
  heart: (color) => path('M0 44C-60 4-48-44-18-40C-6-38 0-28 0-22C0-28 6-38 18-40C48-44 60 4 0 44Z', color),
  steak: (color, second) =>
    path('M-60 6C-62-40 14-54 50-28C80-4 54 44 8 38C-26 34-58 42-60 6Z', second) +
    path('M-48 4C-48-30 14-42 42-20C62-2 42 32 8 28C-22 24-46 30-48 4Z', color) +
    line('M-20-8Q6-22 30-10M-16 10Q8 0 32 8', second, 5),
  lobster: (color, second) =>
    box(164, 74, 34, '#d79a55') +
    box(150, 44, 22, '#f3dcae') +
    [-44, -12, 20, 50]
      .map(
        (x) =>
          `<g transform="translate(${x} 0)">${ellipse(24, 19, color)}${line('M-10-6L8-10M-10 6L8 2', second, 4)}</g>`,
      )
      .join(''),
  pizza: (color, second, chance) =>
    path('M-62-66Q0-96 62-66L0 84Z', '#d69c52') +
    path('M-52-56Q0-80 52-56L0 74Z', color) +
    `<g transform="translate(0 -26)">${dots(chance, 5, 26, 10, second)}</g>`,
  lattice: (color, second) =>
    [-96, -58, -20, 20, 58, 96]
      .map((off) => {
        const half = Math.round(Math.sqrt(124 ** 2 - off ** 2));
        return (
          line(`M${-half} ${off}H${half}M${off} ${-half}V${half}`, second, 22) +
          line(`M${-half} ${off}H${half}M${off} ${-half}V${half}`, color, 16)
        );
      })
      .join(''),
  musubi: (color) =>
    box(120, 76, 14, '#f7f4ec') + box(112, 50, 10, color, 'transform="translate(0 -14)"') + box(34, 84, 4, '#1f2b25'),
};

type Point = readonly [x: number, y: number];
/** Points that fill a circle evenly, never in rows. */
function spread(chance: Chance, count: number, radius: number): Point[] {
  const turn = chance.fraction() * 6.28;
  return Array.from({ length: count }, (_, nth) => {
    const far = count === 1 ? 0 : radius * Math.sqrt((nth + 0.5) / count);
    const angle = turn + nth * 2.39996 + chance.fraction() * 0.3;
    return [Math.round(Math.cos(angle) * far), Math.round(Math.sin(angle) * far)];
  });
}

const at = ([x, y]: Point, turn: number, scale: number, inner: string) =>
  `<g transform="translate(${Math.round(MIDDLE + x)} ${Math.round(MIDDLE + y)}) rotate(${Math.round(turn)}) scale(${scale})" filter="url(#shadow)">${inner}</g>`;

function bedOf(bed: string, radius: number, chance: Chance): string {
  const [color, length] = BEDS[bed] ?? [bed, 0];
  const ground = `<circle cx="200" cy="200" r="${radius}" fill="${color}"/>`;
  if (length === 0) return `${ground}<circle cx="200" cy="200" r="${radius}" fill="url(#sheen)"/>`;
  const strands = spread(chance, Math.round(5200 / (length + 12)), radius - 6).map(([x, y], nth) => {
    const [turn, bend] = [chance.fraction() * 6.28, length / 3];
    const [dx, dy] = [(Math.cos(turn) * length) / 2, (Math.sin(turn) * length) / 2];
    const d = `M${(x - dx).toFixed(0)} ${(y - dy).toFixed(0)}Q${(x + dy / 2 + bend / 3).toFixed(0)} ${(y - dx / 2).toFixed(0)} ${(x + dx).toFixed(0)} ${(y + dy).toFixed(0)}`;
    const width = length > 50 ? 9 : Math.max(4, length / 4);
    return line(d, ['#00000030', '#ffffff50', color][nth % 3] ?? color, width);
  });
  return `${ground}<g clip-path="url(#bed${radius})"><g transform="translate(200 200)">${strands.join('')}</g></g>`;
}

/** What food lies on, alongside each other. */
const FLAT = new Set(['plate', 'board']);
/** The size of a piece that has the others on it. */
const LARGE = 140;

const ROUND: Readonly<Record<string, (bed: string, chance: Chance) => [markup: string, reach: number]>> = {
  plate: (bed, chance) => [
    `<g filter="url(#shadow)"><circle cx="200" cy="200" r="172" fill="#fbf9f5"/></g><circle cx="200" cy="200" r="132" fill="#f1ede6"/><circle cx="200" cy="200" r="172" fill="url(#sheen)"/>${bed ? bedOf(bed, 118, chance) : ''}`,
    92,
  ],
  bowl: (bed, chance) => [
    `<g filter="url(#shadow)"><circle cx="200" cy="200" r="168" fill="${chance.pick(['#f7f4ee', '#2c3a44', '#3d6f8e', '#8a4b35', '#e9d9b8'])}"/></g><circle cx="200" cy="200" r="150" fill="#0003"/>${bedOf(bed, 142, chance)}<circle cx="200" cy="200" r="142" fill="url(#deep)"/>`,
    104,
  ],
  pan: (bed, chance) => [
    `<g filter="url(#shadow)"><rect x="300" y="178" width="120" height="44" rx="20" fill="#22272b"/><circle cx="190" cy="200" r="164" fill="#2b3136"/></g>${bedOf(bed, 138, chance)}<circle cx="200" cy="200" r="138" fill="url(#deep)"/>`,
    100,
  ],
  board: () => [
    '<g filter="url(#shadow)"><rect x="34" y="64" width="332" height="272" rx="30" fill="#c08b55"/></g><g stroke="#0001" stroke-width="7"><path d="M44 120H356M40 176H360M40 230H360M44 286H356"/></g>',
    108,
  ],
  basket: (bed, chance) => [
    `<g filter="url(#shadow)"><rect x="36" y="58" width="328" height="284" rx="70" fill="#b5473a"/></g><path d="M60 110L130 70L200 96L286 66L344 130L330 210L346 290L250 330L160 316L66 300L76 210Z" fill="#fdfaf2"/>${bed ? bedOf(bed, 112, chance) : ''}`,
    94,
  ],
  pizza: (bed, chance) => [
    `<g filter="url(#shadow)"><circle cx="200" cy="200" r="176" fill="#c98a45"/></g><circle cx="200" cy="200" r="166" fill="#dfa860"/>${bedOf(bed, 146, chance)}<g transform="translate(200 200)">${dots(chance, 26, 138, 12, '#f6e3a8')}${dots(chance, 18, 134, 8, '#f3cf7f')}</g>`,
    122,
  ],
  pie: (bed, chance) => [
    `<g filter="url(#shadow)"><circle cx="200" cy="200" r="174" fill="#b9c4c9"/></g><circle cx="200" cy="200" r="162" fill="#c8883f"/>${bedOf(bed, 138, chance)}<circle cx="200" cy="200" r="152" fill="none" stroke="#e0a75a" stroke-width="16" stroke-dasharray="22 8"/>`,
    100,
  ],
  cup: (bed) => [
    `<g filter="url(#shadow)"><circle cx="200" cy="200" r="168" fill="#f4f0e9"/></g><circle cx="200" cy="200" r="120" fill="#e3ddd2"/><g filter="url(#shadow)"><rect x="290" y="182" width="74" height="36" rx="18" fill="#fff"/><circle cx="200" cy="200" r="108" fill="#fff"/></g>${bedOf(bed, 94, chanceOf(1))}<circle cx="200" cy="200" r="94" fill="url(#deep)"/>`,
    46,
  ],
};

/** A tall glass from the side: its drink, then froth or ice on top, and a straw where there is one. */
function drawGlass(
  bed: string,
  pieces: readonly (readonly [Piece, string, string, number, number])[],
  chance: Chance,
): string {
  const hasStraw = pieces.some(([shape]) => shape !== SHAPES.blob);
  const body = 'M122 84H278L258 352Q256 364 244 364H156Q144 364 142 352Z';
  const food = pieces.flatMap(([shape, color, second, size, count]) =>
    spread(chance, count, 44).map(([x, y]) =>
      at([x, y / 2 - 62], chance.fraction() * 360, size / 100, shape(color, second, chance)),
    ),
  );
  return `<g filter="url(#shadow)">${path(body, '#ffffff66')}</g>${hasStraw ? line('M226 20L206 300', '#e85d4a', 12) : ''}${path('M126 132H274L256 348Q254 356 244 356H156Q146 356 144 348Z', bed)}${path('M126 132H274L268 210H132Z', '#ffffff30')}${food.join('')}${path(body, 'url(#glass)', 'stroke="#ffffff90" stroke-width="5"')}`;
}

/** Bun, layers and bun from the side. */
function drawStack(
  bun: string,
  pieces: readonly (readonly [Piece, string, string, number, number])[],
  chance: Chance,
): string {
  let y = 292;
  const layers = pieces.map(([, color, second, size]) => {
    const height = Math.round(size / 3);
    y -= height;
    const edge = Array.from(
      { length: 9 },
      (_, nth) =>
        `Q${91 + nth * 28} ${y + height + (nth % 2 ? 4 : 14) * (size < 60 ? 1 : 0.2) + chance.between(0, 3)} ${105 + nth * 28} ${y + height}`,
    );
    return (
      path(
        `M77 ${y + height / 2}Q80 ${y} 110 ${y}H300Q326 ${y} 329 ${y + height / 2}L329 ${y + height}H77${edge.join('')}Z`,
        color,
      ) + path(`M96 ${y + 4}H310V${y + 9}H96Z`, second, 'opacity="0.5"')
    );
  });
  const top = y + 4;
  return `<g filter="url(#shadow)"><rect x="84" y="286" width="236" height="52" rx="24" fill="${bun}"/></g>${layers.join('')}<g filter="url(#shadow)">${path(`M80 ${top}C80 ${top - 130} 324 ${top - 130} 324 ${top}Q202 ${top + 12} 80 ${top}Z`, bun)}</g>${path(`M110 ${top - 40}Q140 ${top - 88} 220 ${top - 86}`, 'none', 'stroke="#fff" stroke-opacity="0.35" stroke-width="12" stroke-linecap="round"')}<g transform="translate(202 ${top - 56}) scale(1.5 0.55)">${dots(chance, 14, 52, 4, '#fff3d6')}</g>`;
}

const DEFINITIONS =
  '<defs><filter id="shadow" x="-30%" y="-30%" width="160%" height="170%"><feDropShadow dx="0" dy="5" stdDeviation="5" flood-color="#000" flood-opacity="0.32"/></filter>' +
  '<radialGradient id="sheen" cx="0.3" cy="0.25" r="0.9"><stop offset="0" stop-color="#fff" stop-opacity="0.4"/><stop offset="0.5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.14"/></radialGradient>' +
  '<radialGradient id="deep"><stop offset="0.78" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.34"/></radialGradient>' +
  '<linearGradient id="glass"><stop offset="0" stop-color="#fff" stop-opacity="0.45"/><stop offset="0.3" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.12"/></linearGradient>' +
  '<radialGradient id="table" cx="0.35" cy="0.3" r="0.95"><stop offset="0" stop-color="#fff" stop-opacity="0.28"/><stop offset="1" stop-color="#000" stop-opacity="0.22"/></radialGradient>' +
  [94, 112, 118, 138, 142, 146]
    .map((r) => `<clipPath id="bed${r}"><circle cx="200" cy="200" r="${r}"/></clipPath>`)
    .join('') +
  '</defs>';

/** The table below a picture. */
export function drawTable(name: string, width: number, height: number): string {
  const color = TABLES[seedOf(name) % TABLES.length];
  return `<rect width="${width}" height="${height}" fill="${color}"/><rect width="${width}" height="${height}" fill="url(#table)"/>`;
}

/** A dish without its table. Its definitions are in the first of a picture. */
export function drawDish({ name, base, bed, pieces: listed }: Dish): string {
  const chance = chanceOf(seedOf(name));
  const pieces = listed.map(([shape, color, second, size, count]) => {
    const piece = SHAPES[shape];
    if (!piece) throw new RangeError(`${name}: there is no shape ${shape}.`);
    return [piece, color, second, size, count] as const;
  });
  if (base === 'glass') return DEFINITIONS + drawGlass(bed, pieces, chance);
  if (base === 'stack') return DEFINITIONS + drawStack(bed, pieces, chance);
  const round = ROUND[base];
  if (!round) throw new RangeError(`${name}: there is no ${base}.`);
  const [markup, reach] = round(bed, chance);
  const [first, ...rest] = pieces;
  // A large piece has the others on it; small heaps lie alongside each other; many pieces are strewn.
  const isPile = first !== undefined && first[3] >= LARGE && first[4] === 1 && rest.length > 0;
  const isHeaped = !isPile && rest.length > 0 && (FLAT.has(base) || pieces.every(([, , , , count]) => count <= 3));
  const start = chance.fraction() * 6.28;
  const food = pieces.flatMap(([shape, color, second, size, count], nth) => {
    const angle = start + (nth * 6.28) / pieces.length;
    const away = isHeaped ? reach * (count > 3 ? 0.62 : 0.68) : 0;
    const scale = (size / 100) * (FLAT.has(base) ? 1.3 : 1.1);
    const far = isHeaped ? Math.min(reach * 0.6, scale * 34 * Math.sqrt(count)) : isPile ? reach * 0.62 : reach;
    return spread(chance, count, count === 1 ? 0 : far).map(([dx, dy]) =>
      at(
        [dx + Math.cos(angle) * away, dy + Math.sin(angle) * away],
        chance.fraction() * 360,
        scale,
        shape(color, second, chance),
      ),
    );
  });
  return `${DEFINITIONS}<g transform="translate(-26 -26) scale(1.13)">${markup}${food.join('')}</g>`;
}
