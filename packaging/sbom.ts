/**
 * The software bill of materials of one package (CycloneDX 1.6, JSON).
 *
 * Invariants:
 * - it lists exactly the content of the package, with the checksums of the lockfile (`npm sbom` would list the
 *   installed packages);
 * - it contains no time and no random number, so the same content gives the same list.
 */
import type { Licences, LicensedPart } from './licences.ts';
import type { LockedPackages, Part } from './parts.ts';

/** The name of the file, which is beside the app's manifest. */
export const SBOM_FILE = 'sbom.cdx.json';

/** The runtime in the package. */
export type SbomRuntime = { readonly name: 'electron' | 'node'; readonly version: string };

type Component = {
  readonly type: 'library' | 'framework' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope: 'required';
  readonly licenses?: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
};

export type SbomWish = {
  /** The app's version. */
  readonly version: string;
  readonly parts: readonly Part[];
  /** The licences of packages bundled into the page and the demo platform. */
  readonly licences: Licences;
  readonly packages: LockedPackages;
  readonly runtime: SbomRuntime;
};

/** Makes the list. */
export function sbomOf({ version, parts, licences, packages, runtime }: SbomWish): unknown {
  const packed = parts.map(({ name, locked }) => ({
    name,
    version: locked.version ?? '',
    licence: locked.license ?? '',
    within: 'app' as const,
  }));
  const bundled = licences.parts.filter(({ within }) => within !== 'app');
  const components = [...packed, ...bundled].map((part) => componentOf(part, packages));
  const unique = new Map([runtimeComponent(runtime), ...components].map((one) => [one.purl, one]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `touchpoint@${version}`,
        name: 'touchpoint',
        version,
        licenses: [{ expression: 'Apache-2.0' }],
      },
    },
    components: [...unique.values()].toSorted((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
}

function componentOf(part: Omit<LicensedPart, 'text'>, packages: LockedPackages): Component {
  const { name, version, licence, within } = part;
  const locked = Object.entries(packages).find(
    ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
  );
  const integrity = /^sha512-(.+)$/.exec(locked?.[1].integrity ?? '')?.[1];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: 'required',
    ...(licence === '' ? {} : { licenses: [{ expression: licence }] }),
    ...(integrity === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity, 'base64').toString('hex') }] }),
    ...(within === 'app' ? {} : { properties: [{ name: 'touchpoint:bundled-into', value: within }] }),
  };
}

function runtimeComponent({ name, version }: SbomRuntime): Component {
  const purl = name === 'electron' ? `pkg:npm/electron@${version}` : `pkg:github/nodejs/node@v${version}`;
  const type = name === 'electron' ? 'framework' : 'platform';
  return { type, 'bom-ref': purl, name, version, purl, scope: 'required', licenses: [{ expression: 'MIT' }] };
}
