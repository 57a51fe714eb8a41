/** The npm packages that an app for one system contains, found in a small lockfile. */
import { expect, test } from 'vitest';
import { type LockedPackages, lockedFor, partsOf } from '../../packaging/parts.ts';
import { systems } from '../../packaging/systems.ts';

const packages: LockedPackages = {
  '': { dependencies: { a: '1.0.0', own: '1.0.0', pictures: '1.0.0' } },
  'node_modules/a': { version: '1.0.0', dependencies: { b: '2.0.0', 'node-addon-api': '2.0.0' } },
  'node_modules/b': { version: '1.0.0' },
  'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '1.0.0' } },
  'node_modules/c': { version: '1.0.0' },
  'node_modules/node-addon-api': { version: '2.0.0' },
  'node_modules/own': { resolved: 'packages/own', link: true },
  'packages/own': { version: '1.0.0', dependencies: { below: '1.0.0' } },
  'node_modules/below': { version: '1.0.0' },
  'node_modules/only-for-developers': { version: '1.0.0' },
  'node_modules/pictures': {
    version: '1.0.0',
    optionalDependencies: { '@p/linux': '1.0.0', '@p/musl': '1.0.0', '@p/win': '1.0.0', absent: '1.0.0' },
  },
  'node_modules/@p/linux': { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'node_modules/@p/musl': { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/@p/win': { version: '1.0.0', os: ['win32'], cpu: ['x64'] },
};
const paths = (parts: readonly { readonly path: string }[]) => parts.map(({ path }) => path.slice(13));

test('the parts are the transitive dependencies for one system, resolved as by Node.js', () => {
  const common = ['a', 'a/node_modules/b', 'below', 'c', 'own', 'pictures'];
  expect(paths(partsOf(packages, systems.linux))).toEqual(['@p/linux', ...common]);
  expect(paths(partsOf(packages, systems.windows))).toEqual(['@p/win', ...common]);
  expect(paths(partsOf(packages, systems.mac))).toEqual(common);
});

test('the lockfile of a packaged app lists packages for every system and for building, as npm requires', () => {
  expect(paths(lockedFor(packages))).toEqual(
    [
      '@p/linux',
      '@p/musl',
      '@p/win',
      'a',
      'a/node_modules/b',
      'c',
      'node-addon-api',
      'pictures',
      'own',
      'below',
    ].toSorted(),
  );
});
