import { useEffect, useState } from 'preact/hooks';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';

const NOTICE_DURATION_MS = 12_000;

/** A button of a notice, such as an undo. */
type NoticeAction = { label: string; run: () => void };
type Notice = { text: string; action?: NoticeAction | undefined };
export type Tell = (text: string, action?: NoticeAction) => void;

/** The latest message about an event, which disappears after a while, when dismissed, or with the next one. */
export function useNotice(): { notice: Notice | undefined; tell: Tell; close: () => void } {
  const [notice, setNotice] = useState<Notice | undefined>();
  const close = () => setNotice(undefined);
  useEffect(() => {
    if (!notice) return;
    const timer = window.setTimeout(close, NOTICE_DURATION_MS);
    return () => window.clearTimeout(timer);
  }, [notice]);
  return { notice, tell: (text, action) => setNotice({ text, action }), close };
}

/** Has a row of its own below the view, so that it covers nothing; the focused element stays in sight. */
export function NoticeRow({ notice, close }: { notice: Notice | undefined; close: () => void }) {
  useEffect(() => document.activeElement?.scrollIntoView({ block: 'nearest' }), [notice]);
  return (
    <div class="notices" role="status">
      {notice && (
        <div class="toast">
          <p>{notice.text}</p>
          {notice.action && (
            <Button
              kind="quiet"
              onPress={() => {
                close();
                notice.action?.run();
              }}
              text={notice.action.label}
            />
          )}
          <Button kind="quiet" onPress={close} text={words.frame.ok} />
        </div>
      )}
    </div>
  );
}

/** A part of the page that screen readers announce when it appears. */
export function Alert({ text }: { text: string }) {
  // The live region is rendered before its text, because screen readers announce changes only.
  const [shown, setShown] = useState('');
  useEffect(() => setShown(text), [text]);
  return (
    <p class="error" role="alert">
      {shown}
    </p>
  );
}
