/** What came of looking for an update, in a sentence for the log. Pure. */
import type { UpdateOutcome } from './updates.ts';

type Why<Kind extends UpdateOutcome['kind']> =
  Extract<UpdateOutcome, { readonly kind: Kind }> extends {
    readonly why: infer Words extends string;
  }
    ? Words
    : never;

const refusals: Readonly<Record<Why<'refused'>, string>> = {
  notNewer: 'it is not newer than this version',
  unsigned: 'it is not signed with the key of this build',
  failedBefore: 'it failed on this device before',
  notYet: 'it is not for this device yet',
  malformed: 'what the feed says cannot be read',
  notWhole: 'the file that came is not the one that was signed',
  noBackup: 'no backup could be made before',
};

const waits: Readonly<Record<Why<'waits'>, string>> = {
  fair: 'the fair is on, or near',
  fairUnknown: 'it is not known when the fair is',
  taps: 'badges were captured in the last hours',
  waiting: 'facts are on their way to the platform',
  core: 'the core does not answer',
};

/** The sentence. */
export function updateSentence(outcome: UpdateOutcome): string {
  switch (outcome.kind) {
    case 'none':
      return 'There is no update.';
    case 'waits':
      return `Updates are not looked for now: ${waits[outcome.why]}.`;
    case 'refused':
      return `An update${outcome.version === null ? '' : ` to ${outcome.version}`} was not taken: ${refusals[outcome.why]}.`;
    case 'failed':
      return `An update could not be taken: ${outcome.why}`;
    case 'placed':
      return `Version ${outcome.version} is in place; the app is started anew.`;
  }
}

/** Whether a person should know of it when something else fails. */
export function isDoubtful(outcome: UpdateOutcome): boolean {
  return outcome.kind === 'failed' || (outcome.kind === 'refused' && outcome.why !== 'notYet');
}
