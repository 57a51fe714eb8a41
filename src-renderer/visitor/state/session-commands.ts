/**
 * Carries to the device what a visit asks of it: compares the display before and after a step.
 *
 * Invariants: each ask is carried once; a visit that left the display is ended, unless it was taken back (the device
 * ends that one itself); a call that fails is told as not kept.
 */
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../../src-main/contract/contract.ts';
import type { Display } from './reducer.ts';
import type { AskAnswer, Wish } from './session.ts';
import { visitOf } from './timed-views.ts';
import { type Input, times } from './view.ts';

type VisitClient = Pick<ContractRouterClient<typeof contract>, 'visit'>;

/** What this needs of a link (link.ts): one call with a limit in milliseconds. */
export type Calling = {
  readonly call: <T>(
    ask: (client: VisitClient, signal: AbortSignal) => Promise<T>,
    limitMs?: number,
  ) => Promise<T>;
};

/** Makes the calls that follow from `before` having become `after`. */
export function callForVisit(
  link: Calling,
  before: Display,
  after: Display,
  send: (input: Input) => void,
): void {
  const was = visitOf(before.showing);
  const visit = visitOf(after.showing);
  if (was && was.factId !== visit?.factId) endVisit(link, was.factId, after);
  if (!visit) return;
  const { factId } = visit;
  const known = was?.factId === factId ? was.asked : 0;
  for (const { number, wish } of visit.asks.filter((ask) => ask.number > known)) {
    link
      .call((client, signal) => carry(client, signal, factId, wish), times.ask)
      .then(
        (answer) => send({ kind: 'told', factId, number, answer }),
        () => send({ kind: 'told', factId, number, answer: 'notKept' }),
      );
  }
}

async function carry(
  client: VisitClient,
  signal: AbortSignal,
  factId: string,
  wish: Wish,
): Promise<AskAnswer> {
  if (wish.kind === 'email') return (await client.visit.email({ factId }, { signal })).state;
  const { kept } = await keep(client, signal, factId, wish);
  return kept ? 'kept' : 'notKept';
}

function keep(
  client: VisitClient,
  signal: AbortSignal,
  factId: string,
  wish: Exclude<Wish, { kind: 'email' }>,
): Promise<{ readonly kept: boolean }> {
  switch (wish.kind) {
    case 'consent': {
      const { language, agreed } = wish;
      return client.visit.consent({ factId, language, agreed: { ...agreed } }, { signal });
    }
    case 'answer': {
      const { language, question, answer } = wish;
      return client.visit.answer({ factId, language, question, answer }, { signal });
    }
    case 'collect': {
      const { content, take } = wish;
      return client.visit.collect({ factId, content, take }, { signal });
    }
  }
}

function endVisit(link: Calling, factId: string, after: Display): void {
  const { showing } = after;
  if (showing?.kind === 'undone' && showing.event.factId === factId) return;
  // A device that is gone ends the visit by its own time.
  link.call((client, signal) => client.visit.end({ factId }, { signal })).catch(() => undefined);
}
