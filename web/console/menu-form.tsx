import { useState } from 'preact/hooks';
import { ALLERGENS, DIETS, NUTRIENTS } from '../../src/supply/catalog/food.ts';
import { formatHours } from '../../src/supply/stores/format-hours.ts';
import { readHours } from '../../src/supply/stores/read-hours.ts';
import type { TaxClass } from '../../src/supply/stores/tax-class.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import {
  amountOf,
  centsOf,
  copyGroups,
  type Food,
  type ItemFields,
  type MenuGroup,
  type MenuItem,
  type MenuOption,
  newOption,
  replaced,
} from './menu-editing.ts';
import { Alert } from './notices.tsx';
import { PhotoField } from './photo-field.tsx';
import { Handle, useSorting } from './sorting.tsx';
import { TaxClassField } from './tax-class-field.tsx';
import type { MenuDesk } from './use-menu.ts';
import { WeekEditor } from './week-editor.tsx';

/* The form of a menu item with its option groups, prices by mode, tax class, photo and switches. */

const { menu: say } = words;

type Props = { menu: MenuDesk; categoryId: string; item?: MenuItem; fields: ItemFields; close: () => void };

/** An item's form. Enter saves a new item or copy and opens the next, so that a menu is typed without the mouse. */
export function MenuForm({ menu, categoryId, item, fields: first, close }: Props) {
  const [fields, setFields] = useState(first);
  const [home, setHome] = useState(categoryId);
  /** Counts the items typed, so that each has a form with empty fields. */
  const [round, setRound] = useState(0);
  const [isUploading, setUploading] = useState(false);
  const { context } = menu.desk;
  // Upon the newest fields: a photo arrives while others are typed.
  const set = (changes: Partial<ItemFields>) => setFields((typed) => ({ ...typed, ...changes }));
  const isReady = fields.name.trim() !== '' && Number.isInteger(fields.price);
  const isBusy = menu.busy || isUploading;

  async function save(): Promise<boolean> {
    if (!isReady || isBusy) return false;
    const body = { category_id: home, item: { ...sent(fields), tax_class: fields.tax_class ?? '' } };
    const done = say.saved({ name: fields.name });
    if (!item) return menu.send('POST', '/store/menu/items', body, done);
    return menu.send('PUT', pathOf(item), { ...body, version: item.version }, done);
  }
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (!(await save())) return;
    if (item) return close();
    // The copies of an item are typed one after another, each with options of its own.
    setFields({ ...first, name: '', customizations: copyGroups(first.customizations) });
    setRound(round + 1);
  }
  async function remove(): Promise<void> {
    if (!item) return;
    if (await menu.send('POST', `${pathOf(item)}/remove`, { version: item.version }, say.removed(item))) close();
  }
  return (
    <div class="page">
      <div class="view-head">
        <h1>{item ? say.editOf({ name: item.name }) : say.newItem}</h1>
        <Button kind="quiet" onPress={close}>
          {words.frame.back}
        </Button>
      </div>
      <form class="panel menu-form" key={round} onSubmit={submit}>
        <Alert text={menu.error} />
        {item?.feed_changed && <p class="soft">{say.feedChanged}</p>}
        <Basics
          menu={menu}
          isNew={item === undefined}
          fields={fields}
          set={set}
          home={home}
          setHome={setHome}
          isUploading={isUploading}
          setUploading={setUploading}
        />
        <h2>{say.options}</h2>
        <Groups context={context} groups={fields.customizations} edit={(customizations) => set({ customizations })} />
        <CopyOptions menu={menu} fields={fields} set={set} />
        <details>
          <summary>{say.more}</summary>
          <More context={context} fields={fields} set={set} />
        </details>
        <div class="buttons">
          <Button submit kind="primary" isOff={!isReady} isBusy={isBusy}>
            {item ? say.save : say.saveAndNext}
          </Button>
          {item?.origin === 'edited' && (
            <AsFeed menu={menu} target="item" id={item.item_id} name={item.name} done={close} />
          )}
          {item ? (
            <Button kind="danger" isBusy={isBusy} onPress={() => void remove()}>
              {say.remove}
            </Button>
          ) : (
            <Button isOff={!isReady} isBusy={isBusy} onPress={() => void save().then((isDone) => isDone && close())}>
              {say.saveAndClose}
            </Button>
          )}
        </div>
      </form>
    </div>
  );
}

const pathOf = (item: MenuItem) => `/store/menu/items/${encodeURIComponent(item.item_id)}`;

type BasicsProps = SetFields & {
  menu: MenuDesk;
  isNew: boolean;
  home: string;
  setHome: (id: string) => void;
  isUploading: boolean;
  setUploading: (isUploading: boolean) => void;
};

/** Fields of every item: name, price, category, description and photo. */
function Basics({ menu, isNew, fields, set, home, setHome, isUploading, setUploading }: BasicsProps) {
  const { context } = menu.desk;
  const leaves = menu.lists.filter(({ category: { category_id: id } }) =>
    menu.lists.every((one) => one.category.parent_id !== id),
  );
  return (
    <>
      <label class="field">
        {say.name}
        <input
          ref={focusIfNew('', isNew)}
          value={fields.name}
          maxLength={500}
          required
          autocomplete="off"
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      </label>
      <div class="fields">
        <Amount context={context} label={say.price} cents={fields.price} set={(price) => set({ price })} />
        <label class="field">
          {say.category}
          <select value={home} onChange={({ currentTarget }) => setHome(currentTarget.value)}>
            {leaves.map(({ category }) => (
              <option key={category.category_id} value={category.category_id}>
                {category.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={fields.is_alcoholic}
          onChange={({ currentTarget }) => set({ is_alcoholic: currentTarget.checked })}
        />
        {say.alcoholic}
      </label>
      <label class="field">
        {say.description}
        <textarea
          rows={2}
          maxLength={10_000}
          value={fields.description ?? ''}
          onInput={({ currentTarget: { value } }) => set({ description: value === '' ? null : value })}
        />
      </label>
      <PhotoField
        context={context}
        title={words.photo.title}
        alt={words.photo.of({ name: fields.name })}
        photo={fields.image === null ? null : { url: fields.image, thumbnail: fields.thumbnail_image ?? fields.image }}
        set={(photo) => set({ image: photo?.url ?? null, thumbnail_image: photo?.thumbnail ?? null })}
        isBusy={isUploading}
        setBusy={setUploading}
      />
    </>
  );
}

type AsFeedProps = {
  menu: MenuDesk;
  target: 'item' | 'category';
  id: string;
  name: string;
  done?: () => void;
};

/** Ends the store's edit, so that its feed decides again. */
export function AsFeed({ menu, target, id, name, done = () => {} }: AsFeedProps) {
  async function end(): Promise<void> {
    if (await menu.send('POST', '/store/menu/as_feed', { target, target_id: id }, say.saved({ name }))) done();
  }
  return (
    <Button isBusy={menu.busy} onPress={() => void end()}>
      {say.asFeed}
    </Button>
  );
}

/** Leaves out options and groups whose name is empty, which are rows that were not used. */
function sent(fields: ItemFields): ItemFields {
  return { ...fields, customizations: namedGroups(fields.customizations) };
}

function namedGroups(groups: readonly MenuGroup[]): MenuGroup[] {
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

type AmountProps = {
  context: ConsoleContext;
  label: string;
  cents: number | null;
  set: (cents: number) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
};

/** An amount in the store's currency. What is no amount yet is NaN. */
function Amount({ context, label, cents, set, onKeyDown = () => {} }: AmountProps) {
  const { format } = context;
  const decimal = format.number(0.5, 1).replace(/\d/g, '') || '.';
  const zero = format.money(0);
  const [typed, setTyped] = useState(cents ? amountOf(cents, decimal) : '');
  const isWrong = centsOf(typed) === undefined;
  return (
    <label class="field">
      {label}
      <span class={/^\d/.test(zero) ? 'money after' : 'money'} data-sign={zero.replace(/[\d.,\s]/g, '')}>
        <input
          inputmode="decimal"
          autocomplete="off"
          placeholder={amountOf(0, decimal)}
          value={typed}
          aria-invalid={isWrong}
          onKeyDown={onKeyDown}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            set(centsOf(value) ?? Number.NaN);
          }}
        />
      </span>
    </label>
  );
}

/** A required choice of one, such as a size. */
const newGroup = (): MenuGroup => ({
  name: '',
  min_choice_options: 1,
  max_choice_options: 1,
  options: [newOption()],
});

type GroupsProps = {
  context: ConsoleContext;
  groups: readonly MenuGroup[];
  edit: (groups: readonly MenuGroup[]) => void;
  /** The option that opens these groups. */
  of?: string;
};

/** Option groups, nested in an option to any depth. */
function Groups({ context, groups, edit, of }: GroupsProps) {
  return (
    <div class="menu-group-list">
      {groups.map((group, at) => (
        <fieldset key={at} class="menu-group">
          <legend>{group.name || say.newGroup}</legend>
          <div class="fields">
            <label class="field">
              {say.groupName}
              <input
                value={group.name}
                maxLength={500}
                autocomplete="off"
                ref={focusIfNew(group.name)}
                onInput={({ currentTarget }) => edit(replaced(groups, at, { ...group, name: currentTarget.value }))}
              />
            </label>
            <Count
              label={say.atLeast}
              count={group.min_choice_options}
              set={(count = 0) => edit(replaced(groups, at, withMaximums({ ...group, min_choice_options: count })))}
            />
            <Count
              label={say.atMost}
              count={group.max_choice_options}
              set={(count = 0) => edit(replaced(groups, at, { ...group, max_choice_options: count }))}
            />
            <Count
              label={say.unitsAtLeast}
              count={group.min_total_units}
              set={(count) => edit(replaced(groups, at, withMaximums({ ...group, min_total_units: count })))}
            />
            <Count
              label={say.unitsAtMost}
              count={group.max_total_units}
              set={(count) => edit(replaced(groups, at, { ...group, max_total_units: count }))}
            />
          </div>
          <Options
            context={context}
            options={group.options}
            edit={(options) => edit(replaced(groups, at, { ...group, options }))}
          />
          <Button
            kind="quiet"
            label={say.removeOf({ name: group.name })}
            onPress={() => edit(groups.filter((_, n) => n !== at))}
          >
            {say.remove}
          </Button>
        </fieldset>
      ))}
      <Button
        kind={of === undefined ? 'plain' : 'quiet'}
        {...(of === undefined ? {} : { label: say.addGroupTo({ name: of }) })}
        onPress={() => edit([...groups, newGroup()])}
      >
        {of === undefined ? say.addGroup : say.addNested}
      </Button>
    </div>
  );
}

type OptionsProps = {
  context: ConsoleContext;
  options: readonly MenuOption[];
  edit: (options: readonly MenuOption[]) => void;
};

/** Options of a group. Enter in one adds the next, so that a list is typed without the mouse. */
function Options({ context, options, edit }: OptionsProps) {
  const addByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (options.at(-1)?.name !== '') edit([...options, newOption()]);
  };
  const sorting = useSorting(options, edit);
  return (
    <ul class="menu-options" ref={sorting.rows}>
      {options.map((option, at) => (
        <li key={option.id} class={sorting.markOf(at)}>
          <div class="menu-option">
            <Handle label={say.moveOf({ name: option.name })} {...sorting.handle(at)} />
            <label class="field">
              {say.option}
              <input
                value={option.name}
                maxLength={500}
                autocomplete="off"
                ref={focusIfNew(at === 0 ? '-' : option.name)}
                onKeyDown={addByEnter}
                onInput={({ currentTarget }) => edit(replaced(options, at, { ...option, name: currentTarget.value }))}
              />
            </label>
            <Amount
              context={context}
              label={say.extra}
              cents={option.price}
              onKeyDown={addByEnter}
              set={(price) => edit(replaced(options, at, { ...option, price }))}
            />
            <Button
              kind="quiet"
              label={say.removeOf({ name: option.name })}
              onPress={() => edit(options.filter((_, n) => n !== at))}
            >
              ✕
            </Button>
          </div>
          {(option.price > 0 || option.tax_class) && (
            <details open={option.tax_class !== undefined}>
              <summary>{say.taxClass}</summary>
              <TaxClassField
                inherited={say.asItem}
                chosen={option.tax_class ?? null}
                set={(tax_class) => edit(replaced(options, at, withTaxClass(option, tax_class)))}
              />
            </details>
          )}
          {option.name !== '' && (
            <Groups
              context={context}
              of={option.name}
              groups={option.customizations}
              edit={(customizations) => edit(replaced(options, at, { ...option, customizations }))}
            />
          )}
        </li>
      ))}
      <li>
        <Button kind="quiet" onPress={() => edit([...options, newOption()])}>
          {say.addOption}
        </Button>
      </li>
    </ul>
  );
}

function withTaxClass({ tax_class: _, ...option }: MenuOption, taxClass: TaxClass | null): MenuOption {
  return taxClass === null ? option : { ...option, tax_class: taxClass };
}

/** Focuses a field when it appears, if its text is empty: the one that was just added. A copy's name is selected. */
function focusIfNew(text: string, isSelected = false) {
  return (field: HTMLInputElement | null) => {
    if (!field || field.dataset.seen === 'yes') return;
    field.dataset.seen = 'yes';
    if (text === '') field.focus();
    if (isSelected) field.select();
  };
}

type CountProps = { label: string; count: number | undefined; set: (count: number | undefined) => void };

/** A whole number; an empty field is undefined. */
function Count({ label, count, set }: CountProps) {
  return (
    <label class="field">
      {label}
      <input
        type="number"
        inputmode="numeric"
        min={0}
        max={10_000}
        value={count ?? ''}
        onInput={({ currentTarget: { value, valueAsNumber } }) =>
          set(value === '' ? undefined : Math.max(0, Math.round(valueAsNumber || 0)))
        }
      />
    </label>
  );
}

type SetFields = { fields: ItemFields; set: (changes: Partial<ItemFields>) => void };

/** Copies the option groups of another item. */
function CopyOptions({ menu, fields, set }: SetFields & { menu: MenuDesk }) {
  const items = menu.lists.flatMap((list) => list.items).filter((one) => one.customizations.length > 0);
  if (items.length === 0) return null;
  return (
    <label class="field">
      {say.copyFrom}
      <select
        value=""
        onChange={({ currentTarget }) => {
          const item = items.find((one) => one.item_id === currentTarget.value);
          currentTarget.value = '';
          if (item) set({ customizations: [...fields.customizations, ...copyGroups(item.customizations)] });
        }}
      >
        <option value="">{say.copyNone}</option>
        {items.map((one) => (
          <option key={one.item_id} value={one.item_id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
}

const NO_FOOD: Food = { allergens: null, may_contain: null, diets: null, nutrition: null, source: null };

/** Fields that few items need: price for pickup, hours, food facts. */
function More({ context, fields, set }: SetFields & { context: ConsoleContext }) {
  const food = fields.food ?? NO_FOOD;
  const week = fields.hours === null ? null : readHours(fields.hours);
  const setFood = (changes: Partial<Food>) => set({ food: { ...food, ...changes } });
  return (
    <>
      <Amount
        context={context}
        label={say.pickupPrice}
        cents={fields.pickup_price}
        set={(cents) => set({ pickup_price: cents === 0 ? null : cents })}
      />
      <TaxClassField
        inherited={fields.is_alcoholic ? say.taxClasses.alcohol : say.asCategory}
        chosen={fields.tax_class}
        set={(tax_class) => set({ tax_class })}
      />
      <Checks
        title={say.contains}
        all={ALLERGENS}
        wordOf={(one) => words.terms.allergen[one]}
        chosen={food.allergens}
        set={(allergens) => setFood({ allergens })}
      />
      <Checks
        title={say.mayContain}
        all={ALLERGENS}
        wordOf={(one) => words.terms.allergen[one]}
        chosen={food.may_contain}
        set={(may_contain) => setFood({ may_contain })}
      />
      <Checks
        title={say.diets}
        all={DIETS}
        wordOf={(one) => say.diet[one]}
        chosen={food.diets}
        set={(diets) => setFood({ diets })}
      />
      <NutritionFacts facts={food.nutrition ?? {}} set={(nutrition) => setFood({ nutrition })} />
      <label class="choice">
        <input
          type="checkbox"
          checked={fields.hours !== null}
          onChange={({ currentTarget }) => set({ hours: currentTarget.checked ? formatHours(null) : null })}
        />
        {say.ownHours}
      </label>
      {week?.ok && (
        <WeekEditor format={context.format} week={week.hours} edit={(hours) => set({ hours: formatHours(hours) })} />
      )}
    </>
  );
}

type ChecksProps<Word extends string> = {
  title: string;
  all: readonly Word[];
  wordOf: (word: Word) => string;
  chosen: readonly string[] | null;
  set: (chosen: readonly string[] | null) => void;
};

/** Facts that are unknown while none is checked, unless the feed knows that there are none. */
function Checks<Word extends string>({ title, all, wordOf, chosen, set }: ChecksProps<Word>) {
  const has = new Set<string>(chosen ?? []);
  function toggle(word: Word, isOn: boolean): void {
    const next = all.filter((one) => (one === word ? isOn : has.has(one)));
    set(next.length === 0 ? null : next);
  }
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="choices">
        {all.map((word) => (
          <label class="choice" key={word}>
            <input
              type="checkbox"
              checked={has.has(word)}
              onChange={({ currentTarget }) => toggle(word, currentTarget.checked)}
            />
            {wordOf(word)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Kilocalories, and nutrients in the units of a label: milligrams where labels have those. */
const NUTRITION_FIELDS = [
  { key: 'calories', unit: '', perUnit: 1 } as const,
  ...NUTRIENTS.map((key) =>
    key === 'cholesterol' || key === 'sodium' ? { key, unit: 'mg', perUnit: 1000 } : { key, unit: 'g', perUnit: 1 },
  ),
];

type NutritionProps = {
  facts: NonNullable<Food['nutrition']>;
  set: (facts: Food['nutrition']) => void;
};

function NutritionFacts({ facts, set }: NutritionProps) {
  return (
    <fieldset>
      <legend>{say.nutrition}</legend>
      <div class="fields">
        {NUTRITION_FIELDS.map(({ key, unit, perUnit }) => {
          const amount = facts[key] ?? null;
          return (
            <label class="field" key={key}>
              {unit ? `${say.nutrients[key]} (${unit})` : say.nutrients[key]}
              <input
                type="number"
                inputmode="decimal"
                min={0}
                step="any"
                defaultValue={amount === null ? '' : String(Number((amount * perUnit).toFixed(3)))}
                onInput={({ currentTarget: { valueAsNumber: typed } }) =>
                  set({ ...facts, [key]: Number.isNaN(typed) ? null : typed / perUnit })
                }
              />
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
