export type Cell = { south: number; north: number; west: number; east: number };

/** 1 for the northern or eastern half of a cell, which is halved by latitude and longitude in turn. */
export function sideOf(cell: Cell, depth: number, latitude: number, longitude: number): 0 | 1 {
  if (depth % 2 === 0) return latitude >= (cell.south + cell.north) / 2 ? 1 : 0;
  return longitude >= (cell.west + cell.east) / 2 ? 1 : 0;
}

/** Narrows the cell to the half that has the coordinate; returns which half that is. */
export function narrow(cell: Cell, depth: number, latitude: number, longitude: number): 0 | 1 {
  const side = sideOf(cell, depth, latitude, longitude);
  const isLatitude = depth % 2 === 0;
  const middle = isLatitude ? (cell.south + cell.north) / 2 : (cell.west + cell.east) / 2;
  if (isLatitude) cell[side === 1 ? 'south' : 'north'] = middle;
  else cell[side === 1 ? 'west' : 'east'] = middle;
  return side;
}
