import type { ComponentChildren } from 'preact';
import { Button } from '../button.tsx';
import { Field, Form } from '../field.tsx';

/** A search that is part of the page's URL, so that it can be saved and sent to a colleague. */
export function SearchForm({
  tab,
  query,
  label,
  verb = 'Search',
  links,
  children,
}: {
  tab: string;
  query: URLSearchParams;
  /** The label of the search text; without it, the form has only its children. */
  label?: string;
  verb?: string;
  /** Behind the button. */
  links?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const submit = (fields: FormData) => {
    const given = [...fields].map(([name, value]) => [name, String(value).trim()]);
    const text = new URLSearchParams(given.filter(([, value]) => value !== '')).toString();
    location.hash = text === '' ? `#/${tab}` : `#/${tab}?${text}`;
  };
  return (
    <search>
      <Form class="search" key={query.toString()} submit={submit}>
        {label !== undefined && (
          <Field
            class="grow"
            label={label}
            type="search"
            name="query"
            maxLength={200}
            defaultValue={query.get('query') ?? ''}
          />
        )}
        {children}
        <Button submit kind="main" text={verb} />
        {links}
      </Form>
    </search>
  );
}

type PagerProps = { tab: string; query: URLSearchParams; next: string | number | null; name?: string };

/** Links to the next page of a list, and back to the first. */
export function Pager({ tab, query, next, name = 'before' }: PagerProps) {
  const others = [...query].filter(([key]) => key !== name);
  const first = new URLSearchParams(others).toString();
  const more = new URLSearchParams([...others, [name, String(next)]]).toString();
  if (next === null && !query.has(name)) return null;
  return (
    <p class="pager">
      {query.has(name) && <a href={`#/${tab}${first && `?${first}`}`}>First page</a>}
      {next !== null && <a href={`#/${tab}?${more}`}>Next page</a>}
    </p>
  );
}
