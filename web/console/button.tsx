import type { ComponentChildren } from 'preact';

type Props = {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Shows that it works, and ignores a second press. */
  isBusy?: boolean;
  isOff?: boolean;
  submit?: boolean;
  label?: string;
  onPress?: () => void;
  children: ComponentChildren;
};

/** A button that stays focusable while it works, so that the reader of a screen reader does not lose the place. */
export function Button({
  kind = 'plain',
  isBusy = false,
  isOff = false,
  submit = false,
  label,
  onPress,
  children,
}: Props) {
  const isDead = isBusy || isOff;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={`button ${kind}${isBusy ? ' busy' : ''}`}
      aria-disabled={isDead}
      aria-label={label}
      onClick={(event) => {
        if (isDead) event.preventDefault();
        else onPress?.();
      }}
    >
      {children}
    </button>
  );
}
