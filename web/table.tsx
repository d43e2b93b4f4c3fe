import type { ComponentChildren } from 'preact';

export type Column<Row> = { head: string; class?: string; cell(row: Row): ComponentChildren };

export type TableProps<Row> = {
  /** Its name; without it the first cells are headings of their rows. */
  caption?: string;
  class?: string;
  columns: readonly Column<NoInfer<Row>>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  rowClass?(row: Row): string;
  /** The last row. */
  total?: NoInfer<Row>;
};

/** A table of console and operator's view, whose cells carry their heads for phones, where a row is a card. */
export function Table<Row>({ caption, class: name, columns, rows, keyOf, rowClass, total }: TableProps<Row>) {
  const cellsOf = (row: Row) =>
    columns.map(({ head, class: type, cell }, at) =>
      caption === undefined && at === 0 ? (
        <th scope="row">{cell(row)}</th>
      ) : (
        <td key={head} data-head={head} class={type ?? ''}>
          <div>{cell(row)}</div>
        </td>
      ),
    );
  const table = (
    <table class={name} aria-label={caption}>
      <thead>
        <tr>
          {columns.map(({ head, class: type }) => (
            <th key={head} scope="col" class={type ?? ''}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={rowClass?.(row) ?? ''}>
            {cellsOf(row)}
          </tr>
        ))}
      </tbody>
      {total && (
        <tfoot>
          <tr>{cellsOf(total)}</tr>
        </tfoot>
      )}
    </table>
  );
  return caption === undefined ? table : <div class="scroll">{table}</div>;
}
