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
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
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
  let fit = Object.entries(locked).filter(
    ([path, each]) =>
      path === '' ||
      (!isOmitted(each, omit) && fitsMachine(each) && !(each.optional && !takesNode(each.engines?.node, nodeMajor))),
  );
  for (let before = 0; before !== fit.length; ) {
    before = fit.length;
    const wanted = new Set(fit.flatMap(([, each]) => neededBy(each)));
    fit = fit.filter(([path]) => !path.startsWith('node_modules/') || wanted.has(nameIn(path)));
  }
  return fit.filter(([path, each]) => path.startsWith('node_modules/') && !each.link).map(([path]) => path);
}

const neededBy = (each: Locked): string[] =>
  [each.dependencies, each.devDependencies, each.optionalDependencies, each.peerDependencies].flatMap((some) =>
    Object.keys(some ?? {}),
  );

/** The package's name, whatever packages its folder lies in. */
const nameIn = (path: string): string => path.split('node_modules/').at(-1) ?? path;

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
