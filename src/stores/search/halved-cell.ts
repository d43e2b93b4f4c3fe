/** Halvings of latitude and longitude together: the last cells are a centimetre wide, and may then overflow. */
export const MAX_HALVINGS = 64;

/** Where a side of a cell is halved: a coordinate from there on is in the northern or eastern half. */
export function middleOf(low: number, high: number): number {
  return (low + high) / 2;
}

export type Cell = { south: number; north: number; west: number; east: number };

/** 1 for the northern or eastern half of a cell, which is halved by latitude and longitude in turn. */
export function sideOf(cell: Cell, depth: number, latitude: number, longitude: number): 0 | 1 {
  if (depth % 2 === 0) return latitude >= middleOf(cell.south, cell.north) ? 1 : 0;
  return longitude >= middleOf(cell.west, cell.east) ? 1 : 0;
}

/** Narrows the cell to the half that has the coordinate; returns which half that is. */
export function narrow(cell: Cell, depth: number, latitude: number, longitude: number): 0 | 1 {
  const side = sideOf(cell, depth, latitude, longitude);
  const isLatitude = depth % 2 === 0;
  const middle = isLatitude ? middleOf(cell.south, cell.north) : middleOf(cell.west, cell.east);
  if (isLatitude) cell[side === 1 ? 'south' : 'north'] = middle;
  else cell[side === 1 ? 'west' : 'east'] = middle;
  return side;
}
