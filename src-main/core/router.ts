/**
 * The contract, implemented: what each question of a screen reaches. No logic.
 *
 * Invariants: both shells carry exactly this router; what is for the stand team is refused to a page that is not signed
 * in, by one rule for all of it.
 */
import { implement, ORPCError } from '@orpc/server';
import { kioskContract } from '../contract/contract.ts';
import type { DeviceState } from '../contract/device.ts';
import type { Health } from '../contract/health.ts';
import type { HubCommands } from './delivery/hub/commands.ts';
import { deadLetterOf, type ParkedSight } from './delivery/outbox/parked.ts';
import { requeueDeadLetters } from './delivery/outbox/requeue.ts';
import type { Mirror } from './event/mirror/mirror.ts';
import { RESOURCE_NAMES } from './event/mirror/resources.ts';
import type { Puller } from './event/sync/puller.ts';
import type { Handover } from './handover.ts';
import type { Journal } from './journal/facts/journal.ts';
import { type Publishers, whereDifferent } from './screens.ts';
import { type DeviceAssignment, partnerNow } from './stand/device/assignment.ts';
import type { DemoTray } from './stand/taps/demo-tray.ts';
import type { Taps } from './stand/taps/taps.ts';
import type { UnseenOutcomes } from './stand/taps/unseen-outcomes.ts';
import type { StandService } from './stand/visit/service.ts';
import type { LeadService } from './team/leads/service.ts';
import type { Page } from './team/staff/sessions.ts';
import type { Staff } from './team/staff/staff.ts';

/** Who asks: the connection of one page, as its shell knows it. */
export type Asker = { readonly page: Page };

/** What the router needs of the kiosk. */
export type RouterParts = {
  readonly taps: Taps;
  readonly unseen: UnseenOutcomes;
  readonly tray: DemoTray;
  readonly standService: StandService;
  readonly journal: Journal;
  readonly leads: LeadService;
  readonly handover: Handover;
  readonly assignment: () => DeviceAssignment | null;
  readonly mirror: Mirror;
  readonly staff: Staff;
  readonly puller: Pick<Puller, 'reconcile'>;
  readonly hub: Pick<HubCommands, 'putAway'>;
  readonly publishers: Publishers;
  readonly state: () => DeviceState;
  readonly health: () => Health;
  readonly now: () => number;
  /** Dead letters are due again. */
  readonly onRequeued: () => void;
};

/** More than any queue of quick taps; a screen that lags further behind has lost its link anyway. */
const TAPS_KEPT_FOR_A_SLOW_SCREEN = 1_000;
/** More would help nobody who reads them; all of them can be sent again and exported. */
const PARKED_SHOWN = 200;
/** An export tells ten times a second. */
const EXPORT_NEWS_KEPT = 100;

/** The router of one kiosk. */
export function createRouter(parts: RouterParts) {
  return asked().router({
    ...watching(parts),
    ...ofVisitors(parts),
    ...createEntryRouter(parts),
    ...ofStaff(parts),
  });
}

function asked() {
  return implement(kioskContract).$context<Asker>();
}

/** For pages that are signed in, and nobody else. */
function askedByStaff({ staff }: Pick<RouterParts, 'staff'>) {
  return asked().use(({ context, next }) => {
    if (staff.session(context.page) === null) throw new ORPCError('UNAUTHORIZED');
    return next();
  });
}

/** The router's type, for the shells. */
export type KioskRouter = ReturnType<typeof createRouter>;

/** Whatever a screen is kept up to date with, and the taps themselves. */
function watching({ taps, unseen, standService, publishers, state }: RouterParts) {
  const os = asked();
  return {
    device: {
      watch: os.device.watch.handler(async function* ({ signal }) {
        const changes = publishers.states.subscribe('state', { ...abortedBy(signal), maxBufferedEvents: 1 });
        yield* whereDifferent(state, changes);
      }),
      touchpoints: os.device.touchpoints.handler(() => [...standService.touchpoints()]),
      choose: os.device.choose.handler(({ input }) => ({ done: standService.choose(input.touchpoint) })),
    },
    taps: {
      watch: os.taps.watch.handler(async function* ({ signal }) {
        const live = publishers.taps.subscribe('tap', {
          ...abortedBy(signal),
          maxBufferedEvents: TAPS_KEPT_FOR_A_SLOW_SCREEN,
        });
        yield* unseen.publish();
        yield* live;
      }),
      enter: os.taps.enter.handler(({ input }) => {
        taps.enter(input.text, input.source);
        return { taken: true };
      }),
      undo: os.taps.undo.handler(({ input }) => ({ done: taps.undo(input.factId) })),
    },
    stand: {
      watch: os.stand.watch.handler(async function* ({ signal }) {
        const changes = publishers.stands.subscribe('stand', { ...abortedBy(signal), maxBufferedEvents: 1 });
        yield* whereDifferent(standService.stand, changes);
      }),
    },
  };
}

/** What a visitor looks at and adds to a tap. */
function ofVisitors({ standService, tray }: RouterParts) {
  const os = asked();
  return {
    offer: {
      list: os.offer.list.handler(({ input }) => {
        const { items, total } = standService.offer(input.search, input.offset, input.limit);
        return { items: [...items], total };
      }),
      picture: os.offer.picture.handler(({ input }) => standService.picture(input.id, input.size)),
    },
    session: {
      consent: os.session.consent.handler(({ input }) => ({
        kept: standService.consent(input.factId, input.language, input.agreed),
      })),
      answer: os.session.answer.handler(({ input }) => ({
        kept: standService.answer(input.factId, input.language, input.question, input.answer),
      })),
      skip: os.session.skip.handler(({ input }) => ({
        kept: standService.skip(input.factId, input.question),
      })),
      collect: os.session.collect.handler(({ input }) => ({
        kept: standService.collect(input.factId, input.content, input.take),
      })),
      email: os.session.email.handler(async ({ input }) => ({
        state: await standService.email(input.factId),
      })),
      end: os.session.end.handler(({ input }) => ({ ended: standService.end(input.factId) })),
    },
    demo: {
      badges: os.demo.badges.handler(() => [...tray.badges]),
      tap: os.demo.tap.handler(async ({ input }) => ({ taken: await tray.tap(input.code) })),
      become: os.demo.become.handler(({ input }) => ({ done: standService.reassign(input.purpose) })),
    },
  };
}

/** What the entry needs of whatever device it is. */
export type EntryParts = Pick<RouterParts, 'staff'> & { readonly publishers: Pick<Publishers, 'staff'> };

/** How the stand team comes in, and what it sets for itself. */
export function createEntryRouter(parts: EntryParts) {
  const { staff, publishers } = parts;
  const os = asked();
  const inside = askedByStaff(parts);
  return {
    staff: {
      watch: os.staff.watch.handler(async function* ({ signal, context: { page } }) {
        const changes = publishers.staff.subscribe('change', { ...abortedBy(signal), maxBufferedEvents: 1 });
        try {
          yield staff.state(page);
          for await (const _change of changes) yield staff.state(page);
        } finally {
          // The page is gone or loaded anew.
          staff.lock(page);
        }
      }),
      choosePin: os.staff.choosePin.handler(async ({ input, context }) => ({
        chosen: await staff.choosePin(context.page, input.pin, input.name),
      })),
      signIn: os.staff.signIn.handler(({ input, context }) => staff.signIn(context.page, input.pin)),
      redeem: os.staff.redeem.handler(({ input, context }) => ({
        in: staff.redeem(context.page, input.ticket),
      })),
      lock: os.staff.lock.handler(({ input, context }) => {
        if (input.off) staff.signOff(context.page);
        else staff.lock(context.page);
        return { locked: true };
      }),
      touch: inside.staff.touch.handler(({ context }) => {
        staff.touch(context.page);
        return { open: true };
      }),
      identify: inside.staff.identify.handler(({ input, context }) => ({
        done: staff.identify(context.page, input.member),
      })),
      changePin: inside.staff.changePin.handler(async ({ input }) => {
        await staff.changePin(input.pin);
        return { changed: true };
      }),
      team: inside.staff.team.handler(() => staff.team()),
      addMember: inside.staff.addMember.handler(({ input }) => staff.addMember(input.name)),
      removeMember: inside.staff.removeMember.handler(({ input }) => {
        staff.removeMember(input.member);
        return staff.team();
      }),
      awaitBadge: inside.staff.awaitBadge.handler(({ input }) => {
        staff.awaitBadge(input.member);
        return staff.team();
      }),
      removeBadge: inside.staff.removeBadge.handler(({ input }) => {
        staff.removeBadge(input.badge);
        return staff.team();
      }),
    },
  };
}

/** What the stand team looks at and decides. */
function ofStaff(parts: RouterParts) {
  const { mirror, puller, health } = parts;
  const os = askedByStaff(parts);
  return {
    leads: ofLeads(parts),
    health: { read: os.health.read.handler(health) },
    ...ofHandover(parts),
    delivery: ofDelivery(parts),
    hub: { putAway: os.hub.putAway.handler(() => ({ done: parts.hub.putAway() })) },
    mirror: {
      reconcile: os.mirror.reconcile.handler(() => {
        puller.reconcile();
        return { begun: true };
      }),
      approveRemoval: os.mirror.approveRemoval.handler(({ input, context }) => {
        if (parts.staff.session(context.page)?.technician !== true) return { approved: false };
        const name = RESOURCE_NAMES.find((known) => known === input.resource);
        if (name === undefined) return { approved: false };
        mirror.approveSweep(name);
        puller.reconcile();
        return { approved: true };
      }),
    },
  };
}

/** What the platform refused, what was refused here, and what a removal takes with it. */
function ofDelivery(parts: RouterParts) {
  const { journal, mirror, leads, assignment, now, onRequeued } = parts;
  const os = askedByStaff(parts).delivery;
  const sight = (): ParkedSight => ({
    present: partnerNow(assignment()),
    here: assignment(),
    has: (resource, id) => (mirror.progress(resource).complete ? mirror.record(resource, id) !== null : null),
  });
  return {
    deadLetters: os.deadLetters.handler(() => {
      const seen = sight();
      return journal.deadLetters
        .list(PARKED_SHOWN)
        .map((fact) =>
          deadLetterOf(fact, fact.lead === null ? null : journal.leadSources.rootOf(fact.lead), seen),
        );
    }),
    retry: os.retry.handler(({ input: { factId = null, mended } }) => {
      const retried = requeueDeadLetters(journal, { factId, mended }, sight(), now());
      onRequeued();
      return { retried };
    }),
    turnedAway: os.turnedAway.handler(() => leads.ask('turnedAway')),
    removal: os.removal.handler(({ input }) => {
      const name = RESOURCE_NAMES.find((known) => known === input.resource);
      const gone = name === undefined || mirror.progress(name).asks === 0 ? [] : mirror.unseen(name);
      const isOfPeople = name === 'visitors';
      const concerned = isOfPeople ? journal.leads.concerned(gone.map((id) => ({ id, codes: [] }))).size : 0;
      return { records: gone.length, leads: concerned };
    }),
  };
}

/** Leads as the stand team works them. */
function ofLeads(parts: RouterParts) {
  const { leads, publishers } = parts;
  const os = askedByStaff(parts).leads;
  return {
    watch: os.watch.handler(async function* ({ signal }) {
      const changes = publishers.leads.subscribe('changed', { ...abortedBy(signal), maxBufferedEvents: 1 });
      yield { version: 0, ready: leads.isReady() };
      yield* changes;
    }),
    page: os.page.handler(({ input }) => leads.ask('page', input)),
    facets: os.facets.handler(({ input }) => leads.facets(input.filter)),
    words: os.words.handler(() => leads.words()),
    numbers: os.numbers.handler(() => leads.ask('numbers')),
    one: os.one.handler(({ input }) => leads.ask('one', input.lead)),
    last: os.last.handler(async () => ({ lead: await leads.ask('last') })),
    nextUnrated: os.nextUnrated.handler(({ input }) => leads.ask('nextUnrated', input.after)),
    edit: os.edit.handler(({ input }) => leads.edit(input.lead, input.change)),
    correct: os.correct.handler(({ input }) => leads.correct(input.lead, input.change)),
    undo: os.undo.handler(({ input }) => leads.undo(input.factId)),
    persons: os.persons.handler(async ({ input }) => [...(await leads.persons(input.search))]),
    attach: os.attach.handler(({ input }) => leads.attach(input.lead, input.visitor)),
    merge: os.merge.handler(({ input }) => leads.merge(input.lead, input.into)),
    add: os.add.handler(({ input }) => leads.add(input.contact, input.note)),
    readContact: os.readContact.handler(({ input }) => leads.readContact(input.text)),
    worklist: os.worklist.handler(() => leads.worklist()),
    settle: os.settle.handler(({ input }) => ({ kept: leads.settle(input.id, input.settled) })),
    hotRule: os.hotRule.handler(() => leads.hotRule()),
    changeHotRule: os.changeHotRule.handler(({ input }) => ({ kept: leads.changeHotRule(input.rule) })),
  };
}

/** Leads handed over, and forgotten. */
function ofHandover(parts: RouterParts) {
  const { handover, publishers } = parts;
  const { exports, imports, erasure } = handover;
  const os = askedByStaff(parts);
  const isTechnician = (page: Page): boolean => parts.staff.session(page)?.technician === true;
  return {
    imports: {
      begin: os.imports.begin.handler(() => ({ id: imports.begin() })),
      piece: os.imports.piece.handler(({ input }) => ({
        kept: imports.piece(input.id, Buffer.from(input.bytes, 'base64')),
      })),
      finish: os.imports.finish.handler(({ input }) => imports.finish(input.id)),
    },
    exports: {
      places: os.exports.places.handler(() => [...exports.places()]),
      start: os.exports.start.handler(({ input, context }) =>
        input.of !== undefined && !isTechnician(context.page)
          ? { kind: 'refused', reason: 'sealed' }
          : exports.start(input),
      ),
      cancel: os.exports.cancel.handler(({ input }) => ({ done: exports.cancel(input.id) })),
      watch: os.exports.watch.handler(async function* ({ input, signal }) {
        const changes = publishers.exports.subscribe(input.id, {
          ...abortedBy(signal),
          maxBufferedEvents: EXPORT_NEWS_KEPT,
        });
        const now = exports.job(input.id);
        if (now === null) return;
        yield now;
        if (now.result !== null) return;
        for await (const change of changes) {
          yield change;
          if (change.result !== null) return;
        }
      }),
      download: os.exports.download.handler(async function* ({ input }) {
        for (const bytes of exports.fetch(input.id) ?? [])
          yield { bytes: Buffer.from(bytes).toString('base64') };
      }),
    },
    erasure: {
      preview: os.erasure.preview.handler(({ input }) => erasure.preview(input.lead)),
      forget: os.erasure.forget.handler(({ input }) => erasure.forget(input.lead)),
      check: os.erasure.check.handler(({ input }) => erasure.check(input.of)),
      wipe: os.erasure.wipe.handler(({ input: { force, of }, context }) => {
        const technician = isTechnician(context.page);
        if (of !== undefined && !technician) return { kind: 'technician' };
        // What was not delivered is lost for good: only the technician may say so.
        return erasure.wipe(force && technician, of);
      }),
      keepSealed: os.erasure.keepSealed.handler(({ input }) => ({ kept: handover.keepSealed(input.of) })),
      protocols: os.erasure.protocols.handler(() => [...erasure.protocols()]),
    },
  };
}

function abortedBy(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
