/** The words of views: the stand's own headline, and sentences that depend on device and activity. */
import { expect, it } from 'vitest';
import { startSession } from '../../../../src-renderer/visitor/state/session.ts';
import { saysOffline, wordingOf } from '../../../../src-renderer/visitor/wording/wording.ts';
import { captured } from '../../device/captured.ts';
import { demoActivity, demoOffer } from '../../device/demo-stand.ts';
import { healthyDevice, plainStand } from '../../device/healthy-device.ts';

it.each([
  ['Tap your badge. Take the robots home.', 'Tap your badge.\nTake the robots home.'],
  ['Badge auflegen! Was nehmen Sie mit?', 'Badge auflegen!\nWas nehmen Sie mit?'],
  ['タッチ。ロボットを持ち帰ろう。', 'タッチ。\nロボットを持ち帰ろう。'],
  ['ما الذي يهمك؟ المس شارتك.', 'ما الذي يهمك؟\nالمس شارتك.'],
  ['One tap. One\nrobot. Yours.', 'One tap. One\nrobot. Yours.'],
  ['Meet the arm no. 7 of J. Smith, 1. May', 'Meet the arm no. 7 of J. Smith, 1. May'],
])('shows the headline %j of the stand as %j', (headline, lines) => {
  const known = {
    device: healthyDevice,
    stand: { ...plainStand, headline: { en: headline } },
    basket: null,
    language: 'en',
    clock: String,
  };
  expect(wordingOf({ kind: 'attract' }, known).headline).toEqual({ own: lines });
});

it.each([
  ['online', false, 'firstSync.sentence'],
  ['online', true, 'firstSync.turn'],
  ['offline', true, 'firstSync.offline'],
] as const)(
  'the first sync says why it takes long: %s, waits for a slot: %s',
  (network, waitsForTurn, id) => {
    const device = { ...healthyDevice, network, mirror: { ...healthyDevice.mirror, waitsForTurn } };
    const known = { device, stand: plainStand, basket: null, language: 'en', clock: String };
    expect(wordingOf({ kind: 'firstSync' }, known).sentence).toMatchObject({ id });
  },
);

it('never says "nothing is lost" together with "nothing was saved"', () => {
  const offline = { ...healthyDevice, network: 'offline' as const };
  const full = { kind: 'failed', reason: 'full', at: 0 } as const;
  expect(saysOffline({ kind: 'attract' }, offline)).toBe(true);
  expect(saysOffline({ kind: 'attract' }, healthyDevice)).toBe(false);
  expect(saysOffline({ kind: 'failed', since: 0, until: 1, event: full }, offline)).toBe(false);
});

it.each([
  [10, 'checkin.welcomeSentence'],
  [20, 'checkin.overSentence'],
] as const)(
  'a check-in is welcomed only before the end of the activity: at %d, with the end at 20',
  (at, id) => {
    const activity = { ...demoActivity, start: 5, end: 20 };
    const known = {
      device: healthyDevice,
      stand: { ...plainStand, activity },
      basket: null,
      language: 'en',
      clock: String,
    };
    const event = captured({ at, checkin: { result: 'welcome', since: at, count: 3 } });
    const session = startSession(event, { stand: known.stand, chosen: [], comfort: false }, 0);
    const view = { kind: 'captured', since: 0, until: 1, event, session } as const;
    expect(wordingOf(view, known).sentence).toMatchObject({ id });
  },
);

it.each([
  [false, 'attract.headline'],
  [true, 'camera.headline'],
])('asks for a QR code instead of a tap while the camera is open: %s', (scans, id) => {
  const known = { device: healthyDevice, stand: plainStand, basket: null, language: 'en', clock: String };
  expect(wordingOf({ kind: 'attract' }, { ...known, scans }).headline).toMatchObject({ id });
});

it.each([
  ['Amélie B.', true, 'goodbye.named'],
  ['Amélie B.', false, 'goodbye.headline'],
  [null, true, 'goodbye.headline'],
] as const)('says goodbye to %s by name only if a content was taken: %s', (name, taken, id) => {
  const known = { device: healthyDevice, stand: plainStand, basket: null, language: 'en', clock: String };
  const visitor = name === null ? null : { name, company: null, language: null };
  const started = startSession(captured({ visitor }), { stand: plainStand, chosen: [], comfort: false }, 0);
  const [item] = demoOffer(1);
  if (!item) throw new Error('no content');
  const session = { ...started, selections: [{ item, taken, state: 'settled' as const }] };
  const view = { kind: 'goodbye', since: 0, until: 1, session } as const;
  expect(wordingOf(view, known).headline).toMatchObject({ id });
});
