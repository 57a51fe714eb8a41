/**
 * How packages for macOS and Windows are signed (docs/release.md).
 *
 * Invariants:
 * - An app for macOS that is made there without a certificate is signed ad hoc, as a whole and after the fuses. Setting
 *   fuses breaks the signature of Electron's program, and Apple silicon refuses a broken signature.
 * - An app for macOS that is made elsewhere is not signed, because `codesign` exists only on macOS. Its note says so.
 */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * electron-builder's `mac.identity`. Absent: it searches for a certificate. `-`: it signs ad hoc. Null: it
 * does not sign.
 */
export function macSigning(platform: string, env: Environment): { readonly identity?: string | null } {
  if (platform !== 'darwin') return { identity: null };
  return hasMacCertificate(env) ? {} : { identity: '-' };
}

/** A note about the signature of a package for `system` that was made on `platform`, or null. */
export function signingNote(system: string, platform: string, env: Environment): string | null {
  if (system === 'win32')
    return hasCertificate(env) ? null : 'not signed: SmartScreen warns before it starts';
  if (system !== 'darwin') return null;
  if (platform !== 'darwin') return 'not signed: Macs with Apple silicon refuse it; make it on macOS';
  return hasMacCertificate(env) ? null : 'signed ad hoc: Gatekeeper asks whether to open it';
}

function hasMacCertificate({ CSC_LINK, CSC_NAME }: Environment): boolean {
  return (CSC_LINK ?? CSC_NAME) !== undefined;
}

function hasCertificate({ WIN_CSC_LINK, CSC_LINK }: Environment): boolean {
  return (WIN_CSC_LINK ?? CSC_LINK) !== undefined;
}
