/** The calls about destinations, with scripted answers. */
import { implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type { Destination, PlannedPush } from '../../../src-main/contract/destinations.ts';

/** What the calls answer. Null: the destination does not answer. */
export type DestinationScript = {
  list: readonly Destination[];
  planned: readonly PlannedPush[] | null;
};

export const noDestinations = (): DestinationScript => ({ list: [], planned: [] });

/** The calls over a script. */
export function scriptedDestinations(
  script: () => DestinationScript,
  note: (call: string, input: unknown) => void,
) {
  const os = implement(contract).destinations;
  const keep =
    <Output>(call: string, output: Output) =>
    ({ input }: { readonly input: unknown }): Output => {
      note(`destinations.${call}`, input);
      return output;
    };
  return {
    list: os.list.handler(() => [...script().list]),
    connect: os.connect.handler(keep('connect', { kind: 'connected' as const, id: 'd1' })),
    authorize: os.authorize.handler(keep('authorize', { url: 'https://login.example.org/authorize' })),
    test: os.test.handler(keep('test', { pause: null })),
    save: os.save.handler(keep('save', { kept: true })),
    mapping: os.mapping.handler(() => ({ fields: [], properties: [], leads: [] })),
    dryRun: os.dryRun.handler(() => {
      const { planned } = script();
      return { planned: planned === null ? null : [...planned], total: planned?.length ?? 0 };
    }),
    send: os.send.handler(keep('send', { queued: 1, skipped: 0 })),
    ofLead: os.ofLead.handler(() => []),
    parked: os.parked.handler(() => []),
    retry: os.retry.handler(keep('retry', { retried: 1 })),
    conflicts: os.conflicts.handler(() => []),
    decide: os.decide.handler(keep('decide', { done: true })),
    forget: os.forget.handler(keep('forget', { revoked: false })),
  };
}
