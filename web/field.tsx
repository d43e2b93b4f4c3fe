import type { ComponentChildren, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';

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
      {label} <input {...useInput(input)} />
      {children}
    </label>
  );
}

/** A field whose placeholder is its label. */
export function BareField({ label, ...input }: FieldProps & { label: string }) {
  return <input aria-label={label} placeholder={label} autocomplete="off" {...useInput(input)} />;
}

type InputProps = Omit<FieldProps, 'label' | 'class'> & { class?: string };

/** The typed text, and the value that the page then had. */
type Draft = { typed: string; value?: string | number | undefined };

/** The typed text stays until its value changes for another reason: half a date, and `0.` on the way to `0.5`. */
function useInput({ value, set, refusal, inputRef, ...input }: InputProps) {
  const [draft, setDraft] = useState<Draft>();
  if (draft && !('value' in draft)) draft.value = value;
  const refuse = (field: HTMLInputElement | null) => field?.setCustomValidity(refusal ?? '');
  const ref = inputRef ?? (refusal === undefined ? null : refuse);
  const onInput = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    setDraft({ typed: currentTarget.value });
    set?.(currentTarget.value);
  };
  const onBlur = () => setDraft(undefined);
  const shown = draft && Object.is(draft.value, value) ? draft.typed : value;
  return { type: 'text' as const, onInput, onBlur, ref, ...(value !== undefined && { value: shown }), ...input };
}

export type FormProps = {
  class?: string;
  noValidate?: boolean;
  submit: (fields: FormData) => unknown;
  onInput?: ((event: TargetedEvent<HTMLFormElement>) => void) | undefined;
  children: ComponentChildren;
};

/** A form that `submit` sends. */
export function Form({ submit, ...form }: FormProps) {
  const send = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(new FormData(event.currentTarget));
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
  return (
    <div class="choices">
      {options.map(([one, label]) => (
        <label class="choice" key={one}>
          <input type="radio" name={name} value={one} checked={one === value} onChange={() => set(one)} />
          {label}
        </label>
      ))}
    </div>
  );
}

type ChecksProps<Value> = Pick<RadiosProps<Value>, 'options'> & {
  chosen: readonly Value[];
  set: (chosen: readonly Value[]) => void;
};

/** Any of several that are all in sight, in the order of the options. */
export function Checks<Value extends string | number>({ options, chosen, set }: ChecksProps<Value>) {
  const values = options.map(([value]) => value);
  const choose = (value: Value, isOn: boolean) =>
    set(values.filter((one) => (one === value ? isOn : chosen.includes(one))));
  return (
    <div class="choices">
      {options.map(([one, label]) => (
        <Check key={one} label={label} isOn={chosen.includes(one)} set={(isOn) => choose(one, isOn)} />
      ))}
    </div>
  );
}

type SelectProps<Value> = Omit<Labeled, 'value' | 'set'> & {
  options: readonly (readonly [value: Value, text: string])[];
  value: NoInfer<Value> | null | undefined;
  set?: (value: Value) => void;
};

/** One of several. Without `set`, `value` is the first choice. */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  const { label, class: name = 'field', set, options, value, ...select } = props;
  const choose = (chosen: (typeof options)[number] | undefined) => chosen && set?.(chosen[0]);
  return (
    <label class={name}>
      {label}{' '}
      <select
        {...(set && { value: value ?? '' })}
        onChange={({ currentTarget }) => choose(options[currentTarget.selectedIndex])}
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
