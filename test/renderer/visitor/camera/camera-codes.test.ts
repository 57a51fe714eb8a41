/** Which codes in the camera's view are reported as presented. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cameraTimes } from '../../../../src-renderer/times.ts';
import { type InView, look } from '../../../../src-renderer/visitor/camera/camera-codes.ts';

/** Feeds `seen` (text and milliseconds since the last one) and returns the presented codes. */
function shown(seen: readonly (readonly [string | null, number])[]): string[] {
  const codes: string[] = [];
  let inView: InView = null;
  let now = 0;
  for (const [text, gap] of seen) {
    now += gap;
    const step = look(inView, text, now);
    inView = step.inView;
    if (step.shown !== null) codes.push(step.shown);
  }
  return codes;
}

describe('a code in view', () => {
  it('is reported once however long it is held, unless it is unread for too long', () => {
    const flicker = fc.array(fc.tuple(fc.constantFrom('A', null, ''), fc.integer({ min: 1, max: 400 })), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(flicker, (looks) => {
        const longestGap = looks.reduce(
          ({ now, at, most }, [text, gap]) => {
            const time = now + gap;
            return text === 'A'
              ? { now: time, at: time, most: Math.max(most, time - at) }
              : { now: time, at, most };
          },
          { now: 0, at: 0, most: 0 },
        ).most;
        fc.pre(longestGap < cameraTimes.outOfView);
        expect(shown(looks)).toEqual(looks.some(([text]) => text === 'A') ? ['A'] : []);
      }),
    );
  });

  it('is reported again after it was gone, and another code at once', () => {
    expect(
      shown([
        ['A', 0],
        ['A', 100],
        ['A', cameraTimes.outOfView],
      ]),
    ).toEqual(['A', 'A']);
    expect(
      shown([
        ['A', 0],
        ['B', 100],
        ['A', 100],
      ]),
    ).toEqual(['A', 'B', 'A']);
  });
});
