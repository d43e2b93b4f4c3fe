import { textOf } from '../source-files.ts';

type Locked = {
  version?: string;
  link?: boolean;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string | string[];
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
};
type Installation = { omit: readonly string[]; nodeMajor: number };

/** Packages of the lock file by folder; the root's name is empty. */
export const lockedPackages = (): Record<string, Locked> => JSON.parse(textOf('package-lock.json')).packages;

/**
 * The folders that `npm ci` creates below `node_modules` on this machine (glibc on Linux). npm omits the kinds in
 * `omit`, other platforms, and optional packages whose `engines` do not match, with their dependencies.
 */
export function installedPackages({ omit, nodeMajor }: Installation): string[] {
  const locked = lockedPackages();
  const unfit = new Set(
    Object.values(locked)
      .filter(({ optional, engines }) => optional && !takesNode(engines?.node, nodeMajor))
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .map((name) => `node_modules/${name}`),
  );
  return Object.entries(locked)
    .filter(([path, each]) => path.startsWith('node_modules/') && !each.link && !unfit.has(path))
    .filter(([, each]) => !isOmitted(each, omit) && fitsMachine(each))
    .map(([path]) => path);
}

/** The kinds accepted by npm's `--omit`, from the lock file's flags. */
function isOmitted({ dev, optional, devOptional, peer }: Locked, omit: readonly string[]): boolean {
  const omits = (kind: string) => omit.includes(kind);
  const isOfBoth = devOptional && omits('dev') && omits('optional');
  return Boolean((dev && omits('dev')) || (optional && omits('optional')) || (peer && omits('peer')) || isOfBoth);
}

function fitsMachine({ os, cpu, libc }: Locked): boolean {
  const fits = (wanted: string | string[] | undefined, own: string) =>
    wanted === undefined || [wanted].flat().includes(own);
  return fits(os, process.platform) && fits(cpu, process.arch) && (process.platform !== 'linux' || fits(libc, 'glibc'));
}

/** Among the ranges in optional packages, `<N` is the only one with an upper bound. */
function takesNode(range: string | undefined, major: number): boolean {
  const below = /^<(\d+)$/.exec(range ?? '')?.[1];
  return below === undefined || major < Number(below);
}
