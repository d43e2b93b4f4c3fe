import type { ComponentChildren, TargetedEvent } from 'preact';

/* Fields of the forms of shop, console and operator's view: a label with its control. */

type Labeled = {
  label: ComponentChildren;
  class?: string;
  name?: string;
  value?: string | number;
  set?: (value: string) => void;
};

type FieldProps = Labeled &
  Partial<Record<'minLength' | 'maxLength', number>> &
  Partial<Record<'required' | 'autofocus' | 'aria-invalid', boolean>> &
  Partial<Record<'min' | 'max' | 'step' | 'defaultValue', string | number>> &
  Partial<Record<'id' | 'pattern' | 'placeholder' | 'list' | 'title' | 'aria-describedby', string>> & {
    type?: 'text' | 'date' | 'time' | 'email' | 'number' | 'search' | 'tel' | 'url';
    inputmode?: 'decimal' | 'numeric' | 'tel' | 'email';
    autocomplete?: 'off' | `address-${string}` | 'postal-code';
    enterkeyhint?: 'search';
    autocapitalize?: 'characters';
    /** Why the browser is to refuse the form; empty if it is not. */
    refusal?: string;
    inputRef?: (field: HTMLInputElement | null) => void;
    onChange?: (event: TargetedEvent<HTMLInputElement>) => void;
    onKeyDown?: (event: KeyboardEvent) => void;
    children?: ComponentChildren;
  };

/** One line of text, or what `type` says. `set` is called with each keystroke. */
export function Field({ label, class: name = 'field', children, ...input }: FieldProps) {
  return (
    <label class={name}>
      {label} <input {...inputProps(input)} />
      {children}
    </label>
  );
}

/** A field whose placeholder is its label. */
export function BareField({ label, ...input }: FieldProps & { label: string }) {
  return <input aria-label={label} placeholder={label} autocomplete="off" {...inputProps(input)} />;
}

function inputProps({ set, refusal, inputRef, ...input }: Omit<FieldProps, 'label' | 'class'> & { class?: string }) {
  const refuse = (field: HTMLInputElement | null) => field?.setCustomValidity(refusal ?? '');
  const ref = inputRef ?? (refusal === undefined ? null : refuse);
  const onInput = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => set?.(currentTarget.value);
  return { type: 'text' as const, onInput, ref, ...input };
}

type FormProps = { class?: string; submit: () => unknown; children: ComponentChildren };

/** A form that `submit` sends. */
export function Form({ submit, ...form }: FormProps) {
  const send = (event: Event) => {
    event.preventDefault();
    void submit();
  };
  return <form onSubmit={send} {...form} />;
}

type CheckProps = Omit<Labeled, 'set'> & { isOn?: boolean; set?: (isOn: boolean) => void };

/** A box to check. Without `set`, `isOn` is how it begins. */
export function Check({ label, class: name = 'choice', isOn, set, ...input }: CheckProps) {
  const state = set ? { checked: isOn ?? false } : { defaultChecked: isOn ?? false };
  return (
    <label class={name}>
      <input type="checkbox" onChange={({ currentTarget }) => set?.(currentTarget.checked)} {...state} {...input} />
      {label}
    </label>
  );
}

/** The content of a choice that says more below its name. */
export function TwoLines({ main, more }: { main: string; more: string }) {
  return (
    <span class="two-lines">
      <strong>{main}</strong>
      <span>{more}</span>
    </span>
  );
}

type RadiosProps<Value> = {
  name: string;
  options: readonly (readonly [value: Value, label: ComponentChildren])[];
  value: Value;
  set: (value: Value) => void;
};

/** One of several that are all in sight. */
export function Radios<Value extends string>({ name, options, value, set }: RadiosProps<Value>) {
  return options.map(([one, label]) => (
    <label class="choice" key={one}>
      <input type="radio" name={name} value={one} checked={one === value} onChange={() => set(one)} />
      {label}
    </label>
  ));
}

type SelectProps = Omit<Labeled, 'value'> & {
  options: readonly (readonly [value: string | number, text: string])[];
  value: string | number | null | undefined;
};

/** One of several. Without `set`, `value` is the first choice. */
export function Select({ label, class: name = 'field', set, options, value, ...select }: SelectProps) {
  return (
    <label class={name}>
      {label}{' '}
      <select
        {...(set && { value: value ?? '' })}
        onChange={({ currentTarget }) => set?.(currentTarget.value)}
        {...select}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
