/** Taps during another visitor's session: no visitor waits for the steps of the previous one. */
import { describe, expect, it } from 'vitest';
import { reduceDisplay, viewOf } from '../../../../src-renderer/visitor/state/reducer.ts';
import { everyQuestion, fullStand } from '../../device/demo-stand.ts';
import { capturedBy, play, ready, tap } from './reducer-player.ts';

const asking = { asksConsent: true, openQuestions: everyQuestion };
const standing = () => reduceDisplay(ready(), { kind: 'stand', stand: fullStand }, 0);

describe('a session', () => {
  it('ends at once for a visitor who tapped during its outcome, and later taps do not wait for it', () => {
    const before = play(
      [
        [0, tap(capturedBy(1, asking))],
        [200, tap(capturedBy(2))],
        [400, { kind: 'answerPrompts' }],
      ],
      standing(),
    );
    expect(viewOf(before, 400)).toMatchObject({ kind: 'captured', event: { factId: 'fact-2' } });
    expect(before).toMatchObject({ queue: [], interrupted: 'kept' });
    const after = play([[1_500, tap(capturedBy(3))]], before);
    expect(viewOf(after, 1_500)).toMatchObject({ kind: 'captured', event: { factId: 'fact-3' } });
  });
});
