/**
 * The process that `crash.test.ts` kills: it taps badge after badge, and prints the fact's id after the screen was
 * notified.
 *
 * Invariant: it prints only facts that `publish` reported as captured.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { badgeOfText } from '../../../../src-main/core/foundations/badge/decode.ts';
import { openProfile } from '../../../../src-main/core/foundations/badge/profile.ts';
import { createTaps } from '../../../../src-main/core/stand/taps/taps.ts';
import { cardReading } from '../../../card-reading.ts';
import { openJournal, realClock, stamperOf } from '../../real-parts.ts';
import { tapParts } from './tap-parts.ts';

const folder = process.argv[2] ?? '';
const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
const parts = {
  journal: openJournal(join(folder, 'journal.db'), stamperOf()),
  mirror,
  clock: realClock,
  log: { error: (what: string) => writeSync(2, `${what}\n`), warn: () => undefined, info: () => undefined },
};
const taps = createTaps({
  ...parts,
  ...tapParts(parts).taps,
  place: () => ({ touchpoint: 'tp1', partner: 'p1', clockOffset: null, staff: null }),
  badgeOfText: (text) => badgeOfText(text, openProfile),
  publish: (event) => {
    if (event.kind === 'captured') writeSync(1, `${event.factId}\n`);
  },
  feedback: () => undefined,
});

for (let insertion = 1; ; insertion += 1) {
  const uid =
    `04${process.pid.toString(16).padStart(6, '0')}${insertion.toString(16).padStart(6, '0')}`.toUpperCase();
  taps.handle({ kind: 'inserted', reader: 'r', insertion });
  taps.handle({ kind: 'card', reader: 'r', insertion, card: cardReading(uid) });
}
