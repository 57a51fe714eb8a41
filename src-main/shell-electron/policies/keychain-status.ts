/**
 * Whether the system has a keychain worth the name. Pure.
 *
 * Invariant: Electron's `basic_text` on Linux encrypts with a password that stands in Chromium's sources: it counts as no
 * keychain, and so does a backend that is not known.
 */

/** `backend`: of Linux, null elsewhere; `available`: whether Electron can encrypt with it now. */
export type KeychainFacts = { readonly backend: string | null; readonly available: boolean };

export function keychainStatus({ backend, available }: KeychainFacts): 'there' | 'plainText' | 'unreachable' {
  if (backend === 'basic_text') return 'plainText';
  return available && backend !== 'unknown' ? 'there' : 'unreachable';
}
