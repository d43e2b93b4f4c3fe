import { useEffect, useRef, useState } from 'preact/hooks';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Form } from '../field.tsx';
import { statusOf } from '../request.ts';
import { messageOf, useRun } from '../use-read.ts';
import type { ConsoleContext } from './console-context.ts';
import { LanguageChoice } from './language-choice.tsx';
import { clearStored } from './local-storage.ts';

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
  const { busy, error, run } = useRun();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    input.current?.focus();
    // A browser that followed a link from another site sends no cookie, although it may have a session.
    if (hasEnded) clearStored();
    else void openOwn(context);
  }, []);

  async function submit(): Promise<void> {
    const isSignedIn = await run('in', async () => {
      const sent = context.api.send<{ role: string }>('POST', '/console/sign-in', { code });
      const { role } = await sent.catch((failure) => Promise.reject(new Error(refusalInWords(failure))));
      location.replace(role === 'operator' ? `${context.base}/console/operator` : context.home);
      // Busy until the page is left: a code works once.
      await new Promise(() => {});
    });
    if (!isSignedIn) input.current?.select();
  }

  return (
    <main class="sign-in">
      <Form submit={submit} noValidate>
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
          isBusy={busy !== ''}
          isOff={code.replaceAll('-', '').length < CODE_LENGTH}
          text={busy ? words.signIn.busy : words.signIn.title}
        />
        <p id="code-hint" class="hint">
          {words.signIn.hint}
        </p>
        {isOperators && <a href={`${context.base}/console/operator/sign-in`}>{words.signIn.operators}</a>}
        <LanguageChoice context={context} />
      </Form>
    </main>
  );
}

async function openOwn({ home }: ConsoleContext): Promise<void> {
  const answer = await fetch(home, { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok && /data-page="console"/.test(await answer.text())) location.replace(home);
}
