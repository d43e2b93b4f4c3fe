import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import type { RunState } from './hooks.ts';
import { fullMoment, momentInWords } from './words.ts';

export type Tone = 'bad' | 'warn' | 'good' | 'plain';

export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`pill ${tone}`}>{children}</span>;
}

/** An id that a click copies; `shown` is a shorter text for it. */
export function Id({ id, shown = id }: { id: string; shown?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(id).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 1200);
      },
      () => {},
    );
  };
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

/** A section with its heading and its actions. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
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

export type Column<Row> = { head: string; cell(row: Row): ComponentChildren; class?: string };

/** A table that becomes a list of cards on a phone; `keyOf` returns a row's key. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  rowClass,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  rowClass?(row: Row): string;
}) {
  return (
    <div class="scroll">
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, class: name }) => (
              <th key={head} scope="col" class={name ?? ''}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={rowClass?.(row) ?? ''}>
              {columns.map(({ head, cell, class: name }) => (
                <td key={head} data-head={head} class={name ?? ''}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Names and values in two columns. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A secret that the service shows only once. */
export function ShownOnce({
  what,
  secret,
  note,
  onClose,
}: {
  what: string;
  secret: string;
  note: string;
  onClose(): void;
}) {
  return (
    <Dialog title={what} close={onClose}>
      <p>{note}</p>
      <p class="secret">
        <Id id={secret} />
      </p>
      <div class="buttons">
        <button type="button" class="main" onClick={onClose}>
          I've saved it
        </button>
      </div>
    </Dialog>
  );
}

type ReasonProps = { reason: string; set(reason: string): void; list?: string };

/** Why an operator changes something that costs money; the history keeps it. */
export function ReasonField({ reason, set, list }: ReasonProps) {
  return (
    <label>
      Reason
      <input
        type="text"
        {...(list && { list })}
        maxLength={200}
        required
        value={reason}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

/** The buttons at the bottom of a dialog, and the reason of the last refusal. */
export function DialogFoot({
  running,
  verb,
  tone,
  isOff = false,
  onClose,
}: {
  running: RunState;
  verb: string;
  tone?: 'bad';
  isOff?: boolean;
  onClose(): void;
}) {
  return (
    <>
      <Fault>{running.error}</Fault>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Back
        </button>
        <button type="submit" class={tone === 'bad' ? 'main danger' : 'main'} disabled={running.isBusy || isOff}>
          {running.isBusy ? 'Working…' : verb}
        </button>
      </div>
    </>
  );
}
