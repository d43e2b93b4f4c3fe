import { useEffect, useRef, useState } from 'preact/hooks';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { statusOf } from '../request.ts';
import { messageOf } from '../use-read.ts';
import type { ConsoleContext } from './console-context.ts';
import { LanguageChoice } from './language-choice.tsx';
import { clearStored } from './local-storage.ts';

/* The sign-in of a store with its access code. */

const CODE_LENGTH = 12;

/** Formats a code in groups of four letters and digits. */
function groupCode(text: string): string {
  const characters = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return (characters.match(/.{1,4}/g) ?? []).join('-');
}

function refusalInWords(error: unknown): string {
  const status = statusOf(error);
  if (status === 401) return words.signIn.wrongCode;
  return status === 429 ? words.signIn.tooMany : messageOf(error);
}

type SignInProps = { context: ConsoleContext; hasEnded: boolean; isOperators: boolean };

/** The sign-in form of the console. */
export function SignIn({ context, hasEnded, isOperators }: SignInProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    input.current?.focus();
    // A browser that followed a link from another site sends no cookie, although it may have a session.
    if (hasEnded) clearStored();
    else void openOwn(context);
  }, []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      const { role } = await context.api.send<{ role: string }>('POST', '/console/sign-in', { code });
      location.replace(role === 'operator' ? `${context.base}/console/operator` : context.home);
    } catch (failure) {
      setBusy(false);
      setError(refusalInWords(failure));
      input.current?.select();
    }
  }

  return (
    <main class="sign-in">
      <form onSubmit={submit} noValidate>
        <p class="wordmark">Doorstep</p>
        {context.sandbox !== undefined && <p class="sandbox-mark">{words.frame.sandbox}</p>}
        <h1>{words.signIn.title}</h1>
        {hasEnded && <p class="hint">{words.signIn.signedOut}</p>}
        <label for="code">{words.signIn.code}</label>
        <input
          ref={input}
          id="code"
          name="code"
          class="code"
          placeholder="XXXX-XXXX-XXXX"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          required
          minLength={CODE_LENGTH}
          value={code}
          aria-describedby="code-hint code-error"
          aria-invalid={error !== ''}
          onInput={({ currentTarget }) => setCode(groupCode(currentTarget.value))}
        />
        <p id="code-error" class="error" role="alert">
          {error}
        </p>
        <Button
          kind="main"
          submit
          isBusy={isBusy}
          isOff={code.replaceAll('-', '').length < CODE_LENGTH}
          text={isBusy ? words.signIn.busy : words.signIn.title}
        />
        <p id="code-hint" class="hint">
          {words.signIn.hint}
        </p>
        {isOperators && <a href={`${context.base}/console/operator/sign-in`}>{words.signIn.operators}</a>}
        <LanguageChoice context={context} />
      </form>
    </main>
  );
}

async function openOwn({ home }: ConsoleContext): Promise<void> {
  const answer = await fetch(home, { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok && /data-page="console"/.test(await answer.text())) location.replace(home);
}
