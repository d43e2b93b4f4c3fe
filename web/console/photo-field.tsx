import { useEffect, useRef } from 'preact/hooks';
import { MAX_PHOTO_BYTES } from '../../src/supply/photos/photo.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { useRun } from '../use-read.ts';
import type { ConsoleContext } from './console-context.ts';
import { Alert } from './notices.tsx';

const { photo: say } = words;

/** Addresses of a photo: the whole one, and its smallest size. */
export type Photo = { url: string; thumbnail: string };
type Uploaded = { url: string; sizes: { small: { url: string } } };

/** Without HEIC, so that phones convert theirs to JPEG. */
const FORMATS = 'image/jpeg,image/png,image/webp';

type Props = {
  context: ConsoleContext;
  title: string;
  /** The photo's description, for people who do not see it. */
  alt: string;
  photo: Photo | null;
  set: (photo: Photo | null) => void;
  setUploading?: (isUploading: boolean) => void;
};

/** A photo with the buttons that choose, take and remove it. It is uploaded as it is chosen, and saved by the form. */
export function PhotoField({ context, title, alt, photo, set, setUploading }: Props) {
  const { busy, error, run } = useRun();
  const isBusy = busy !== '';
  useEffect(() => setUploading?.(isBusy), [isBusy]);
  const chooser = useRef<HTMLInputElement>(null);
  const upload = (file: File) =>
    run('upload', async () => {
      if (file.size > MAX_PHOTO_BYTES) throw new Error(words.errors.codes.body_too_large);
      const { url, sizes } = await context.api.upload<Uploaded>('/store/photos', file);
      set({ url, thumbnail: sizes.small.url });
    });
  function choose({ currentTarget }: { currentTarget: HTMLInputElement }): void {
    const [file] = currentTarget.files ?? [];
    // So that the same file can be chosen again.
    currentTarget.value = '';
    if (file && !isBusy) void upload(file);
  }
  return (
    <fieldset class="photo-field" aria-busy={isBusy}>
      <legend>{title}</legend>
      {photo ? <img src={photo.thumbnail} alt={alt} width="96" height="96" /> : <span class="photo-frame" />}
      <div>
        <div class="press-row">
          <label class="button photo-button">
            {photo ? say.replace : say.choose}
            <input ref={chooser} type="file" accept={FORMATS} onChange={choose} />
          </label>
          <label class="button photo-button photo-camera">
            {say.take}
            <input type="file" accept={FORMATS} capture="environment" onChange={choose} />
          </label>
          {photo && (
            <Button
              kind="quiet"
              onPress={() => {
                set(null);
                chooser.current?.focus();
              }}
              text={say.remove}
            />
          )}
        </div>
        <p class="hint" role="status">
          {isBusy ? say.uploading : say.formats}
        </p>
        <Alert text={error} />
      </div>
    </fieldset>
  );
}
