/**
 * What a tap does for each purpose: contents of a touchpoint, check-ins, and a badge that names two people. No
 * network.
 */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import {
  chooseAssignment,
  createAssignmentCheck,
} from '../../../../src-main/core/stand/device/assignment.ts';
import { createAttendance } from '../../../../src-main/core/stand/visit/attendance.ts';
import { ownFolder, rememberingLog } from '../../fixture.ts';
import { openJournal, stamperOf } from '../../real-parts.ts';
import { leadsOn } from '../../screen.ts';
import { askingStand, capturedOf, EXPO, fill, guest, openStandKiosk, smallFair } from './stand-kiosk.ts';

const [V1, V2, V3, UNREGISTERED] = [
  '04AA00000000A1',
  '04AA00000000A2',
  '04AA00000000A3',
  '04AA00000000A4',
] as const;
const UNKNOWN = '04990000DEAD01';
const CAPACITY = 2;

type More = Partial<Parameters<typeof openStandKiosk>[0]> & { readonly labels?: readonly string[] };

/** A device at `touchpoint` of the small fair, with the activities' details from the platform. */
const at = (touchpoint: string, { labels = ['L1'], ...more }: More = {}) =>
  openStandKiosk({
    stand: { touchpoint },
    prepare: (mirror) => {
      fill(mirror, smallFair());
      mirror.stand.keepDetail('activities', 'a1', 1n, { capacity: CAPACITY, labels: [] });
      mirror.stand.keepDetail('activities', 'a2', 2n, { labels });
    },
    ...more,
  });

describe('the notice at a door', () => {
  const { texts } = askingStand.notice;
  const notice = { en: { who: 'We see your name', why: 'To let you in', howLong: 'A day' } };
  const noticeAt = async (touchpoint: string, door: object) => {
    const { stand } = at(touchpoint, { stand: { ...askingStand, touchpoint, door } });
    return (await stand()).notice;
  };

  it('has its own text, because visitors add nothing there', async () => {
    expect(await noticeAt('door1', { notice })).toEqual({ version: 'v1', link: null, texts: notice });
  });

  it('has the stand’s text if the door shows prompts or has no text of its own', async () => {
    expect(await noticeAt('door1', { notice, asks: true })).toMatchObject({ texts });
    expect(await noticeAt('door1', {})).toMatchObject({ texts });
    expect(await noticeAt('lead1', { notice })).toMatchObject({ texts });
  });
});

describe('a door of a partner that asks at its stand', () => {
  it('ends a check-in with the welcome, without consents and questions', async () => {
    const { tap, stand } = at('door1', { stand: { ...askingStand, touchpoint: 'door1' } });
    expect(await tap(V1)).toMatchObject({
      checkin: { result: 'welcome' },
      asksConsent: false,
      openQuestions: [],
    });
    expect(await stand()).toMatchObject({ consents: [], questions: [] });
  });

  it('shows consents and questions if the organiser wants them', async () => {
    const { tap } = at('door1', { stand: { ...askingStand, touchpoint: 'door1', door: { asks: true } } });
    expect(await tap(V1)).toMatchObject({ asksConsent: true, openQuestions: ['when', 'stars', 'words'] });
  });
});

it('an assignment is stored completely or not at all', () => {
  const folder = ownFolder();
  const path = join(folder, 'journal.db');
  const mirror = openMirror(join(folder, 'mirror.db'), EXPO);
  fill(mirror, smallFair());
  const journal = openJournal(path, stamperOf());
  const disk = openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });
  onTestFinished(() => {
    for (const open of [disk, journal, mirror]) open.close();
  });
  expect(chooseAssignment(journal.settings, mirror, 'lead1')).toBe(true);
  const before = journal.settings.all();
  disk.exec(`CREATE TRIGGER full BEFORE UPDATE ON setting WHEN NEW.key = 'touchpoint'
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
  expect(() => chooseAssignment(journal.settings, mirror, 'content1')).toThrow('the disk is full');
  expect(journal.settings.all()).toEqual(before);
  disk.exec('DROP TRIGGER full');
  expect(chooseAssignment(journal.settings, mirror, 'content1')).toBe(true);
  expect(journal.settings.get('touchpoint')).toBe('content1');
});

describe('a touchpoint with a content', () => {
  it('collects it with the tap: both are on disk when the screen is notified, and shown', async () => {
    const { tap, lines, stand } = at('content1');
    const captured = capturedOf(await tap(V1));
    expect(captured).toMatchObject({ collected: { id: 'c2', name: 'Éclair arm 2' }, checkin: null });
    expect(lines()).toMatchObject([
      { id: captured.factId, kind: 'tap', payload: { badge: V1, visitor: 'v1' } },
      { kind: 'collect', payload: { badge: V1, visitor: 'v1', content: 'c2' } },
    ]);
    expect(await stand()).toMatchObject({ offer: { count: 3, here: { id: 'c2' } } });
  });

  it('counts one tap and collects the content once for a resting badge, and undoes both', async () => {
    const { tap, screen, staff, lines, pass } = at('content1');
    const { factId } = capturedOf(await tap(V1));
    pass(1_000);
    expect(await tap(V1)).toMatchObject({ factId, collected: { id: 'c2' } });
    expect(await screen.session.collect({ factId, content: 'c2', take: true })).toEqual({ kept: true });
    expect(lines()).toHaveLength(2);
    expect((await leadsOn(await staff())).leads).toMatchObject([{ taps: 1 }]);
    await screen.taps.undo({ factId });
    expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'collect', 'undo', 'undo']);
  });

  it('collects the content for an unknown badge, too', async () => {
    const { tap, lines } = at('content1');
    expect(await tap(UNKNOWN)).toMatchObject({ kind: 'captured', visitor: null, collected: { id: 'c2' } });
    expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'collect']);
  });
});

describe('a check-in', () => {
  it('admits registered visitors, as a check-in at the activity that counts as a tap of the lead', async () => {
    const { tap, staff, lines, lights, stand } = at('door1');
    const event = capturedOf(await tap(V1));
    expect(event).toMatchObject({
      checkin: { result: 'welcome', since: event.at, count: 1 },
      collected: null,
    });
    expect(lines()).toMatchObject([
      { kind: 'checkin', payload: { badge: V1, visitor: 'v1', activity: 'a1' } },
    ]);
    expect((await leadsOn(await staff())).leads).toMatchObject([{ taps: 1, undone: false }]);
    expect(await stand()).toMatchObject({
      activity: { id: 'a1', name: 'Talk', capacity: CAPACITY, count: 1, access: 'open' },
    });
    expect(lights).toEqual(['captured']);
  });

  it('shows since when a visitor is inside, and keeps the tap', async () => {
    const { tap, lines, pass } = at('door1');
    const first = capturedOf(await tap(V1));
    pass(60_000);
    expect(await tap(V1)).toMatchObject({ checkin: { result: 'again', since: first.at, count: 1 } });
    expect(lines().map(({ kind }) => kind)).toEqual(['checkin', 'tap']);
  });

  it('gives unknown and unregistered visitors the same answer, and keeps both taps', async () => {
    const { tap, lines, lights } = at('door1');
    for (const uid of [UNKNOWN, UNREGISTERED]) {
      expect(await tap(uid)).toMatchObject({ kind: 'notAdmitted', reason: 'notRegistered' });
    }
    expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'tap']);
    expect(lights).toEqual(['refused', 'refused']);
  });

  it('admits visitors up to its capacity, and one more after an undo', async () => {
    const { tap, screen, pass, lines } = at('door1');
    const first = capturedOf(await tap(V1));
    expect(capturedOf(await tap(V2)).checkin).toMatchObject({ count: 2 });
    expect(await tap(V3)).toMatchObject({ kind: 'notAdmitted', reason: 'full' });
    await screen.taps.undo({ factId: first.factId });
    pass(3_001);
    expect(capturedOf(await tap(V3)).checkin).toMatchObject({ result: 'welcome', count: 2 });
    expect(lines().map(({ kind }) => kind)).toEqual(['checkin', 'checkin', 'tap', 'undo', 'checkin']);
  });

  it('records that a visitor was turned away, and stores no lead', async () => {
    const folder = ownFolder();
    const door = at('door2', { folder });
    for (const uid of [V1, UNKNOWN]) expect(await door.tap(uid)).toMatchObject({ kind: 'notAdmitted' });
    expect(door.lines().map(({ kind, payload }) => [kind, payload])).toEqual([
      ['tap', { badge: V1, visitor: 'v1', fields: { turnedAway: 'restricted' } }],
      ['tap', { badge: UNKNOWN, fields: { turnedAway: 'notRegistered' } }],
    ]);
    const none = { leads: [], counts: { people: 0 } };
    expect(await leadsOn(await door.staff())).toMatchObject(none);
    expect(await (await door.staff()).delivery.turnedAway()).toMatchObject({
      entries: [
        { reason: 'notRegistered', name: null, badgeTail: UNKNOWN.slice(-4) },
        { reason: 'restricted', name: 'First v1 Last v1', badgeTail: V1.slice(-4) },
      ],
      total: 2,
    });
    expect(await leadsOn(await door.staff(), { filter: { search: 'First' } })).toMatchObject(none);
    expect(door.kiosk.state()).toMatchObject({ leads: 0, delivery: { captured: 2, due: 2 } });
    await door.stop();
    const stand = openStandKiosk({ folder, stand: { touchpoint: 'lead1' } });
    const captured = capturedOf(await stand.tap(V1));
    expect(captured.repeat).toBeNull();
    expect(await leadsOn(await stand.staff())).toMatchObject({
      leads: [{ name: 'First v1 Last v1', taps: 1, firstAt: captured.at, undone: false }],
      counts: { people: 1 },
    });
    await stand.screen.taps.undo({ factId: captured.factId });
    expect(await leadsOn(await stand.staff())).toMatchObject({
      leads: [{ taps: 0, undone: true }],
      counts: { people: 1 },
    });
    expect(stand.kiosk.state().leads).toBe(1);
  });

  it('shows a refusal again while the badge rests, without recording another tap', async () => {
    const { tap, lines, pass } = at('door1');
    await tap(UNKNOWN);
    pass(1_000);
    expect(await tap(UNKNOWN)).toMatchObject({ kind: 'notAdmitted', reason: 'notRegistered' });
    expect(lines()).toHaveLength(1);
  });

  it('admits visitors with one of the labels of a restricted activity', async () => {
    const { tap } = at('door2');
    expect(await tap(V1)).toMatchObject({ kind: 'notAdmitted', reason: 'restricted' });
    expect(await tap(V2)).toMatchObject({ kind: 'captured', checkin: { result: 'welcome' } });
  });

  it('admits nobody to a restricted activity without labels', async () => {
    const { tap } = at('door2', { labels: [] });
    expect(await tap(V2)).toMatchObject({ kind: 'notAdmitted', reason: 'restricted' });
  });

  it('has no limit at a location without an activity', async () => {
    const { tap, stand, lines } = at('hall');
    for (const [index, uid] of [V1, V2, V3].entries()) {
      expect(capturedOf(await tap(uid)).checkin).toMatchObject({ result: 'welcome', count: index + 1 });
    }
    expect(lines()[0]?.payload).not.toHaveProperty('activity');
    expect(await stand()).toMatchObject({ activity: { id: null, name: 'Hall 4', capacity: null, count: 3 } });
  });

  it('counts each visitor whom other devices admitted once, and none who left', async () => {
    const entered = '2026-11-21T08:00:00.000Z';
    const left = '2026-11-21T08:30:00.000Z';
    const participants = [
      { visitorID: 'v2', activities: [{ activityID: 'a1', entered }] },
      { visitorID: 'v3', activities: [{ activityID: 'a1', entered, left }] },
      { visitorID: 'v9', activities: [{ activityID: 'a2', entered }] },
    ];
    const { tap, stand } = at('door1', {
      prepare: (mirror) => {
        fill(mirror, { ...smallFair(), participants });
        mirror.stand.keepDetail('activities', 'a1', 1n, { capacity: CAPACITY });
      },
    });
    expect((await stand()).activity?.count).toBe(1);
    expect(await tap(V2)).toMatchObject({
      checkin: { result: 'again', since: Date.parse(entered), count: 1 },
    });
    expect(await tap(V3)).toMatchObject({ checkin: { result: 'welcome', count: 2 } });
    expect(await tap(V1)).toMatchObject({ kind: 'notAdmitted', reason: 'full' });
  });

  it('remembers entries and undone entries after a restart', async () => {
    const folder = ownFolder();
    const first = at('door1', { folder });
    await first.tap(V1);
    const back = capturedOf(await first.tap(V2));
    await first.screen.taps.undo({ factId: back.factId });
    await first.stop();
    const second = openStandKiosk({ folder, stand: { touchpoint: 'door1' } });
    expect((await second.stand()).activity?.count).toBe(1);
    expect(await second.tap(V1)).toMatchObject({ checkin: { result: 'again' } });
    expect(await second.tap(V2)).toMatchObject({ checkin: { result: 'welcome', count: 2 } });
  });
});

describe('attendance', () => {
  const T = Date.UTC(2026, 10, 21, 9);
  const iso = (ms: number) => new Date(ms).toISOString();

  it('counts our own check-in once when the platform reports it too', () => {
    const people = createAttendance([], []);
    people.enter('v1', T);
    people.report('v1', [{ entered: iso(T), left: null }]);
    expect([people.count(), people.since('v1')]).toEqual([1, T]);
  });

  it('does not count an undone check-in, even if the platform still reports it', () => {
    const people = createAttendance(
      [{ visitor: 'v1', entered: iso(T), left: null }],
      [{ visitor: 'v1', at: T, undone: true }],
    );
    expect(people.count()).toBe(0);
    people.enter('v2', T);
    people.takeBack('v2', T);
    people.report('v2', [{ entered: iso(T), left: null }]);
    expect(people.count()).toBe(0);
  });

  it('does not count visitors who left after our check-in, until they come back', () => {
    const people = createAttendance([], [{ visitor: 'v1', at: T, undone: false }]);
    people.report('v1', [{ entered: iso(T), left: iso(T + 1_000) }]);
    expect(people.since('v1')).toBeNull();
    people.enter('v1', T + 2_000);
    expect(people.since('v1')).toBe(T + 2_000);
    people.forget('v1');
    expect(people.count()).toBe(0);
  });
});

describe('a badge that names two people', () => {
  const both = [guest('v1', V1), guest('v2', V1)];
  const clashing = (mirror: Parameters<typeof fill>[0]) => fill(mirror, { ...smallFair(), visitors: both });

  it('is stored as an unknown tap, shown as a clash, and never mixed with the leads of either', async () => {
    const folder = ownFolder();
    const before = at('lead1', { folder });
    await before.tap(V1);
    await before.stop();
    const { tap, staff, lines, lights, pass } = at('lead1', { folder, prepare: clashing });
    expect(await tap(V1)).toMatchObject({ kind: 'refused', reason: 'clash' });
    pass(4_000);
    expect(await tap(V1)).toMatchObject({ kind: 'refused', reason: 'clash' });
    expect(lights).toEqual(['refused', 'refused']);
    expect(lines().slice(1)).toMatchObject([
      { kind: 'tap', payload: { badge: V1, clash: true }, delivery: { state: 'due' } },
      { kind: 'tap', payload: { badge: V1, clash: true } },
    ]);
    expect(lines().at(-1)?.payload).not.toHaveProperty('visitor');
    const { leads } = await leadsOn(await staff());
    expect(leads.map(({ name, taps }) => [name, taps])).toEqual([
      [null, 2],
      ['First v1 Last v1', 1],
    ]);
  });

  it('is also detected if each of its two codes names another person', () => {
    const mirror = openMirror(join(ownFolder(), 'mirror.db'), EXPO);
    fill(mirror, smallFair());
    expect(mirror.ownerOf([V1, V2])).toMatchObject({ kind: 'ambiguous' });
    expect(mirror.ownerOf([V1, UNKNOWN])).toMatchObject({ kind: 'visitor', visitor: { id: 'v1' } });
    mirror.close();
  });
});

describe('the touchpoint of a device', () => {
  it('follows the settings, even when they change', async () => {
    const folder = ownFolder();
    const first = at('door1', { folder });
    expect(first.kiosk.state()).toMatchObject({ purpose: 'checkin', deviceName: 'Door' });
    await first.stop();
    const second = openStandKiosk({ folder, stand: { touchpoint: 'content1' } });
    expect(second.kiosk.state()).toMatchObject({ purpose: 'content', deviceName: 'Take away' });
    await second.stop();
    const third = openStandKiosk({ folder });
    expect(third.kiosk.state()).toMatchObject({ purpose: 'content' });
  });

  it('is unknown while the event lacks the one in the settings, but taps are stored', async () => {
    const { tap, lines } = at('nowhere');
    expect(await tap(V1)).toMatchObject({ kind: 'captured' });
    expect(lines()).toMatchObject([{ touchpoint: null, partner: null }]);
  });

  it('is reported once if the event lacks the one in the settings, but not before that is certain', () => {
    const mirror = openMirror(join(ownFolder(), 'mirror.db'), EXPO);
    onTestFinished(mirror.close);
    const log = rememberingLog();
    const { settings } = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
    const check = createAssignmentCheck(settings, mirror, log, 'lead7');
    check();
    expect(log.said).toEqual([]);
    fill(mirror, smallFair());
    check();
    check();
    fill(mirror, { touchpoints: [{ id: 'lead7', name: 'New', purpose: 'lead', revision: 99 }] });
    check();
    expect(log.said.map(({ level, what }) => [level, what])).toEqual([
      [
        'error',
        'the event does not have the touchpoint "lead7" that stand.json names; taps are kept, but check its id',
      ],
      ['info', 'the event now has the touchpoint "lead7" that stand.json names'],
    ]);
    const others = rememberingLog();
    for (const named of [null, 'lead7']) createAssignmentCheck(settings, mirror, others, named)();
    expect(others.said).toEqual([]);
    fill(mirror, { touchpoints: [{ id: 'lead7', name: 'New', purpose: 'survey', revision: 100 }] });
    check();
    check();
    expect(log.said.slice(2)).toMatchObject([
      {
        level: 'error',
        what:
          'the touchpoint "lead7" has the purpose "survey", which this version does not know; ' +
          'taps are kept, but give it one of lead, content, checkin',
      },
    ]);
  });

  it.each(['survey1', null])(
    'is reported as a fault if its purpose is unknown, and never treated as one for leads (%s)',
    async (touchpoint) => {
      const { tap, kiosk, lines } = openStandKiosk({
        stand: { touchpoint },
        prepare: (mirror) =>
          fill(mirror, {
            ...smallFair(),
            touchpoints: [{ id: 'survey1', name: 'Survey', purpose: 'survey', partnerID: 'p1' }],
          }),
      });
      expect((await tap(V1)).kind).toBe('captured');
      expect(lines()).toMatchObject([{ touchpoint: null, partner: null, delivery: { state: 'due' } }]);
      const fault = { kind: 'unknownPurpose', touchpoint: 'survey1', purpose: 'survey' };
      expect(kiosk.state().assignmentFault).toEqual(fault);
    },
  );

  it('is chosen among the touchpoints with a known purpose', async () => {
    const { tap, lines } = openStandKiosk({
      prepare: (mirror) => {
        const [lead = {}] = smallFair().touchpoints ?? [];
        const survey = { id: 'survey1', name: 'Survey', purpose: 'survey', partnerID: 'p1' };
        fill(mirror, { ...smallFair(), touchpoints: [survey, lead] });
      },
    });
    await tap(V1);
    expect(lines()).toMatchObject([{ touchpoint: 'lead1' }]);
  });

  it('can be changed on the screen only in the demo event, and new facts belong to the new one', async () => {
    const usual = at('lead1');
    expect(await usual.screen.demo.become({ purpose: 'checkin' })).toEqual({ done: false });
    const demo = at('lead1', { demo: true, stand: askingStand });
    for (const [purpose, touchpoint] of [
      ['content', 'content1'],
      ['checkin', 'door1'],
      ['lead', 'lead1'],
    ] as const) {
      expect(await demo.screen.demo.become({ purpose })).toEqual({ done: true });
      expect(demo.kiosk.state().purpose).toBe(purpose);
      await demo.tap(V1);
      expect(demo.lines().at(-1)).toMatchObject({ touchpoint, partner: 'p1' });
      demo.pass(4_000);
    }
  });
});
