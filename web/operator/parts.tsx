import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  columnsOfTable,
  type TableColumn,
  type Table as TableOfFields,
  valueAt,
} from '../../src/surfaces/operator/tables.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Field, Form } from '../field.tsx';
import { type Column, Table, type TableProps } from '../table.tsx';
import { type RunState, useRun } from './hooks.ts';
import { Only, type Role } from './role.tsx';
import { centsInWords, fullMoment, momentInWords, wordsOf } from './words.ts';

/* Components that the operator's views share: tables, pills, IDs, moments, forms. */

export type Tone = 'bad' | 'warn' | 'good' | 'plain';

/** A state in color, and a space between several. */
export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <>
      <span class={`pill ${tone}`}>{children}</span>{' '}
    </>
  );
}

/** Copies a text; `isCopied` is true for a moment after it. */
function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 1200);
      },
      () => {},
    );
  };
  return { isCopied, copy };
}

/** An id that a click copies; `shown` is a shorter text for it. */
export function Id({ id, shown = id }: { id: string; shown?: string }) {
  const { isCopied, copy } = useCopy(id);
  return (
    <button type="button" class="id" title={`Copy ${id}`} aria-label={`Copy ${id}`} onClick={copy}>
      {isCopied ? 'copied' : shown}
    </button>
  );
}

export function Moment({ at, now }: { at: number | null; now?: number }) {
  if (at === null) return <span class="soft">–</span>;
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={fullMoment(at)}>
      {momentInWords(at, now ?? Date.now() / 1000)}
    </time>
  );
}

export function Fault({ children }: { children: ComponentChildren }) {
  if (!children) return null;
  return (
    <p class="fault" role="alert">
      {children}
    </p>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

type SectionProps = { title: string; actions?: ComponentChildren; children: ComponentChildren };

/** A section with its heading and its actions. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

type ListProps<Row> = Pick<TableProps<Row>, 'keyOf' | 'rowClass'> & {
  title: string;
  /** Columns of the list of operators that the page shows; `columns` follow. */
  table?: TableOfFields;
  columns?: readonly Column<NoInfer<Row>>[];
  /** The buttons of a row, its last column. */
  act?(row: NoInfer<Row>): ComponentChildren;
  /** Undefined until they are read. */
  rows: readonly Row[] | undefined;
  /** Why the last read of the rows failed; empty if it did not. */
  fault?: string;
  /** Shown in place of no rows; without it there is no section then. */
  empty?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
};

/** A section with a table, below its children. */
export function List<Row>(props: ListProps<Row>) {
  const { title, rows, fault, empty, actions, children, table, columns = [], act, ...more } = props;
  if (!fault && rows?.length === 0 && empty === undefined) return null;
  return (
    <Section title={title} actions={actions}>
      <Fault>{fault}</Fault>
      {fault === '' && rows === undefined && <Empty>Loading…</Empty>}
      {!fault && rows?.length === 0 && <Empty>{empty}</Empty>}
      {children}
      {rows !== undefined && rows.length > 0 && (
        <Table
          caption={title}
          rows={rows}
          columns={[
            ...fieldColumns(table, rows),
            ...columns,
            ...(act ? [{ head: 'Actions', class: 'do', cell: act }] : []),
          ]}
          {...more}
        />
      )}
    </Section>
  );
}

/** Columns of a table, of the fields that rows have. */
export function fieldColumns(table: TableOfFields = {}, rows: readonly unknown[] = []): Column<unknown>[] {
  const [row = {}] = rows;
  return columnsOfTable(table, Object.keys(row as object), rows).map((column) => {
    const isNumber = column.isMoney || typeof valueAt(row, column.path) === 'number';
    const name = column.isMoment ? 'figure' : isNumber ? 'figure right' : '';
    return { head: column.head, class: name, cell: (one) => <Value row={one} column={column} /> };
  });
}

const TONES: Readonly<Record<string, Tone>> = {
  acknowledged: 'good',
  awaiting_confirmation: 'warn',
  canceled: 'bad',
  completed: 'good',
  dead: 'bad',
  delivered: 'good',
  disabled: 'bad',
  failing: 'bad',
  kept: 'good',
  live: 'warn',
  merged: 'good',
  not_sent: 'warn',
  over_budget: 'bad',
  pending: 'warn',
  sent: 'good',
  waiting: 'warn',
  working: 'good',
};

export function State({ state }: { state: string }) {
  return <Pill tone={TONES[state] ?? 'plain'}>{wordsOf(state)}</Pill>;
}

type LinkProps = { row: unknown; link: NonNullable<TableColumn['link']>; shown: string };

function FieldLink({ row, link: { tab, id, query }, shown }: LinkProps) {
  const search = query === undefined ? '' : `?${query}=${valueAt(row, query)}`;
  return <a href={`#/${tab}/${valueAt(row, id)}${search}`}>{shown}</a>;
}

/** The value of a field, by its name and its column in the table. */
function Value({ row, column: { path, isMoney, isMoment, link } }: { row: unknown; column: TableColumn }) {
  const value = valueAt(row, path);
  if (isMoment) return <Moment at={typeof value === 'number' ? value : null} />;
  const isNothing = value === null || value === undefined || value === '';
  if (link) return <FieldLink row={row} link={link} shown={isNothing ? '–' : String(value)} />;
  if (isNothing) return <span class="soft">–</span>;
  if (isMoney) return <>{centsInWords(Number(value))}</>;
  if (path === 'last_error') return <span class="bad-text">{String(value)}</span>;
  if (path.endsWith('_id')) return <Id id={String(value)} />;
  if (/^(mode|state|status)$/.test(path) && /^[a-z_]+$/.test(String(value))) return <State state={String(value)} />;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') return <>{value.toLocaleString('en-US')}</>;
  if (Array.isArray(value)) return <>{value.join(', ')}</>;
  return <>{/^[a-z_]+$/.test(String(value)) ? wordsOf(String(value)) : String(value)}</>;
}

type OfAccount = { account_id: string; account_name: string };

export const ACCOUNT_COLUMN: Column<OfAccount> = {
  head: 'Account',
  cell: ({ account_id, account_name }) => <a href={`#/accounts/${account_id}`}>{account_name}</a>,
};

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values in two columns; false ones are left out. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

type ShownOnceProps = { what: string; secret: string; note: string; onClose(): void };

/** A secret that the service shows only once. */
export function ShownOnce({ what, secret, note, onClose }: ShownOnceProps) {
  const { isCopied, copy } = useCopy(secret);
  return (
    <Dialog title={what} close={onClose}>
      <p>{note}</p>
      <p>
        <code class="secret">{secret}</code>
      </p>
      <div class="buttons">
        <Button onPress={copy} text={isCopied ? 'Copied' : 'Copy'} />
        <Button kind="main" onPress={onClose} text="I've saved it" />
      </div>
    </Dialog>
  );
}

/** The `reason` of a change that costs money; the history keeps it. */
export function ReasonField({ list }: { list?: string }) {
  return <Field label="Reason" name="reason" {...(list && { list })} maxLength={200} required />;
}

/** The text of a form's field. */
export const textIn = (form: FormData, name: string) => String(form.get(name) ?? '').trim();

type ActionProps = {
  title: string;
  verb: string;
  tone?: 'bad';
  isOff?: boolean;
  onClose(): void;
  send(form: FormData): Promise<unknown>;
  children: ComponentChildren;
};

/** A dialog with a form, which `send` sends. */
export function ActionDialog({ title, send, children, ...foot }: ActionProps) {
  const running = useRun();
  return (
    <Dialog title={title} close={foot.onClose}>
      <Form submit={(form) => running.run(() => send(form))}>
        {children}
        <DialogFoot running={running} {...foot} />
      </Form>
    </Dialog>
  );
}

type DialogButtonProps = Omit<ActionProps, 'onClose'> & { to: Role; label: string };

/** A button for operators of at least this role; its dialog closes after `send`. */
export function DialogButton({ to, label, ...dialog }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Only to={to}>
      <Button kind={dialog.tone === 'bad' ? 'danger' : undefined} onPress={() => setOpen(true)} text={label} />
      {isOpen && <ActionDialog {...dialog} onClose={close} send={(form) => dialog.send(form).then(close)} />}
    </Only>
  );
}

type DialogFootProps = { running: RunState; verb: string; tone?: 'bad'; isOff?: boolean; onClose(): void };

/** The buttons at the bottom of a dialog, and the reason of the last error. */
export function DialogFoot({ running, verb, tone, isOff = false, onClose }: DialogFootProps) {
  return (
    <>
      <Fault>{running.error}</Fault>
      <div class="buttons">
        <Button onPress={onClose} text="Back" />
        <Button
          submit
          kind={tone === 'bad' ? 'main danger' : 'main'}
          isBusy={running.isBusy}
          isOff={isOff}
          text={running.isBusy ? 'Working…' : verb}
        />
      </div>
    </>
  );
}
