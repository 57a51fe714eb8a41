/**
 * docs/laws.md#law-3 in the hardest case: a complete device over HTTP against a platform where every write has a new
 * effect. An uncertain fact is read back, and sent again only if it was not found.
 */
import { describe, expect, it } from 'vitest';
import { scaledClock } from '../../../chaos/scaled-clock.ts';
import { until } from '../../fixture.ts';
import { askingStand, capturedOf, openStandKiosk, type StandKiosk } from '../../stand/visit/stand-kiosk.ts';
import { type SmallPlatform, startSmallPlatform, type WriteManner } from './unkind-platform.ts';

/** Factor by which retry waits are shortened. The network runs at its own speed. */
const FASTER = 20;
/** Real milliseconds until an answer is overdue where the platform hangs. */
const ANSWER_MS = 400;
/** The same for a platform that never hangs: on a slow machine, a late answer must not count as lost. */
const PATIENT_MS = 30_000;

const open = (platform: SmallPlatform, answerMs = ANSWER_MS): StandKiosk =>
  openStandKiosk({
    platform: { baseUrl: platform.baseUrl, key: 'k', password: '', expoId: 'E1' },
    limits: { headersMs: answerMs, bodyMs: answerMs },
    clock: scaledClock(FASTER),
    stand: askingStand,
  });

/** A device with its assignment, and one tap. `manners`: how the platform treats the next writes. */
const tapOnce = async (platform: SmallPlatform, ...manners: readonly WriteManner[]) => {
  const kiosk = open(platform);
  await until('the kiosk knows its touchpoint', () => kiosk.kiosk.state().deviceName === 'Left');
  platform.manners.push(...manners);
  const { factId } = capturedOf(await kiosk.tap('04AA00000000A1'));
  return { kiosk, factId };
};

const stateOf = (kiosk: StandKiosk, id: string) =>
  kiosk.lines().find((line) => line.id === id)?.delivery?.state;

/** Writes of `id`, and the reads between them, from the first write on. */
const waysOf = (platform: SmallPlatform, id: string): readonly string[] => {
  const ways = platform.heard.flatMap((entry) =>
    entry === 'look' ? ['look'] : entry.write.includes(id) ? ['write'] : [],
  );
  return ways.slice(ways.indexOf('write'));
};

describe('a platform that does not honour ids gets a fact', () => {
  it.each([
    ['accepts it and never answers', 'takeAndHang'],
    ['accepts it and answers with an empty list', 'takeAndSayNothing'],
  ] as const)('once if the platform %s: the device reads back and finds it', async (_what, manner) => {
    const platform = await startSmallPlatform();
    const { kiosk, factId } = await tapOnce(platform, manner);
    await until('the fact is confirmed', () => stateOf(kiosk, factId) === 'confirmed');
    expect(waysOf(platform, factId).slice(0, 2)).toEqual(['write', 'look']);
    expect(waysOf(platform, factId).filter((way) => way === 'write')).toHaveLength(1);
    expect(platform.effects(factId)).toBe(1);
  });

  it('once if the platform hangs before it stores it: the device reads back, does not find it and sends it again', async () => {
    const platform = await startSmallPlatform();
    const { kiosk, factId } = await tapOnce(platform, 'hang', 'hang');
    await until('the fact is confirmed', () => stateOf(kiosk, factId) === 'confirmed');
    const ways = waysOf(platform, factId);
    expect(ways.filter((way) => way === 'write')).toHaveLength(3);
    expect(ways.join(' ')).not.toContain('write write');
    expect(platform.effects(factId)).toBe(1);
  });

  it('once if the platform answers with an empty list and stores nothing: that is not success', async () => {
    const platform = await startSmallPlatform();
    const { kiosk, factId } = await tapOnce(platform, 'sayNothing', 'sayNothing');
    await until('the fact is confirmed', () => stateOf(kiosk, factId) === 'confirmed');
    expect(waysOf(platform, factId).join(' ')).not.toContain('write write');
    expect(platform.effects(factId)).toBe(1);
  });

  it('once even if other actions came before and after it', async () => {
    const platform = await startSmallPlatform();
    const { kiosk, factId } = await tapOnce(platform);
    await until('the first fact is confirmed', () => stateOf(kiosk, factId) === 'confirmed');
    platform.manners.push('takeAndHang');
    const ids: string[] = [];
    for (const uid of ['04AA00000000A2', '04AA00000000A3', '04AA00000000A4'])
      ids.push(capturedOf(await kiosk.tap(uid)).factId);
    await until('every fact is confirmed', () => ids.every((id) => stateOf(kiosk, id) === 'confirmed'));
    for (const id of [factId, ...ids]) expect(platform.effects(id)).toBe(1);
  });

  it('once if the platform is busy: 429 means that nothing was stored', async () => {
    const platform = await startSmallPlatform();
    const { kiosk, factId } = await tapOnce(platform, 'busy', 'busy');
    await until('the fact is confirmed', () => stateOf(kiosk, factId) === 'confirmed');
    expect(platform.effects(factId)).toBe(1);
  });

  it('once if the platform hides the id of an action’s fact: the device matches badge, place and time', async () => {
    const platform = await startSmallPlatform({ tells: 'item' });
    const { kiosk, factId } = await tapOnce(platform, 'takeAndHang', 'take', 'takeAndSayNothing');
    await until('the fact is confirmed', () => stateOf(kiosk, factId) === 'confirmed');
    const second = capturedOf(await kiosk.tap('04AA00000000A2')).factId;
    const third = capturedOf(await kiosk.tap('04AA00000000A3')).factId;
    const ids = [factId, second, third];
    await until('every fact is confirmed', () => ids.every((id) => stateOf(kiosk, id) === 'confirmed'));
    for (const id of ids) expect(platform.effects(id)).toBe(1);
    expect(kiosk.kiosk.state().delivery.possiblyTwice).toBe(0);
  });

  it('once even if the device got its partner between the send and the read-back', async () => {
    const platform = await startSmallPlatform();
    Object.assign(platform.shows, { touchpoint: false, actions: false });
    const kiosk = open(platform);
    await until('the first sync is complete', () => kiosk.kiosk.state().mirror.complete);
    platform.manners.push('takeAndHang');
    const { factId } = capturedOf(await kiosk.tap('04AA00000000A1'));
    await until('the fact is uncertain', () => stateOf(kiosk, factId) === 'uncertain');
    platform.shows.touchpoint = true;
    await until('the kiosk knows its touchpoint', () => kiosk.kiosk.state().deviceName === 'Left');
    platform.shows.actions = true;
    await until('the fact is confirmed', () => stateOf(kiosk, factId) === 'confirmed');
    expect(platform.effects(factId)).toBe(1);
  });

  it('at a bounded rate while the platform answers writes with an empty list', async () => {
    const platform = await startSmallPlatform();
    const silence = Array.from({ length: 1_000 }, (): WriteManner => 'sayNothing');
    const { factId } = await tapOnce(platform, ...silence);
    const writes = () => waysOf(platform, factId).filter((way) => way === 'write').length;
    // Two seconds here are forty for the device, in which the back-off allows a few attempts.
    await expect(until('the fact was sent 30 times', () => writes() >= 30, 2_000)).rejects.toThrow('in vain');
  });

  it('twice while it is unknown that the platform ignores ids, which is counted; later facts once', async () => {
    const platform = await startSmallPlatform();
    const kiosk = open(platform, PATIENT_MS);
    await until('the kiosk knows its touchpoint', () => kiosk.kiosk.state().deviceName === 'Left');
    const { factId } = capturedOf(await kiosk.tap('04AA00000000A1'));
    const agree = (agreed: boolean) =>
      kiosk.screen.session.consent({ factId, language: 'en', agreed: { news: agreed } });
    const allConfirmed = () => kiosk.lines().every((line) => line.delivery?.state === 'confirmed');
    const consents = () => kiosk.lines().filter((line) => line.kind === 'consent');
    await agree(true);
    await until('the first consent is confirmed', allConfirmed);
    for (const agreed of [false, true, false]) await agree(agreed);
    await until('every fact is confirmed', allConfirmed);
    expect(consents().map(({ id }) => platform.effects(id))).toEqual([2, 1, 1, 1]);
    expect(kiosk.kiosk.state().delivery.possiblyTwice).toBe(1);
  });

  it('more than once if the fact leaves no action and may have been lost, which is counted', async () => {
    const platform = await startSmallPlatform();
    const { kiosk, factId } = await tapOnce(platform);
    await until('the tap is confirmed', () => stateOf(kiosk, factId) === 'confirmed');
    platform.manners.push('takeAndHang');
    await kiosk.screen.session.consent({ factId, language: 'en', agreed: { news: true } });
    const consent = () => kiosk.lines().find((line) => line.kind === 'consent');
    await until('the fact is confirmed', () => consent()?.delivery?.state === 'confirmed');
    expect(platform.effects(consent()?.id ?? '')).toBeGreaterThan(1);
    expect(kiosk.kiosk.state().delivery.possiblyTwice).toBe(1);
  });
});
