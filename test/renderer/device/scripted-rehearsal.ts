/** The rehearsal of a scripted device; the test sets its state. */
import { implement } from '@orpc/server';
import {
  type RehearsalSheet,
  type RehearsalState,
  rehearsalCalls,
} from '../../../src-main/contract/rehearsal.ts';

export type RehearsalScript = {
  readonly state: RehearsalState;
  /** `late`: there is never an answer; `unread`: the call fails. */
  readonly sheet: RehearsalSheet | 'late' | 'unread' | null;
};

/** No rehearsal is running, and there was none before. */
export const noRehearsal: RehearsalScript = { state: { drill: null, hint: null, sheets: [] }, sheet: null };

/** Answers according to the script. `changes` signals a new one. */
export function scriptedRehearsal(
  script: () => RehearsalScript,
  note: (call: string, input: unknown) => void,
  changes: (signal: AbortSignal | undefined) => AsyncIterable<null>,
) {
  const os = implement(rehearsalCalls);
  return {
    watch: os.watch.handler(async function* ({ input, signal }) {
      note('rehearsal.watch', input);
      const news = changes(signal);
      yield script().state;
      for await (const _change of news) yield script().state;
    }),
    begin: os.begin.handler(() => {
      note('rehearsal.begin', null);
      return { begun: true };
    }),
    skip: os.skip.handler(({ input }) => {
      note('rehearsal.skip', input);
      return { skipped: true };
    }),
    drop: os.drop.handler(() => {
      note('rehearsal.drop', null);
      return { dropped: true };
    }),
    sheet: os.sheet.handler(({ input }) => {
      const { sheet } = script();
      if (sheet === 'late') return new Promise<null>(() => undefined);
      if (sheet === 'unread') throw new Error('the disk does not answer');
      return sheet?.id === input.id ? sheet : null;
    }),
  };
}
