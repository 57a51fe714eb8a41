/**
 * Licences of third-party packages in the app, for the staff pages and for every package.
 *
 * Invariants:
 * - the list contains every package that is bundled or packed, with the package's own text if it has one;
 * - no bundle is built with a package that is not in the list.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackages, namesIn, type Part, partsBelow, partsOf } from './parts.ts';
import { systems } from './systems.ts';

/** The licence of one package. `text`: index of the package's own licence text, or null if it has none. */
export type LicensedPart = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** `app`: packed with the app. `page`, `platform`: bundled into the page, or into platform and hub. */
  readonly within: 'app' | 'page' | 'platform';
  readonly text: number | null;
};
export type Licences = { readonly parts: readonly LicensedPart[]; readonly texts: readonly string[] };

/** Packages bundled into the screens (docs/dependencies.md). */
const ofPage = [
  'react',
  'react-dom',
  'react-aria-components',
  'react-intl',
  '@tanstack/react-query',

  '@tanstack/react-virtual',
  'partysocket',
  '@fontsource-variable/figtree',
  'zxing-wasm',
  'uqr',
  'pinyin-match',
];

/** Packages bundled into the hub but not into the platform. The app also contains the ones for certificates. */
const ofHub = ['pkijs', 'asn1js', 'uqr'];

/** Packages that only a separate platform needs. No bundle contains them (vite.config.ts). */
const notBundled = ['nodemailer', '@fastify/swagger-ui'];

/** Reads the lockfile and the installed packages. */
export function readLicences(root: string): Licences {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: LockedPackages;
  };
  const { packages } = lock;
  const groups = {
    app: Object.values(systems).flatMap((system) => partsOf(packages, system)),
    page: partsBelow(packages, { from: '', names: ofPage }),
    platform: [
      ...partsBelow(
        packages,
        { from: 'src-platform', names: namesIn(packages['src-platform'] ?? {}) },
        notBundled,
      ),
      ...partsBelow(packages, { from: '', names: ofHub }),
    ],
  };
  const texts: string[] = [];
  const parts = new Map<string, LicensedPart>();
  for (const [within, group] of Object.entries(groups) as ['app' | 'page' | 'platform', readonly Part[]][]) {
    for (const { name, path, locked } of group) {
      const { version = '', license: licence = 'unknown' } = locked;
      if (parts.has(`${name}@${version}`)) continue;
      const text = textOf(root, join(root, path), licence);
      if (text !== null && !texts.includes(text)) texts.push(text);
      const index = text === null ? null : texts.indexOf(text);
      parts.set(`${name}@${version}`, { name, version, licence, within, text: index });
    }
  }
  return { parts: [...parts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), texts };
}

/** The package's own licence text. For sharp's library, which contains none, the text of the LGPL. */
function textOf(root: string, folder: string, licence: string): string | null {
  const names = namesBelow(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  const shared = (name: string) => readFileSync(join(root, 'assets', 'licences', `${name}.txt`), 'utf8');
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').trim());
  if (licence.includes('LGPL-3.0')) texts.push(shared('LGPL-3.0-or-later'), shared('GPL-3.0-or-later'));
  return texts.length === 0 ? null : texts.join('\n\n');
}

function namesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    // Packages of other systems are packed on those systems.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Names of the packages among `modules` (paths of files) that are not in `licences`. */
export function unlicensed(licences: Licences, modules: readonly string[]): readonly string[] {
  const known = new Set(licences.parts.map(({ name }) => name));
  const names = modules.map(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'))?.[1],
  );
  return [...new Set(names.filter((name) => name !== undefined && !known.has(name)))] as string[];
}

/** The licences as a text file of the package. */
export function licencesAsText({ parts, texts }: Licences): string {
  const list = parts.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  const full = texts.map((text, index) => {
    const whose = parts.filter((part) => part.text === index).map(({ name }) => name);
    return `${'='.repeat(80)}\n${whose.join(', ')}\n${'='.repeat(80)}\n\n${text}`;
  });
  return `Touchpoint is under the Apache License 2.0 (LICENSE). It contains the work of others:\n\n${[...list, '', ...full].join('\n')}\n`;
}
