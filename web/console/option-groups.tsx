import { useState } from 'preact/hooks';
import { menu as say } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Field, Select } from '../field.tsx';
import type { ConsoleContext } from './console-context.ts';
import { Amount, Count, TaxClassField } from './fields.tsx';
import {
  copyGroups,
  type MenuGroup,
  type MenuList,
  type MenuOption,
  newOption,
  type SetFields,
} from './menu-editing.ts';
import { Handle, useSorting } from './sorting.tsx';

/* The option groups of a menu item, and of an option. */

/** A required choice of one, such as a size. */
const newGroup = (): MenuGroup => ({ name: '', min_choice_options: 1, max_choice_options: 1, options: [newOption()] });

type GroupsProps = {
  context: ConsoleContext;
  groups: readonly MenuGroup[];
  edit: (groups: readonly MenuGroup[]) => void;
  /** The option that opens these groups. */
  of?: string;
};

/** Option groups, nested in an option to any depth. */
export function OptionGroups({ context, groups, edit, of }: GroupsProps) {
  return (
    <div class="menu-group-list">
      {groups.map((group, at) => {
        const set = (changes: Partial<MenuGroup>) => edit(groups.with(at, { ...group, ...changes }));
        return (
          <fieldset key={at} class="menu-group">
            <legend>{group.name || say.newGroup}</legend>
            <div class="fields">
              <Field
                label={say.groupName}
                inputRef={focusIfNew(group.name)}
                maxLength={500}
                autocomplete="off"
                value={group.name}
                set={(name) => set({ name })}
              />
              <HowMany group={group} set={set} />
            </div>
            <Options context={context} options={group.options} edit={(options) => set({ options })} />
            <Button
              kind="quiet"
              label={say.removeOf({ name: group.name })}
              onPress={() => edit(groups.toSpliced(at, 1))}
              text={say.remove}
            />
          </fieldset>
        );
      })}
      <Button
        kind={of === undefined ? undefined : 'quiet'}
        {...(of === undefined ? {} : { label: say.addGroupTo({ name: of }) })}
        onPress={() => edit([...groups, newGroup()])}
        text={of === undefined ? say.addGroup : say.addNested}
      />
    </div>
  );
}

const COUNTS = [
  ['min_choice_options', say.atLeast],
  ['max_choice_options', say.atMost],
  ['min_total_units', say.unitsAtLeast],
  ['max_total_units', say.unitsAtMost],
] as const;

/** How many options may be chosen: one, one or none, or other numbers. */
function HowMany({ group, set }: { group: MenuGroup; set: (changes: Partial<MenuGroup>) => void }) {
  const [isOther, setOther] = useState(false);
  const { min_choice_options: min, max_choice_options: max, min_total_units, max_total_units } = group;
  const isOne = max === 1 && min_total_units === undefined && max_total_units === undefined;
  const shown = isOne && !isOther ? (min === 0 ? '0' : '1') : '';
  function choose(value: string): void {
    setOther(value === '');
    const one = { max_choice_options: 1, min_total_units: undefined, max_total_units: undefined };
    if (value !== '') set({ ...one, min_choice_options: Number(value) });
  }
  return (
    <>
      <Select
        label={say.howMany}
        value={shown}
        set={choose}
        options={[
          ['1', say.one],
          ['0', say.oneOrNone],
          ['', say.otherNumber],
        ]}
      />
      {shown === '' &&
        COUNTS.map(([name, label]) => (
          <Count
            key={name}
            label={label}
            count={group[name]}
            set={(given) => {
              const changed = { ...group, [name]: name.endsWith('units') ? given : (given ?? 0) };
              set(name.startsWith('min') ? withMaximums(changed) : changed);
            }}
          />
        ))}
    </>
  );
}

type OptionsProps = {
  context: ConsoleContext;
  options: readonly MenuOption[];
  edit: (options: readonly MenuOption[]) => void;
};

/** Options of a group. Enter in one adds the next, so that a list is typed without the mouse. */
function Options({ context, options, edit }: OptionsProps) {
  const add = () => edit([...options, newOption()]);
  const addByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (options.at(-1)?.name !== '') add();
  };
  const sorting = useSorting(options, edit);
  return (
    <ul class="menu-options" ref={sorting.rows}>
      {options.map((option, at) => {
        const set = (changes: Partial<MenuOption>) => edit(options.with(at, { ...option, ...changes }));
        return (
          <li key={option.id} class={sorting.markOf(at)}>
            <div class="menu-option">
              <Handle label={say.moveOf({ name: option.name })} {...sorting.handle(at)} />
              <Field
                label={say.option}
                inputRef={focusIfNew(at === 0 ? '-' : option.name)}
                maxLength={500}
                autocomplete="off"
                onKeyDown={addByEnter}
                value={option.name}
                set={(name) => set({ name })}
              />
              <Amount
                context={context}
                label={say.extra}
                cents={option.price}
                onKeyDown={addByEnter}
                set={(price) => set({ price })}
              />
              <Button
                kind="quiet"
                label={say.removeOf({ name: option.name })}
                onPress={() => edit(options.toSpliced(at, 1))}
                text="✕"
              />
            </div>
            {(option.price > 0 || option.tax_class) && (
              <details open={option.tax_class !== undefined}>
                <summary>{say.taxClass}</summary>
                <TaxClassField
                  inherited={say.asItem}
                  chosen={option.tax_class ?? null}
                  set={(tax_class) => set({ tax_class: tax_class ?? undefined })}
                />
              </details>
            )}
            {option.name !== '' && (
              <OptionGroups
                context={context}
                of={option.name}
                groups={option.customizations}
                edit={(customizations) => set({ customizations })}
              />
            )}
          </li>
        );
      })}
      <li>
        <Button kind="quiet" onPress={add} text={say.addOption} />
      </li>
    </ul>
  );
}

/** Copies the option groups of another item. */
export function CopyOptions({ lists, fields, set }: SetFields & { lists: readonly MenuList[] }) {
  const items = lists.flatMap((list) => list.items).filter((one) => one.customizations.length > 0);
  if (items.length === 0) return null;
  return (
    <Select
      label={say.copyFrom}
      value=""
      set={(id) => {
        const item = items.find((one) => one.item_id === id);
        if (item) set({ customizations: [...fields.customizations, ...copyGroups(item.customizations)] });
      }}
      options={[['', say.copyNone], ...items.map((one) => [one.item_id, one.name] as const)]}
    />
  );
}

/** The groups and options that have a name; the others are unused rows. */
export function namedGroups(groups: readonly MenuGroup[]): MenuGroup[] {
  return groups
    .filter(({ name }) => name.trim() !== '')
    .map((group) => {
      const options = group.options
        .filter(({ name }) => name.trim() !== '')
        .map((option) => ({ ...option, customizations: namedGroups(option.customizations) }));
      return { ...withMaximums(group), options };
    });
}

/** Maximums are raised to their minimums. */
function withMaximums(group: MenuGroup): MenuGroup {
  const {
    min_choice_options: min,
    max_choice_options: max,
    min_total_units: minUnits,
    max_total_units: maxUnits,
  } = group;
  const unitsMax = maxUnits === undefined ? undefined : Math.max(maxUnits, minUnits ?? 0);
  return { ...group, max_choice_options: Math.max(max, min), max_total_units: unitsMax };
}

/** Focuses a field when it appears, if its text is empty: the newly added one. A copy's name is selected. */
export function focusIfNew(text: string, isSelected = false) {
  return (field: HTMLInputElement | null) => {
    if (!field || field.dataset.seen === 'yes') return;
    field.dataset.seen = 'yes';
    if (text === '') field.focus();
    if (isSelected) field.select();
  };
}
