/** Documents that must match the code: reasons for dependencies, pinned versions, lockfiles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

type Manifest = Readonly<
  Record<'dependencies' | 'devDependencies' | 'scripts', Readonly<Record<string, string>>>
>;
type Root = Manifest & { readonly workspaces: readonly string[] };
const manifest = JSON.parse(text('package.json')) as Root;
const workspaces = manifest.workspaces.map((folder) => {
  const name = `${folder}/package.json`;
  return JSON.parse(text(name)) as Partial<Manifest> & { readonly name: string; readonly version: string };
});
const { version: manifestVersion } = JSON.parse(text('package.json')) as { version: string };
/** Every package that one of our manifests names, with all its versions. */
const packages = Map.groupBy(
  [manifest, ...workspaces].flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  ),
  ([name]) => name,
);

test('every dependency has a reason, and every reason a dependency', () => {
  const rows = text('docs/dependencies.md').matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \| (.+) \|$/gm);
  const explained = [...rows].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(explained.toSorted()).toEqual([...packages.keys()].toSorted());
});

test('every dependency is pinned to one version, the same in every manifest', () => {
  for (const [name, entries] of packages) {
    const versions = new Set(entries.map(([, version]) => version));
    expect([...versions], name).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  }
});

test('the workspaces have the version of the root', () => {
  for (const { name, version } of workspaces) expect(version, name).toBe(manifestVersion);
});

/** Binaries of pcsc-mini that the registry lacked when the lockfile was written (docs/dependencies.md). */
const unseen = [
  ...['linux-aarch64-gnu', 'linux-aarch64-musl', 'linux-x86-gnu', 'linux-x86-musl'],
  ...['macos-aarch64', 'macos-x86_64', 'windows-aarch64-bun', 'windows-aarch64-node'],
  ...['windows-x86_64-bun', 'windows-x86_64-node'],
].map((name) => `node_modules/@pcsc-mini/${name}`);

test.each(['package-lock.json', 'setup/runtime/package-lock.json'])(
  '%s has a checksum for every package and names no host',
  (path) => {
    const lock = JSON.parse(text(path)) as {
      packages: Record<string, { integrity?: string; link?: boolean }>;
    };
    const ours = ['', ...manifest.workspaces, ...workspaces.map(({ name }) => `node_modules/${name}`)];
    for (const [name, entry] of Object.entries(lock.packages)) {
      if (![...ours, ...unseen].includes(name)) expect(entry.integrity, name).toMatch(/^sha\d+-/);
    }
    expect(text(path)).not.toMatch(/"resolved": "\w+:/);
  },
);

test('the version of the runtime is the same everywhere', () => {
  const { version, optionalDependencies } = JSON.parse(text('setup/runtime/package.json')) as {
    version: string;
    optionalDependencies: Readonly<Record<string, string>>;
  };
  expect(text('.nvmrc').trim()).toBe(version);
  for (const pinned of Object.values(optionalDependencies)) expect(pinned).toBe(version);
});

test('the changelog starts with Unreleased and contains the current version', () => {
  const versions = [...text('CHANGELOG.md').matchAll(/^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$/gm)];
  expect(versions[0]?.[1]).toBe('Unreleased');
  expect(versions.slice(1).map(([, version]) => version)).toContain(manifestVersion);
  for (const [, version, date] of versions.slice(1)) expect(date, version).toBeDefined();
});

test('the README names every command', () => {
  const readme = text('README.md');
  for (const script of Object.keys(manifest.scripts)) {
    expect(readme).toMatch(new RegExp(`npm (run )?${script}\\b`));
  }
});
