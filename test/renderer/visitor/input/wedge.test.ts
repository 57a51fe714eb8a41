/** The keyboard scanner without focus, as a pure state machine. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scannerTimes } from '../../../../src-renderer/times.ts';
import {
  emptyWedge,
  longestCode,
  silenceOf,
  wedgeKey,
  wedgeQuiet,
} from '../../../../src-renderer/visitor/input/wedge.ts';

/** Plays keys `gap` milliseconds apart, then silence; returns codes and keys that passed. */
function play(keys: readonly string[], gap: number, inField = false): { codes: string[]; through: string[] } {
  const codes: string[] = [];
  const through: string[] = [];
  let wedge = emptyWedge;
  let now = 1_000;
  for (const key of keys) {
    now += gap;
    const step = wedgeKey(wedge, key, now, inField);
    wedge = step.wedge;
    if (step.code !== null) codes.push(step.code);
    if (!step.swallow) through.push(key);
  }
  const rest = wedgeQuiet(wedge, now + silenceOf(wedge));
  if (rest.code !== null) codes.push(rest.code);
  return { codes, through };
}

describe('a keyboard scanner', () => {
  it('is recognised with Enter, and its Enter presses nothing', () => {
    const { codes, through } = play([...'AB12CD', 'Enter'], 8);
    expect(codes).toEqual(['AB12CD']);
    expect(through).not.toContain('Enter');
  });

  it('is recognised without Enter after a silence', () => {
    expect(play([...'AB12CD34'], 8).codes).toEqual(['AB12CD34']);
  });

  it('loses no character when a busy machine delays keys, even between the first keys', () => {
    for (const stall of [1, 2, 3, 4, 7]) {
      const codes: string[] = [];
      let wedge = emptyWedge;
      let now = 1_000;
      for (const [index, key] of [...'04A1B2C3D4E5F6', 'Enter'].entries()) {
        now += index === stall ? scannerTimes.silence - 10 : 6;
        const step = wedgeKey(wedge, key, now);
        wedge = step.wedge;
        if (step.code !== null) codes.push(step.code);
      }
      expect(codes).toEqual(['04A1B2C3D4E5F6']);
    }
  });

  it('is distinguished from a person typing', () => {
    const { codes, through } = play([...'hello world', 'Enter'], 130);
    expect(codes).toEqual([]);
    expect(through).toHaveLength(12);
  });

  it('is recognised after a stray key', () => {
    let wedge = wedgeKey(emptyWedge, 'x', 0).wedge;
    wedge = wedgeQuiet(wedge, 500).wedge;
    const keys = [...'AB12CD', 'Enter'];
    const codes = keys.map((key, index) => {
      const step = wedgeKey(wedge, key, 1_000 + index * 5);
      wedge = step.wedge;
      return step.code;
    });
    expect(codes.at(-1)).toBe('AB12CD');
  });

  it('accepts Shift between capital letters', () => {
    expect(
      play(['Shift', 'A', 'Shift', 'B', '1', '2', 'Shift', 'C', 'Shift', 'D', '3', 'Enter'], 6).codes,
    ).toEqual(['AB12CD3']);
  });

  it('cuts a burst of 2 MB at the limit, and accepts the next code', () => {
    const { codes } = play([...'x'.repeat(2_000_000), 'Enter', ...'AB12CD', 'Enter'], 0.01);
    expect(codes).toEqual(['x'.repeat(longestCode), 'AB12CD']);
  });

  it('gives every code of at least six characters exactly once, with any content', () => {
    const code = fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 60 });
    fc.assert(
      fc.property(code, fc.integer({ min: 1, max: scannerTimes.gap }), fc.boolean(), (text, gap, enter) => {
        expect(play([...text, ...(enter ? ['Enter'] : [])], gap).codes).toEqual([text]);
      }),
    );
  });
});

describe('a slow scanner', () => {
  it.each([60, 80])(
    'is recognised by the form of its code, %d ms a key, and its Enter presses nothing',
    (gap) => {
      for (const code of ['04A1B2C3D4E5F6', '4012345678901']) {
        const { codes, through } = play([...code, 'Enter'], gap);
        expect(codes).toEqual([code]);
        expect(through).not.toContain('Enter');
        expect(play([...code], gap).codes).toEqual([code]);
      }
    },
  );

  it('is recognised when a busy machine delays single keys', () => {
    const code = '04A1B2C3D4E5F6';
    for (const stall of [1, 2, 5, 13]) {
      let wedge = emptyWedge;
      for (const [index, key] of [...code].entries())
        wedge = wedgeKey(wedge, key, 1_000 + index * 80 + (index === stall ? 50 : 0), true).wedge;
      expect(wedgeQuiet(wedge, 5_000).code).toBe(code);
    }
  });
});

describe('a scanner that ends its codes with Enter', () => {
  const code = '04A1B2C3D4E5F6';
  /** Plays the code with `pause` before the key with index `stall`, after a first code with or without Enter. */
  const stalled = (gap: number, stall: number, pause: number, inField: boolean, ends: readonly string[]) => {
    let wedge = emptyWedge;
    let now = 1_000;
    const codes: string[] = [];
    const press = (keys: readonly string[], nth: number) => {
      for (const [index, key] of keys.entries()) {
        now += index === nth ? pause : gap;
        const quiet = wedgeQuiet(wedge, now);
        const step = wedgeKey(quiet.wedge, key, now, inField);
        codes.push(...[quiet.code, step.code].filter((one) => one !== null));
        wedge = step.wedge;
      }
      now += 1_000;
      const quiet = wedgeQuiet(wedge, now);
      if (quiet.code !== null) codes.push(quiet.code);
      wedge = quiet.wedge;
    };
    press([...'04FFFFFFFFFF01', ...ends], -1);
    press([...code, 'Enter'], stall);
    return codes.slice(1);
  };

  it.each([5, 15, 30, 50, 80])('loses no code when a busy machine stalls a key, %d ms a key', (gap) => {
    for (const inField of [false, true])
      for (const stall of [2, 5, 9, 13, 14])
        expect(stalled(gap, stall, 400, inField, ['Enter']), `${stall} ${inField}`).toEqual([code]);
  });

  it('is recognised by its latest code: after a code without Enter, a pause ends the next code', () => {
    expect(stalled(5, 6, 400, false, [])).toEqual([code.slice(0, 6), code.slice(6)]);
  });

  it('is distinguished from text typed at an uneven pace', () => {
    for (const text of ['Halle5b2', 'AB12', 'Robot R7'])
      expect(stalledText([...text, 'Enter'], [60, 70, 155, 70, 350])).toEqual([]);
  });

  function stalledText(keys: readonly string[], gaps: readonly number[]): readonly string[] {
    let wedge = { ...emptyWedge, enters: true };
    let now = 1_000;
    return keys.flatMap((key, index) => {
      now += gaps[index % gaps.length] ?? 0;
      const step = wedgeKey(wedge, key, now, true);
      wedge = step.wedge;
      return step.code ?? [];
    });
  }
});

describe('keys while a text field has the focus', () => {
  it.each([
    ['a fast typist', 'tion', 30],
    ['an on-screen keyboard that writes a whole word', 'Donaudampfschifffahrt', 1],
    ['an on-screen keyboard that writes two words', 'next year ', 1],
    ['an on-screen keyboard that writes a number', '20261122', 1],
  ])('are not a scan: %s, with an Enter a moment later', (_who, text, gap) => {
    expect(play([...text], gap, true)).toEqual({ codes: [], through: [...text] });
    expect(play([...text, 'Enter'], 130, true).codes).toEqual([]);
  });

  it('are not a scan if a quick syllable is followed by Enter', () => {
    expect(play([...'tion', 'Enter'], 45, true)).toEqual({ codes: [], through: [...'tion', 'Enter'] });
  });

  it.each([
    ['We need 24', 35],
    ['robots', 30],
    ['Alexandrine', 60],
    ['Call 0041 44 1234567 on Tuesday', 70],
    ['anna2@firma24.de', 80],
  ])('are not a scan if a very fast typist types %j and Enter', (text, gap) => {
    expect(play([...text, 'Enter'], gap, true)).toEqual({ codes: [], through: [...text, 'Enter'] });
  });

  it('are not a scan if a word arrives at once and a person continues', () => {
    let wedge = emptyWedge;
    const keys = [...'robots'].map((key, index) => ({ key, at: 1_000 + index }));
    const more = [...' for us', 'Enter'].map((key, index) => ({ key, at: 1_110 + index * 100 }));
    const codes = [...keys, ...more].map(({ key, at }) => {
      const step = wedgeKey(wedge, key, at, true);
      wedge = step.wedge;
      return step.code;
    });
    expect(codes.filter((code) => code !== null)).toEqual([]);
  });

  it.each([5, 15, 30, 50, 80])('are a scan if they look like a code, %d ms per key', (gap) => {
    for (const code of ['04A1B2C3D4E5F6', 'AD2026-P001-17', 'https://e.example/b/4711', 'ab12cd'])
      for (const end of [['Enter'], []])
        expect(play([...code, ...end], gap, true)).toEqual({ codes: [code], through: [...code] });
  });

  it.each([5, 15, 30, 50])('are a scan with eight digits or more, %d ms a key', (gap) => {
    for (const end of [['Enter'], []])
      expect(play([...'4012345678901', ...end], gap, true).codes).toEqual(['4012345678901']);
  });

  it('are a scan even if a person typed until a moment before', () => {
    let wedge = emptyWedge;
    let now = 1_000;
    const press = (key: string, gap: number) => {
      now += gap;
      const step = wedgeKey(wedge, key, now, true);
      wedge = step.wedge;
      return step.code;
    };
    for (const key of 'Call him') press(key, 130);
    press('0', 140);
    for (const key of '4A1B2C3D4E5F6') press(key, 30);
    expect(press('Enter', 30)).toBe('04A1B2C3D4E5F6');
  });

  it('are not a scan while a person corrects the text', () => {
    expect(play([...'AB12', 'Backspace', ...'3CD34', 'Enter'], 60, true).codes).toEqual([]);
  });

  it('are not a scan at the uneven pace of a person, even if they look like a code', () => {
    const gaps = [0, 60, 70, 155, 70, 150, 60, 70];
    let wedge = emptyWedge;
    let now = 1_000;
    for (const [index, key] of [...'Halle5b2'].entries()) {
      now += gaps[index] ?? 0;
      wedge = wedgeKey(wedge, key, now, true).wedge;
    }
    expect(wedgeQuiet(wedge, now + silenceOf(wedge)).code).toBeNull();
  });

  it('are not a scan for any text at the speed of a person', () => {
    const typed = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(typed, fc.integer({ min: scannerTimes.slowMean + 1, max: 400 }), (text, gap) => {
        expect(play([...text, 'Enter'], gap, true).codes).toEqual([]);
      }),
    );
    const words = fc.stringMatching(/^[a-z]+( [a-z0-9]+)*$/);
    fc.assert(
      fc.property(words, fc.integer({ min: scannerTimes.gapInField + 1, max: 400 }), (text, gap) => {
        fc.pre(text.includes(' ') || /^[a-z]+$/.test(text));
        expect(play([...text, 'Enter'], gap, true).codes).toEqual([]);
      }),
    );
  });

  it('are a scan with a quick Enter, or if they can only be a code; only the Enter is held back', () => {
    expect(play([...'LETTERS', 'Enter'], 8, true)).toEqual({ codes: ['LETTERS'], through: [...'LETTERS'] });
    expect(play([...'AB12CD34'], 8, true)).toEqual({ codes: ['AB12CD34'], through: [...'AB12CD34'] });
  });
});
