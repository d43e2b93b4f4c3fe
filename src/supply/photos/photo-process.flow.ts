import { Worker } from 'node:worker_threads';

/* The process that decodes one photo, within limits of memory and time, and the messages between it and its parent. */

// Child process of convert-photo.flow.ts, because decoders of images are native code and a crafted file may crash one
// or fill its memory. It converts one photo and is killed.

export type PhotoLimits = { maxPixels: number; memoryMb: number; heapMb: number; cpuMs: number; answerMs: number };

/** `other_format`: not JPEG, PNG or WebP. `too_much_work`: a limit of memory or time was reached. */
export type PhotoFault = 'other_format' | 'unreadable' | 'too_many_pixels' | 'too_much_work';

/** A converted photo: each size as WebP. */
export type PhotoSizes<Size extends string> = Readonly<
  Record<Size, { bytes: Uint8Array; width: number; height: number }>
>;

/** The parent's only message. `maxSides` has the longest side of each size in pixels. */
export type PhotoRequest = { bytes: Uint8Array; limits: PhotoLimits; maxSides: Readonly<Record<string, number>> };

export type PhotoAnswer<Size extends string> =
  | { kind: 'converted'; sizes: PhotoSizes<Size> }
  | { kind: 'refused'; fault: PhotoFault };

/** `failed`: because of the decoder or its installation, not because of the file. */
export type ProcessAnswer<Size extends string> = PhotoAnswer<Size> | { kind: 'failed'; reason: string };

type Pixels = { data: Uint8Array; width: number; height: number; channels: 1 | 2 | 3 | 4 };

/** Thrown for a photo that cannot be converted; the message is its `PhotoFault`. */
class UnusablePhoto extends Error {}

/** The decoders of libvips that may see an upload. GIF, SVG, TIFF, PDF and all others stay off. */
const DECODERS = ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);

async function convert({ bytes, limits, maxSides }: PhotoRequest): Promise<PhotoAnswer<string>> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  const largest = Math.max(...Object.values(maxSides));
  const decode = async (): Promise<Pixels> => {
    const image = await openImage(sharp, bytes, limits);
    // Writes no metadata: sharp keeps none by default, and orientation and color profile are applied here.
    const { data, info } = await image
      .autoOrient()
      .resize(largest, largest, { fit: 'inside', withoutEnlargement: true })
      .toColorspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { ...info, data };
  };
  const pixels = await decode().catch(faultOf);
  if (typeof pixels === 'string') return { kind: 'refused', fault: pixels };
  const sizes = await Promise.all(
    Object.entries(maxSides).map(async ([name, side]) => {
      const webp = await sharpOfPixels(sharp, pixels)
        .resize(side, side, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer({ resolveWithObject: true });
      return [name, { bytes: webp.data, width: webp.info.width, height: webp.info.height }];
    }),
  );
  return { kind: 'converted', sizes: Object.fromEntries(sizes) };
}

function faultOf(error: unknown): PhotoFault {
  const isOverLimit = error instanceof Error && /pixel limit|too_many_pixels/.test(error.message);
  return isOverLimit ? 'too_many_pixels' : 'unreadable';
}

type Sharp = typeof import('sharp').default;

/** Opens the first frame of a complete image. */
async function openImage(sharp: Sharp, bytes: Uint8Array, { maxPixels }: PhotoLimits) {
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels, pages: 1 });
  const { width, height } = await image.metadata();
  if (!(width > 0 && height > 0)) throw new UnusablePhoto('unreadable');
  if (width * height > maxPixels) throw new UnusablePhoto('too_many_pixels');
  return image;
}

function sharpOfPixels(sharp: Sharp, { data, width, height, channels }: Pixels) {
  return sharp(data, { raw: { width, height, channels } });
}

/**
 * Ends this process when it has used too much memory or processor time of its own. Runs in a thread,
 * because a decoder may block this one.
 */
function watchUse({ memoryMb, cpuMs }: PhotoLimits): void {
  const watch = `setInterval(() => {
    const { user, system } = process.cpuUsage();
    const isOver = process.memoryUsage.rss() > ${memoryMb * 2 ** 20} || user + system > ${cpuMs * 1000};
    if (isOver) process.kill(process.pid, 'SIGKILL');
  }, 20)`;
  new Worker(watch, { eval: true }).unref();
}

process.on('disconnect', () => process.exit(0));
process.once('message', (request: PhotoRequest) => {
  watchUse(request.limits);
  convert(request).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ kind: 'failed', reason: String(error) } satisfies ProcessAnswer<string>),
  );
});
