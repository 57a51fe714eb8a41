/** A set-up as one file: accepted as a whole, or refused with the reason. */
import { describe, expect, it } from 'vitest';
import demoStand from '../../assets/demo/stand.json' with { type: 'json' };
import { plainSettings, readSettings } from '../../src-main/core/stand/visit/settings.ts';
import { readSetup, type SetupContent, writeSetup } from '../../src-main/device-setup/setup-file.ts';

const demo = readSettings(demoStand);
const content: SetupContent = {
  platform: { address: 'https://p.example/v2', expo: 'E1', privateHttp: false, key: null },
  stand: demo.kind === 'settings' ? demo.settings : plainSettings(),
  pins: null,
  logo: { name: 'logo', bytes: Buffer.from([1, 2, 3]) },
  attract: [{ name: '01-a.png', bytes: Buffer.from([4]) }],
};
const stored = (digit: string) => ({ salt: digit.repeat(32), hash: digit.repeat(64), cost: 2 ** 15 });
const reasonOf = (text: string) => {
  const read = readSetup(text);
  return read.kind === 'refused' ? read.reason : 'taken';
};

describe('a file of a set-up', () => {
  const text = writeSetup(content);

  it('is read back as it was written, with and without a key', () => {
    expect(readSetup(text)).toEqual({ kind: 'setup', content });
    expect(text).not.toContain('the-key');
    const withKey = writeSetup({ ...content, platform: { ...content.platform, key: 'the-key' } });
    expect(readSetup(withKey)).toMatchObject({ content: { platform: { key: 'the-key' } } });
  });

  it('returns the stored PINs if it has them, and then has a version that earlier releases refuse as newer', () => {
    const pins = { team: stored('a'), technician: stored('b') };
    const withPins = writeSetup({ ...content, pins });
    expect(readSetup(withPins)).toEqual({ kind: 'setup', content: { ...content, pins } });
    expect(withPins).toContain('"touchpointSetUp": 2');
    expect(text).toContain('"touchpointSetUp": 1');
    expect(reasonOf(withPins.replace('aaaa', 'bbbb'))).toBe('altered');
    expect(
      reasonOf(writeSetup({ ...content, pins: { ...pins, team: { ...stored('a'), cost: 2 ** 30 } } })),
    ).toBe('notOurs');
  });

  it('is refused as a whole if it is truncated anywhere', () => {
    const cuts = Array.from({ length: 40 }, (_, index) => Math.floor(((index + 1) * (text.length - 2)) / 41));
    for (const at of cuts) expect(['cut', 'notOurs']).toContain(reasonOf(text.slice(0, at)));
    expect(reasonOf(text.slice(0, text.length - 3))).toBe('cut');
  });

  it('is refused if one character was changed', () => {
    expect(reasonOf(text.replace('p.example', 'q.example'))).toBe('altered');
    expect(reasonOf(text.replace('"AQID"', '"AQIE"'))).toBe('altered');
  });

  it('has its own reason for a refusal if it is from a newer version or another program, or has an invalid stand', () => {
    expect(reasonOf(text.replace('"touchpointSetUp": 1', '"touchpointSetUp": 3'))).toBe('newer');
    for (const foreign of ['', 'null', '[]', '{}', '{"touchpoint":"T"}', '\u0000'])
      expect(reasonOf(foreign)).toBe('notOurs');
    const wrong = { ...plainSettings(), undoSeconds: 1 };
    expect(readSetup(writeSetup({ ...content, stand: wrong }))).toMatchObject({
      reason: 'unsound',
      faults: ['undoSeconds: it must be a whole number from 5 to 60'],
    });
  });
});
