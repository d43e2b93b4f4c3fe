import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { contrastOf } from '../src/access/accounts/brand-colors.ts';
import { CORNERS, FONTS, type Look, lookName, lookProperties } from '../src/access/accounts/brand-look.ts';
import type { StoreBrand } from '../src/surfaces/store-console/brands.route.ts';
import { brand as words } from '../src/texts/en/brand.ts';
import { Field, Form, Select } from './field.tsx';

/* The form of a brand, with a shop in it on a phone and a desktop (docs/branding.md). */

/** A shop's brand before it is saved. */
export type BrandDraft = Omit<StoreBrand, 'account_id'>;

type PictureProps = { label: string; url: string | null; set(url: string | null): void };
type Props = {
  saved: BrandDraft;
  /** The service's path. */
  base: string;
  save(draft: BrandDraft): void;
  /** How a picture is chosen; without it, by its URL. */
  picture?: (props: PictureProps) => ComponentChildren;
  /** The button that saves, and why it failed. */
  children: ComponentChildren;
};

export function BrandForm({ saved, base, save, picture = pictureUrl, children }: Props) {
  const { display_name, logo_url, cover_url, welcome, color, corners, font } = saved;
  const [draft, setDraft] = useState<BrandDraft>({ display_name, logo_url, cover_url, welcome, color, corners, font });
  const set = (change: Partial<BrandDraft>) => setDraft((before) => ({ ...before, ...change }));
  const shown = { ...draft, color: isColor(draft.color) ? draft.color : null };
  return (
    <Form class="brand-form" submit={() => save(draft)}>
      <div class="fields">
        <Field
          label={words.name}
          maxLength={60}
          value={draft.display_name ?? ''}
          set={(text) => set({ display_name: text })}
        />
        <Field
          label={words.welcome}
          maxLength={80}
          value={draft.welcome ?? ''}
          set={(text) => set({ welcome: text })}
        />
        {picture({ label: words.logo, url: draft.logo_url, set: (url) => set({ logo_url: url }) })}
        {picture({ label: words.cover, url: draft.cover_url, set: (url) => set({ cover_url: url }) })}
        <Field
          label={`${words.color}, #rrggbb`}
          pattern="#[0-9a-fA-F]{6}"
          maxLength={7}
          value={draft.color ?? ''}
          set={(text) => set({ color: text.toLowerCase() || null })}
        />
        <Select
          label={words.corners}
          value={draft.corners}
          set={(corners) => set({ corners })}
          options={CORNERS.map((one) => [one, words.cornersOf[one]])}
        />
        <Select
          label={words.fonts}
          value={draft.font}
          set={(font) => set({ font })}
          options={FONTS.map((one) => [one, words.fontsOf[one]])}
        />
        {shown.color && <p class="soft">{contrastText(shown.color)}</p>}
        {children}
      </div>
      <BrandPreview draft={shown} base={base} />
    </Form>
  );
}

const isColor = (text: string | null) => text !== null && /^#[0-9a-f]{6}$/.test(text);

/** Half an address names another host, so the preview loads only a whole one. */
function pictureUrl({ label, url, set }: PictureProps) {
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }) => set(currentTarget.value);
  const checks = { type: 'url', pattern: `(https:/|${location.origin})/.+`, maxLength: 2048 } as const;
  return <Field label={`${label}, https`} {...checks} defaultValue={url ?? ''} onChange={take} />;
}

/** A shop in the brand, on a phone and on a desktop. */
function BrandPreview({ draft, base }: { draft: BrandDraft; base: string }) {
  const element = useRef<HTMLDivElement>(null);
  const name = draft.display_name || 'Doorstep';
  useEffect(() => {
    const { light, dark } = lookProperties(draft);
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    element.current?.removeAttribute('style');
    // The policy of the page forbids styles in markup, but not from a script.
    for (const [property, value] of Object.entries({ ...light, ...(isDark && dark) })) {
      element.current?.style.setProperty(property, value);
    }
    loadFonts(base, draft.font).catch(() => {});
  }, [lookName(draft)]);
  return (
    <div ref={element} class="brand-preview" aria-hidden="true">
      {(['narrow', 'wide'] as const).map((screen) => (
        <article key={screen} class={screen}>
          <p class="brand">{draft.logo_url ? <img src={draft.logo_url} alt={name} height="24" /> : name}</p>
          <div class="cover">
            {draft.cover_url && <img src={draft.cover_url} alt="" />}
            <h3>{draft.welcome || name}</h3>
          </div>
          <p class="card">
            <b>{words.dish}</b> <span class="soft">{words.dishText}</span>
            <span class="offer">{words.offer}</span>
          </p>
          <p class="action main">{words.checkout}</p>
        </article>
      ))}
    </div>
  );
}

/** A color's contrast, and the pages' replacement where it would be unreadable. */
function contrastText(color: string): string {
  const { light, dark } = lookProperties({ color, corners: 'soft', font: 'system' });
  const ratio = (one = '', other = '') => `${contrastOf(one, other).toFixed(1)}:1`;
  const { buttons, text, textAs, dark: darkText, darkAs, kept } = words.contrast;
  const of = (asItIs: typeof text, as: typeof textAs, accent = '', ground = '') =>
    (accent === color ? asItIs : as)({ ratio: ratio(accent, ground), color: accent });
  return [
    buttons({ ratio: ratio(light['--on-button'], light['--button']) }),
    of(text, textAs, light['--accent'], '#ffffff'),
    of(darkText, darkAs, dark['--accent'], '#1c1f1c'),
    kept,
  ].join(' ');
}

/** Loads a pair's fonts, which the pages' own style sheet of it names. */
async function loadFonts(base: string, font: Look['font']): Promise<void> {
  if (font === 'system') return;
  const sheet = await (await fetch(`${base}/tracking/colors/plain-${font}.css`)).text();
  for (const [, family = '', weight = '', file = ''] of sheet.matchAll(
    /family:"([^"]+)";font-weight:(\d+);[^}]*assets\/([^)]+)\)/g,
  )) {
    document.fonts.add(new FontFace(family, `url(${base}/tracking/assets/${file})`, { weight }));
  }
}
