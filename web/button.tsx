import type { ComponentChildren } from 'preact';
import { isRight } from './wrong-fields.ts';

export type ButtonProps = {
  text: ComponentChildren;
  /** `main` is the main action of its page or dialog. */
  kind?: 'main' | 'main danger' | 'danger' | 'quiet' | undefined;
  /** Whether its action is running; then a second press is ignored. */
  isBusy?: boolean;
  /** Whether nothing can be done: a press shows what is wrong in its form. */
  isOff?: boolean;
  submit?: boolean;
  /** Its name for screen readers, where the text is not enough. */
  label?: string | undefined;
  onPress?: () => void;
} & Partial<Record<'aria-pressed' | 'aria-expanded', boolean>>;

/** A button that stays focusable while its action runs, so that screen readers keep their position. */
export function Button({ text, kind, isBusy = false, isOff = false, submit, label, onPress, ...state }: ButtonProps) {
  const isDead = isBusy || isOff;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={['button', kind, isBusy && 'busy'].filter(Boolean).join(' ')}
      aria-disabled={isDead}
      aria-label={label}
      onClick={(event) => {
        if (!isDead) return onPress?.();
        event.preventDefault();
        const { form } = event.currentTarget;
        if (isOff && form) isRight(form, event.currentTarget);
      }}
      {...state}
    >
      {text}
    </button>
  );
}
