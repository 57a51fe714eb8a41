/**
 * The imports of a scripted device: a file is discarded, and the import ends with a scripted result.
 *
 * Invariant: the device records each begin, and the length of each piece.
 */
import { implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type { ImportState } from '../../../src-main/contract/imports.ts';

/** Twelve facts in the file, ten of them new. */
export const importedTwelve: readonly ImportState[] = [
  { kind: 'checking', done: 12, of: 12 },
  { kind: 'taking', done: 12, of: 12 },
  { kind: 'imported', facts: 12, taken: 10 },
];

/** The calls of `imports`. */
export const scriptedImports = (
  script: () => readonly ImportState[],
  keep: (call: string, input: unknown) => void,
) => {
  const os = implement(contract).imports;
  return {
    begin: os.begin.handler(() => {
      keep('imports.begin', null);
      return { id: 'i1' };
    }),
    piece: os.piece.handler(({ input }) => {
      keep('imports.piece', Buffer.from(input.bytes, 'base64').length);
      return { kept: true };
    }),
    finish: os.finish.handler(async function* () {
      for (const state of script()) yield await Promise.resolve(state);
    }),
  };
};
