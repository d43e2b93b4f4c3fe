/** The parts that are used of libheif's WebAssembly build; the package has no types of its own for them. */
declare module 'libheif-js/wasm-bundle.js' {
  type Pixels = { data: Uint8ClampedArray; width: number; height: number };
  type HeifImage = {
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    /** Decodes into `target` as RGBA; calls back with null if that fails. */
    display(target: Pixels, done: (decoded: Pixels | null) => void): void;
  };
  const libheif: { HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] } };
  export default libheif;
}
