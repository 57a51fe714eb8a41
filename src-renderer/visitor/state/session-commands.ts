/**
 * Sends the commands of a session to the device. They result from the difference between the displays before and
 * after an input.
 *
 * Invariants:
 * - Each command is sent at most once.
 * - When a session leaves the display it is ended, unless its tap was undone (the device then ends the session
 *   itself).
 * - A failed call counts as not saved.
 */
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../../src-main/contract/contract.ts';
import { displayTimes } from '../../times.ts';
import type { DisplayInput } from './input.ts';
import type { Display } from './reducer.ts';
import type { Acknowledgement, Command } from './session.ts';
import { sessionOf } from './timed-views.ts';

type SessionClient = Pick<ContractRouterClient<typeof contract>, 'session'>;

/** The part of the link used here: one call with a limit in milliseconds. */
export type Calling = {
  readonly call: <T>(
    ask: (client: SessionClient, signal: AbortSignal) => Promise<T>,
    limitMs?: number,
  ) => Promise<T>;
};

/** Makes the calls for the change from `before` to `after`. */
export function sendCommands(
  link: Calling,
  before: Display,
  after: Display,
  send: (input: DisplayInput) => void,
): void {
  const was = sessionOf(before.view);
  const session = sessionOf(after.view);
  if (was && was.factId !== session?.factId) endSession(link, was.factId, after);
  if (!session) return;
  const { factId } = session;
  const known = was?.factId === factId ? was.commandCount : 0;
  for (const { number, command } of session.pendingCommands.filter((one) => one.number > known)) {
    link
      .call(
        (client, signal) => acknowledgementOf(client, signal, factId, command),
        displayTimes.commandTimeout,
      )
      .then(
        (answer) => send({ kind: 'acknowledged', factId, number, answer }),
        () => send({ kind: 'acknowledged', factId, number, answer: 'notKept' }),
      );
  }
}

async function acknowledgementOf(
  client: SessionClient,
  signal: AbortSignal,
  factId: string,
  command: Command,
): Promise<Acknowledgement> {
  if (command.kind === 'email') return (await client.session.email({ factId }, { signal })).state;
  const { kept } = await keep(client, signal, factId, command);
  return kept ? 'kept' : 'notKept';
}

function keep(
  client: SessionClient,
  signal: AbortSignal,
  factId: string,
  command: Exclude<Command, { kind: 'email' }>,
): Promise<{ readonly kept: boolean }> {
  switch (command.kind) {
    case 'consent': {
      const { language, agreed } = command;
      return client.session.consent({ factId, language, agreed: { ...agreed } }, { signal });
    }
    case 'answer': {
      const { language, question, answer } = command;
      return client.session.answer({ factId, language, question, answer }, { signal });
    }
    case 'skip':
      return client.session.skip({ factId, question: command.question }, { signal });
    case 'collect': {
      const { content, take } = command;
      return client.session.collect({ factId, content, take }, { signal });
    }
  }
}

function endSession(link: Calling, factId: string, after: Display): void {
  const { view } = after;
  if (view?.kind === 'undone' && view.event.factId === factId) return;
  // If the device cannot be reached, the session ends by the device's own timeout.
  link.call((client, signal) => client.session.end({ factId }, { signal })).catch(() => undefined);
}
