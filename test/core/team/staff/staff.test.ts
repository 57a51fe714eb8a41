/** Access to the staff pages: PINs, delays after wrong ones, staff badges, and duty. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resetPin, waitAfter } from '../../../../src-main/core/team/staff/pin-entry.ts';
import { createStaff } from '../../../../src-main/core/team/staff/staff.ts';
import { handClock, ownFolder, rememberingLog, until } from '../../fixture.ts';
import { realRandom } from '../../real-parts.ts';
import { screenOf } from '../../screen.ts';
import { fill, openStandKiosk, smallFair } from '../../stand/visit/stand-kiosk.ts';

const PIN = '493817';
const BADGE = '04AA00000000B1';
const [V1, V2] = ['04AA00000000A1', '04AA00000000A2'] as const;

/** A start of the app in `folder`. Its monotonic clock restarts, and its wall clock may have any value. */
const startOver = (folder: string, wall = Date.UTC(2026, 10, 21, 9), badgeOpens = true) => {
  const clock = handClock(wall);
  const staff = createStaff({
    ...{ clock, folder, random: realRandom, log: rememberingLog(), demo: null },
    badgeOpens: () => badgeOpens,
    onChange: () => undefined,
  });
  return { staff, pass: clock.pass };
};

const withPin = async (folder = ownFolder()) => {
  const started = startOver(folder);
  const page = {};
  expect(await started.staff.choosePin(page, PIN, 'Jonas W.')).toBe(true);
  return { folder, page, ...started };
};

/** A PIN that is cheap to check, for tests with thousands of attempts. */
const cheapen = (folder: string) => {
  const path = join(folder, 'staff.json');
  const record = JSON.parse(readFileSync(path, 'utf8'));
  // No PIN has this hash, so every attempt is wrong, as fast as the machine allows.
  writeFileSync(path, JSON.stringify({ ...record, pin: { ...record.pin, cost: 2 } }));
};

describe('a PIN', () => {
  it('is chosen once, stored hashed and readable only by this user, and opens only the page that typed it', async () => {
    const { folder, staff, page } = await withPin();
    const path = join(folder, 'staff.json');
    expect(readFileSync(path, 'utf8')).not.toContain(PIN);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(staff.session(page)).toMatchObject({ member: { name: 'Jonas W.' }, technician: false });

    const other = {};
    expect(await staff.choosePin(other, '1111', 'Somebody')).toBe(false);
    expect(await staff.signIn(other, '1111')).toMatchObject({ kind: 'wrong' });
    expect(staff.session(other)).toBeNull();
    expect(await staff.signIn(other, PIN)).toEqual({ kind: 'in' });
    expect(staff.session(other)).not.toBeNull();
    staff.lock(other);
    expect(staff.session(other)).toBeNull();
    expect(staff.session(page)).not.toBeNull();
  });

  it('allows three attempts without a delay, then with ever longer delays, even with ten concurrent attempts', async () => {
    const { staff, pass } = await withPin();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => staff.signIn({}, `000${index}`)),
    );
    expect(answers.filter(({ kind }) => kind === 'wrong')).toHaveLength(3);
    expect(answers.filter(({ kind }) => kind === 'wait')).toHaveLength(7);
    expect(await staff.signIn({}, PIN)).toEqual({ kind: 'wait', waitMs: waitAfter(3) });
    pass(waitAfter(3));
    expect(await staff.signIn({}, PIN)).toEqual({ kind: 'in' });
    expect(staff.state({}).waitMs).toBe(0);
  });

  it('is compared only three times in 10,000 attempts over 50 starts, even if the wall clock is wrong', async () => {
    const { folder } = await withPin();
    cheapen(folder);
    let looked = 0;
    for (let start = 0; start < 50; start += 1) {
      const { staff } = startOver(folder, Date.UTC(2026 - start, 10, 21) + start * 1e9);
      for (let tried = 0; tried < 200; tried += 1) {
        const { kind } = await staff.signIn({}, String(start * 200 + tried).padStart(4, '0'));
        if (kind !== 'wait') looked += 1;
      }
    }
    // Three attempts are free. After that, each start begins with the full delay.
    expect(looked).toBe(3);
    const { staff, pass } = startOver(folder);
    expect(staff.state({}).waitMs).toBe(waitAfter(3));
    pass(waitAfter(3) - 1);
    expect(await staff.signIn({}, PIN)).toMatchObject({ kind: 'wait' });
  });

  it('can be reset by the technician while the app runs, with the same team', async () => {
    const { folder, staff } = await withPin();
    for (let tried = 0; tried < 3; tried += 1) await staff.signIn({}, '0000');
    await resetPin(folder, 'staff', '222222', realRandom);
    await resetPin(folder, 'technician', '333333', realRandom);
    expect(await staff.signIn({}, PIN)).toMatchObject({ kind: 'wrong' });
    const [page, technician] = [{}, {}];
    expect(await staff.signIn(page, '222222')).toEqual({ kind: 'in' });
    expect(staff.session(page)).toMatchObject({ member: { name: 'Jonas W.' }, technician: false });
    expect(await staff.signIn(technician, '333333')).toEqual({ kind: 'in' });
    expect(staff.session(technician)).toMatchObject({ technician: true });
  });

  it('opens no page if its file is damaged, and cannot be chosen again in that case', async () => {
    const { folder, staff } = await withPin();
    writeFileSync(join(folder, 'staff.json'), '{"version":1,');
    expect(staff.state({}).pin).toBe('damaged');
    expect(await staff.signIn({}, PIN)).toEqual({ kind: 'damaged' });
    expect(await staff.choosePin({}, '1111', 'Somebody')).toBe(false);
    await resetPin(folder, 'staff', '222222', realRandom);
    expect(await staff.signIn({}, '222222')).toEqual({ kind: 'in' });
  });
});

describe('a session', () => {
  it('ends after four minutes without a touch', async () => {
    const { staff, page, pass } = await withPin();
    pass(230_000);
    staff.touch(page);
    pass(230_000);
    expect(staff.session(page)).not.toBeNull();
    pass(10_000);
    expect(staff.session(page)).toBeNull();
    staff.touch(page);
    expect(staff.session(page)).toBeNull();
  });

  it('asks for the member if the team has several; the member stays on duty while the page is locked', async () => {
    const { staff, page, pass } = await withPin();
    const mira = staff.addMember('Mira');
    staff.lock(page);
    expect(staff.onDuty()).toBe('Jonas W.');
    await staff.signIn(page, PIN);
    expect(staff.session(page)?.member).toBeNull();
    expect(staff.identify(page, mira.id)).toBe(true);
    expect(staff.onDuty()).toBe('Mira');
    staff.lock(page);
    pass(7_199_000);
    expect(staff.onDuty()).toBe('Mira');
    pass(1_000);
    expect(staff.onDuty()).toBeNull();
    await staff.signIn(page, PIN);
    staff.identify(page, mira.id);
    staff.signOff(page);
    expect(staff.onDuty()).toBeNull();
    expect(staff.session(page)).toBeNull();
  });
});

describe('a staff badge', () => {
  const withBadge = async (folder = ownFolder()) => {
    const started = await withPin(folder);
    const [member] = started.staff.team().members;
    if (member === undefined) throw new Error('Expected a member');
    started.staff.awaitBadge(member.id);
    expect(started.staff.team().awaits).toBe(member.id);
    expect(started.staff.badge([BADGE, 'NDEF-1'])).toEqual({ ticket: null });
    expect(started.staff.team().members[0]?.badges).toMatchObject([{ tail: '00B1' }]);
    return { ...started, member };
  };

  it('opens one page, once, within ten seconds, by any of its codes', async () => {
    const { staff, pass } = await withBadge();
    const [page, late] = [{}, {}];
    const { ticket } = staff.badge(['NDEF-1']) ?? {};
    expect(staff.redeem(page, ticket ?? '')).toBe(true);
    expect(staff.session(page)).toMatchObject({ member: { name: 'Jonas W.' }, technician: false });
    expect(staff.redeem(late, ticket ?? '')).toBe(false);
    const second = staff.badge([BADGE])?.ticket ?? '';
    pass(10_000);
    expect(staff.redeem(late, second)).toBe(false);
    expect(staff.badge(['04AA00000000A1'])).toBeNull();
  });

  it("counts as a visitor's badge at a check-in", async () => {
    const { folder } = await withBadge();
    expect(startOver(folder, undefined, false).staff.badge([BADGE])).toBeNull();
  });

  it('opens nothing after it is removed, and the pages that it opened are locked', async () => {
    const { staff, member } = await withBadge();
    const page = {};
    staff.redeem(page, staff.badge([BADGE])?.ticket ?? '');
    const [badge] = staff.team().members[0]?.badges ?? [];
    staff.removeBadge(badge?.id ?? '');
    expect(staff.session(page)).toBeNull();
    expect(staff.badge([BADGE])).toBeNull();
    staff.awaitBadge(member.id);
    staff.badge([BADGE]);
    staff.removeMember(member.id);
    expect(staff.badge([BADGE])).toBeNull();
  });

  it('belongs to the member to whom it was assigned last', async () => {
    const { staff } = await withBadge();
    const mira = staff.addMember('Mira');
    staff.awaitBadge(mira.id);
    staff.badge([BADGE]);
    const page = {};
    staff.redeem(page, staff.badge([BADGE])?.ticket ?? '');
    expect(staff.session(page)?.member?.name).toBe('Mira');
    expect(staff.team().members[0]?.badges).toEqual([]);
  });
});

it('finds the CRM address of a member by name, unless two members with this name have different ones', async () => {
  const { staff } = await withPin();
  const [one, other] = [staff.addMember('Mira'), staff.addMember('Mira')];
  expect(staff.addressOf('Mira')).toBeNull();
  for (const { id } of [one, other]) staff.setEmail(id, 'mira@example.org');
  expect(staff.addressOf('Mira')).toBe('mira@example.org');
  expect(
    staff
      .team()
      .members.filter(({ name }) => name === 'Mira')
      .map(({ email }) => email),
  ).toEqual(['mira@example.org', 'mira@example.org']);
  staff.setEmail(other.id, 'm.other@example.org');
  expect(staff.addressOf('Mira')).toBeNull();
  expect(staff.addressOf('Nobody')).toBeNull();
});

describe('at a stand', () => {
  it('a staff badge is not a lead, even if a visitor has it too, and its owner is named in later facts', async () => {
    const { kiosk, tap, lay, lights, told, lines } = openStandKiosk({
      stand: { touchpoint: 'lead1' },
      prepare: (mirror) => fill(mirror, smallFair()),
    });
    const page = screenOf(kiosk);
    await page.staff.choosePin({ pin: PIN, name: 'Jonas W.' });
    const { members } = await page.staff.team();
    await page.staff.awaitBadge({ member: members[0]?.id ?? '' });
    lay(V1);
    await page.staff.lock({ off: true });
    expect((await tap(V2)).kind).toBe('captured');
    expect(await tap(V1)).toMatchObject({ kind: 'staff' });
    const ticket = told.findLast((event) => event.kind === 'staff')?.ticket ?? '';
    expect(await page.staff.redeem({ ticket })).toEqual({ in: true });
    await tap('04AA00000000A3');
    expect(lights).toEqual(Array(4).fill('captured'));
    expect(lines().map(({ payload, staff }) => [payload?.visitor, staff])).toEqual([
      ['v2', null],
      ['v3', 'Jonas W.'],
    ]);
  });

  it('every call for the team is refused to a page that is not signed in, and to one that was locked', async () => {
    const { kiosk } = openStandKiosk({ stand: { touchpoint: 'lead1' } });
    const page = screenOf(kiosk);
    const asked = [
      () => page.leads.page({}),
      () => page.delivery.deadLetters(),
      () => page.delivery.retry({}),
      () => page.mirror.reconcile(),
      () => page.mirror.approveRemoval({ resource: 'visitors' }),
      () => page.staff.team(),
      () => page.staff.addMember({ name: 'Nobody' }),
      () => page.staff.changePin({ pin: '0000' }),
    ];
    const refused = async () => {
      for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    };
    await refused();
    await page.staff.choosePin({ pin: PIN, name: 'Jonas W.' });
    expect(await page.leads.page({})).toMatchObject({ counts: { people: 0 } });
    await expect(screenOf(kiosk).leads.page({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await page.staff.lock({ off: false });
    await refused();
  });

  it('closing a page ends its session', async () => {
    const { kiosk } = openStandKiosk({ stand: { touchpoint: 'lead1' } });
    const page = screenOf(kiosk);
    const watched = await page.staff.watch();
    await watched.next();
    await page.staff.choosePin({ pin: PIN, name: 'Jonas W.' });
    await watched.return?.();
    await until('the page is locked', async () => {
      for await (const { session } of await page.staff.watch()) return session === null;
      return false;
    });
  });
});
