import type { ComponentChildren } from 'preact';
import { store as words } from '../../src/texts/en/store.ts';
import { Button, type ButtonProps } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Form, type FormProps } from '../field.tsx';
import { Alert } from './notices.tsx';

type PanelProps = {
  id: string;
  title: string;
  hint?: string;
  /** Why its last change failed; empty if it did not. */
  error?: string;
  class?: string;
  children: ComponentChildren;
};

/** A panel with its heading. */
export function Panel({ id, title, hint, error, class: type = '', children }: PanelProps) {
  return (
    <section class={`panel ${type}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {children}
      {error !== undefined && <Alert text={error} />}
    </section>
  );
}

type PageProps = { title: string; tools?: ComponentChildren; children: ComponentChildren };

/** A view with its heading, and the tools next to it. */
export function Page({ title, tools, children }: PageProps) {
  return (
    <div class="page">
      <div class="view-head">
        <h1>{title}</h1>
        {tools}
      </div>
      {children}
    </div>
  );
}

/** The text of a row: its name, and more about it below. */
export const RowText = ({ name, more }: { name: ComponentChildren; more: ComponentChildren }) => (
  <p>
    <strong>{name}</strong>
    <span class="soft">{more}</span>
  </p>
);

type FormDialogProps = Omit<ButtonProps & FormProps, 'submit' | 'class' | 'noValidate'> & {
  title: string;
  /** The text of the button that closes it. */
  back?: string;
  close: () => void;
  submit: FormProps['submit'];
  error?: string;
};

/** A dialog with a form, and the button that sends it. */
export function FormDialog({
  title,
  back = words.frame.back,
  close,
  submit,
  onInput,
  error,
  children,
  ...send
}: FormDialogProps) {
  return (
    <Dialog title={title} close={close}>
      <Form submit={submit} onInput={onInput}>
        {children}
        {error !== undefined && <Alert text={error} />}
        <div class="buttons">
          <Button onPress={close} text={back} />
          <Button submit kind="main" {...send} />
        </div>
      </Form>
    </Dialog>
  );
}
