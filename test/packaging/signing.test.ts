/**
 * Signing of packages for macOS and Windows, and the notes on unsigned ones. The signing itself runs only on those
 * systems.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { macSigning, signingNote } from '../../packaging/signing.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('an app for macOS is signed ad hoc, or with an available certificate', () => {
  expect(macSigning('darwin', {})).toEqual({ identity: '-' });
  for (const name of ['CSC_LINK', 'CSC_NAME']) expect(macSigning('darwin', { [name]: 'x' })).toEqual({});
});

test('an app for macOS is not signed on another system, and the note gives the consequence', () => {
  for (const system of ['linux', 'win32'] as const) {
    expect(macSigning(system, { CSC_LINK: 'x' })).toEqual({ identity: null });
    expect(signingNote('darwin', system, { CSC_LINK: 'x' })).toBe(
      'not signed: Macs with Apple silicon refuse it; make it on macOS',
    );
  }
  expect(signingNote('darwin', 'darwin', {})).toBe('signed ad hoc: Gatekeeper asks whether to open it');
  expect(signingNote('darwin', 'darwin', { CSC_LINK: 'x' })).toBeNull();
});

test('the note on a Windows package without a certificate says that SmartScreen warns', () => {
  expect(signingNote('win32', 'win32', {})).toBe('not signed: SmartScreen warns before it starts');
  for (const name of ['WIN_CSC_LINK', 'CSC_LINK'])
    expect(signingNote('win32', 'win32', { [name]: 'x' })).toBeNull();
  expect(signingNote('linux', 'linux', {})).toBeNull();
});

test('a signed app on macOS may use the camera, in each of its processes', () => {
  const config = read('electron-builder.yml');
  for (const key of ['entitlements', 'entitlementsInherit'])
    expect(config).toContain(`  ${key}: packaging/mac/entitlements.plist\n`);
  const entitlements = read('packaging/mac/entitlements.plist');
  for (const key of ['device.camera', 'cs.allow-jit', 'cs.disable-library-validation'])
    expect(entitlements).toContain(`<key>com.apple.security.${key}</key>\n    <true/>`);
  expect(config).toContain('NSCameraUsageDescription');
});
