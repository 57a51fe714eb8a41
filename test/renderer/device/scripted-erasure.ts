/**
 * The erasure on a scripted device, with scripted answers.
 *
 * Invariant: the device records the calls that would change something, and erases nothing.
 */
import { implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type {
  Erased,
  ErasureProtocol,
  FairCheck,
  ForgetPreview,
} from '../../../src-main/contract/erasure.ts';

/** State that a test sets. */
export type ErasureScript = {
  preview: ForgetPreview | null;
  check: FairCheck;
  erased: Erased;
  protocols: readonly ErasureProtocol[];
};

/** The protocol of a forgotten person. */
export const someProtocol: ErasureProtocol = {
  ...{ id: '01a1fd55-7a80-7e42-ab58-4d868aeebbfb', kind: 'person', at: Date.UTC(2026, 10, 21, 17) },
  ...{ event: 'E1', partner: 'p1', by: null, people: 1, facts: 4, undelivered: 1, platformAsked: true },
  places: [
    { place: 'journal.db', state: 'erased', why: null },
    { place: 'backup/journal-1.db', state: 'erased', why: null },
    { place: 'journal.tail', state: 'nothing', why: null },
  ],
  chainHead: 'b'.repeat(64),
};

/** A person to forget, and a fair that is almost over. */
export const someErasure = (): ErasureScript => ({
  preview: {
    ...{ lead: 'l1', name: 'Ada Muster', company: 'Muster AG', facts: { tap: 2, consent: 1, note: 1 } },
    ...{ delivered: 3, undelivered: 1, copies: 2, registered: true },
  },
  check: {
    people: 12,
    facts: 40,
    undelivered: 2,
    parked: 1,
    exportedAll: null,
    eraseBy: null,
    endsSharing: true,
  },
  erased: { kind: 'erased', protocol: someProtocol },
  protocols: [],
});

/** The calls of `erasure`. */
export const scriptedErasure = (
  script: () => ErasureScript,
  keep: (call: string, input: unknown) => void,
) => {
  const os = implement(contract).erasure;
  return {
    preview: os.preview.handler(() => script().preview),
    forget: os.forget.handler(({ input }) => {
      keep('erasure.forget', input);
      return script().erased;
    }),
    check: os.check.handler(() => script().check),
    wipe: os.wipe.handler(({ input }) => {
      keep('erasure.wipe', input);
      return script().erased;
    }),
    keepSealed: os.keepSealed.handler(({ input }) => {
      keep('erasure.keepSealed', input);
      return { kept: true };
    }),
    protocols: os.protocols.handler(() => [...script().protocols]),
  };
};
