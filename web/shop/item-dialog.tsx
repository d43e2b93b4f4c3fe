import { useEffect, useRef, useState } from 'preact/hooks';
import type { Customization, Option } from '../../clients/typescript/src/api-types.ts';
import { DoorstepError } from '../../clients/typescript/src/errors.ts';
import type { Allergen } from '../../src/supply/catalog/food.ts';
import { food } from '../../src/texts/en/food.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { isRight } from '../wrong-fields.ts';
import { type CartLine, lineCents, MAX_QUANTITY } from './cart.ts';
import {
  type Choices,
  choose,
  chosenCount,
  chosenOptions,
  chosenUnits,
  firstChoices,
  isMet,
  isRequired,
  optionCents,
  unitCents,
  unitsLeft,
  unmet,
} from './choices.ts';
import { isObject, type Kept, keep, readKept } from './device.ts';
import { newId } from './kept-state.ts';
import { Picture, Price, type Product, unavailableText } from './product-list.tsx';
import { Sheet, Stepper } from './sheet.tsx';
import { useShop } from './shop-context.ts';
import { useStore } from './store-context.ts';
import { aboutText, firstQuantity, weightOf, weightText } from './weights.ts';

/* A product's dialog: option groups to any depth, quantity, notes and the running price. */

const { item: say, frame } = words;

type Props = {
  productId: string;
  /** Its entry in the menu; undefined where it does not list it. */
  listed: Product | undefined;
  /** The changed line of the cart; undefined for a new one. */
  line: CartLine | undefined;
  save: (line: CartLine) => void;
};

/** A product with its choices, on its way into the cart. */
export function ItemDialog({ productId, listed, line, save }: Props) {
  const { pickup, close } = useStore();
  const { product, state } = useDetails(productId, listed, pickup);
  if (product) return <Chooser key={product.product_id} product={product} line={line} save={save} />;
  const text = state === 'gone' ? say.gone : state === 'failed' ? frame.failed : frame.loading;
  return (
    <Sheet title={listed?.name ?? frame.loading} close={close}>
      <p role="status" class="hint">
        {text}
      </p>
    </Sheet>
  );
}

/** The product with all of its choices: as the menu lists it, or read. */
function useDetails(productId: string, listed: Product | undefined, pickup: boolean) {
  const { api } = useShop();
  const isKnown = listed !== undefined && !listed.should_fetch_customizations;
  const [read, setRead] = useState<Product>();
  const [state, setState] = useState<'loading' | 'gone' | 'failed'>('loading');
  useEffect(() => {
    if (isKnown) return;
    const controller = new AbortController();
    api.products.get({ product_id: productId, pickup }, { signal: controller.signal }).then(
      ({ description, image, thumbnail_image, ...product }) =>
        setRead({
          ...product,
          should_fetch_customizations: false,
          description: description ?? undefined,
          image: image ?? undefined,
          thumbnail_image: thumbnail_image ?? undefined,
        }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState(error instanceof DoorstepError && error.status === 404 ? 'gone' : 'failed');
      },
    );
    return () => controller.abort();
  }, [productId, pickup, isKnown]);
  return { product: isKnown ? listed : read, state };
}

type ChooserProps = Pick<Props, 'line' | 'save'> & { product: Product };

function Chooser({ product, line, save }: ChooserProps) {
  const { format, shelf, close } = useStore();
  const { name, description, customizations, is_available: isAvailable = true } = product;
  const draftId = `${product.product_id} ${line?.lineId ?? ''}`;
  const [first] = useState(() => draftOf(draftId, product, line));
  const [choices, setChoices] = useState<Choices>(() => new Map(first.choices));
  const [quantity, setQuantity] = useState(first.quantity);
  const [notes, setNotes] = useState(first.notes);
  const [isSubmitted, setSubmitted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const missing = unmet(customizations, choices);
  const unit = unitCents(product, choices);
  const byWeight = weightOf(product);
  const weight = byWeight && { ...byWeight, optionsCents: unit - product.price };
  const amount = format.money(lineCents({ unitCents: unit, quantity, weight }));

  useEffect(() => keep(DRAFT, { id: draftId, choices: [...choices], quantity, notes }), [choices, quantity, notes]);
  // A closed item is forgotten; a page that is reloaded unmounts nothing.
  useEffect(() => () => keep(DRAFT, undefined), []);

  function finish(event: Event): void {
    event.preventDefault();
    if (!form.current || !isRight(form.current)) {
      setSubmitted(true);
      return;
    }
    save({
      lineId: line?.lineId ?? newId(),
      productId: product.product_id,
      name,
      image: product.thumbnail_image ?? product.image ?? '',
      quantity,
      unitCents: unit,
      ...(weight ? { weight } : {}),
      options: chosenOptions(customizations, choices),
      notes: notes.trim(),
    });
  }

  const submit = line ? say.update({ amount }) : say.add({ amount });
  const footer = isAvailable ? (
    <>
      <Amount product={product} quantity={quantity} set={setQuantity} />
      <button type="submit" form="item" class={missing.length > 0 ? 'main waiting' : 'main'}>
        {submit}
      </button>
    </>
  ) : (
    <p class="lacks">{unavailableText(product, shelf)}</p>
  );
  const image = product.image ?? product.thumbnail_image;
  return (
    <Sheet title={name} close={close} footer={footer}>
      {image && <Picture source={image} isLarge />}
      <form id="item" ref={form} onSubmit={finish}>
        <p class="item-price">
          <Price product={product} format={format} />
        </p>
        {description && <p class="hint">{description}</p>}
        {foodTexts(product.food).map((text) => (
          <p key={text} class="hint">
            {text}
          </p>
        ))}
        <Groups customizations={customizations} choices={choices} set={setChoices} isSubmitted={isSubmitted} />
        <label class="item-notes">
          {say.notes}
          <textarea
            rows={2}
            maxLength={500}
            placeholder={say.notesHint}
            value={notes}
            onInput={(event) => setNotes(event.currentTarget.value)}
          />
        </label>
      </form>
    </Sheet>
  );
}

type AmountProps = { product: Product; quantity: number; set: (quantity: number) => void };

/** How much of a product: units, steps of a weight, or pieces with about what they weigh. */
function Amount({ product, quantity, set }: AmountProps) {
  const { format } = useStore();
  const weight = weightOf(product);
  const max = weight?.max ?? Math.min(product.qty_available ?? MAX_QUANTITY, MAX_QUANTITY);
  const text = weight && weightText(weight, quantity, format);
  return (
    <>
      <Stepper name={product.name} quantity={quantity} set={set} min={weight?.min ?? 1} max={max} text={text} />
      {weight?.isByPiece && <span class="hint">{aboutText(weight, quantity, format)}</span>}
    </>
  );
}

/** A product's known food facts. An unnamed allergen may still be present. */
function foodTexts(known: Product['food']): string[] {
  const calories = known?.nutrition?.calories ?? undefined;
  const named = (list: readonly Allergen[] | null = []) => (list ?? []).map((one) => food.allergen[one]).join(', ');
  const [allergens, traces] = [named(known?.allergens), named(known?.may_contain)];
  return [
    ...(calories === undefined ? [] : [food.calories({ count: calories })]),
    ...(allergens === '' ? [] : [food.allergens({ list: allergens })]),
    ...(traces === '' ? [] : [food.mayContain({ list: traces })]),
  ];
}

type GroupsProps = {
  customizations: readonly Customization[];
  choices: Choices;
  set: (choices: Choices) => void;
  /** Whether the customer has tried to continue, so that missing choices are shown. */
  isSubmitted: boolean;
};

function Groups({ customizations, ...rest }: GroupsProps) {
  return customizations.map((one) => <Group key={one.customization_id} customization={one} {...rest} />);
}

function Group({ customization, ...rest }: Omit<GroupsProps, 'customizations'> & { customization: Customization }) {
  const { name, min_choice_options: min, max_choice_options: max, options, customization_id: id } = customization;
  const { choices, isSubmitted } = rest;
  const { min_total_units: minUnits = 0, max_total_units: maxUnits } = customization;
  const count = chosenCount(customization, choices);
  const limitsUnits = minUnits > 0 || maxUnits !== undefined;
  const isDone = isMet(customization, choices);
  const isMissing = isSubmitted && !isDone;
  return (
    <fieldset
      class="group"
      data-wrong={!isDone || undefined}
      {...(isMissing ? { 'aria-describedby': `missing-${id}` } : {})}
    >
      <legend>
        <span class="group-name">{name}</span>{' '}
        <span class="hint">
          {ruleText(min, Math.min(max, options.length))}
          {limitsUnits && ` · ${say.units({ min: minUnits, max: maxUnits })}`}
        </span>{' '}
        <span class={isRequired(customization) ? (isDone ? 'tag met' : 'tag needed') : 'tag'}>
          {isRequired(customization) ? say.required : say.optional}
        </span>
      </legend>
      {isMissing && (
        <p class="fault" id={`missing-${id}`} role="alert">
          {say.missing({ name })}
        </p>
      )}
      {max > 1 && count > 0 && (
        <p class="hint">
          {say.chosen({ count, max: Math.min(max, options.length) })}
          {limitsUnits &&
            ` · ${say.units({ min: chosenUnits(customization, choices), max: chosenUnits(customization, choices) })}`}
        </p>
      )}
      <ul>
        {options.map((option) => (
          <OptionRow
            key={option.option_id}
            customization={customization}
            option={option}
            isFull={max > 1 && count >= max}
            {...rest}
          />
        ))}
      </ul>
    </fieldset>
  );
}

function ruleText(min: number, max: number): string {
  if (min === max) return max === 1 ? say.chooseOne : say.chooseExactly({ count: max });
  return min === 0 ? say.chooseUpTo({ count: max }) : say.chooseBetween({ min, max });
}

type OptionProps = Omit<GroupsProps, 'customizations'> & {
  customization: Customization;
  option: Option;
  isFull: boolean;
};

function OptionRow({ customization, option, isFull, ...rest }: OptionProps) {
  const { choices, set } = rest;
  const { format } = useStore();
  const { option_id: id, name, customizations, min_qty: min, max_qty: max } = option;
  const { min_choice_options: fewest, max_choice_options: most, customization_id: group } = customization;
  const quantity = choices.get(id) ?? 0;
  const isChosen = quantity > 0;
  const left = most === 1 && !isChosen ? max : quantity + unitsLeft(customization, choices);
  const cents = optionCents(option, choices);
  const isRadio = fewest === 1 && most === 1;
  const setQuantity = (next: number) => set(choose(customization, option, next, choices));
  return (
    <li>
      <div class="option">
        <label>
          <input
            type={isRadio ? 'radio' : 'checkbox'}
            name={group}
            checked={isChosen}
            disabled={!isChosen && (isFull || left < Math.max(1, min))}
            onChange={() => setQuantity(isChosen && !isRadio ? 0 : Math.max(1, min))}
          />
          <span>{name}</span>
          {cents !== 0 && <span class="extra">{format.extra(cents)}</span>}
        </label>
        {isChosen && max > 1 && (
          <Stepper name={name} quantity={quantity} min={Math.max(1, min)} max={Math.min(max, left)} set={setQuantity} />
        )}
      </div>
      {isChosen && customizations.length > 0 && (
        <div class="nested">
          <Groups customizations={customizations} {...rest} />
        </div>
      )}
    </li>
  );
}

/** The customer's choices for the open item: the device keeps it, so that a reload loses nothing. */
type Draft = { id: string; choices: readonly (readonly [string, number])[]; quantity: number; notes: string };

const isDraft = (value: unknown): value is Draft => isObject(value) && Array.isArray(value.choices);
const DRAFT: Kept<Draft> = { name: 'item', isValue: isDraft };

function draftOf(id: string, product: Product, line: CartLine | undefined): Draft {
  const kept = readKept(DRAFT);
  if (kept?.id === id) return kept;
  if (!line) {
    const choices = [...firstChoices(product.customizations)];
    return { id, choices, quantity: firstQuantity(product), notes: '' };
  }
  const { options, notes, weight } = line;
  const one = weightOf(product)?.one;
  const quantity = weight && one ? Math.round((line.quantity * weight.one) / one) : line.quantity;
  return { id, choices: options.map((option) => [option.optionId, option.quantity]), quantity, notes };
}
