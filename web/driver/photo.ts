/** The longer side of a photo: a door, a bag and a house number can be told from it. */
const MAX_SIDE = 1600;
const MAX_BYTES = 500_000;
const QUALITIES = [0.85, 0.7, 0.55, 0.4];

/** A smaller JPEG of a picture, turned upright, without the camera's metadata. Undefined where the phone cannot read it. */
export async function smallPhoto(file: File): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  for (let side = MAX_SIDE; side >= MAX_SIDE / 4; side /= 2) {
    const canvas = drawn(picture, side);
    for (const quality of QUALITIES) {
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
      if (blob && blob.size <= MAX_BYTES) return blob;
    }
  }
  return undefined;
}

function drawn(picture: ImageBitmap, maxSide: number): HTMLCanvasElement {
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
