/**
 * Implements the contract: checks who may make a call, and passes it to a part of the kiosk.
 *
 * Invariants:
 * - Both shells serve the same router.
 * - One rule refuses every staff call from a page that is not signed in.
 */
import { implement, ORPCError, withEventMeta } from '@orpc/server';
import type { MediaUse } from '../contract/attachments.ts';
import { kioskContract } from '../contract/contract.ts';
import type { DeviceState } from '../contract/device.ts';
import type { ErasureProtocol } from '../contract/erasure.ts';
import type { Health } from '../contract/health.ts';
import type { Stand } from '../contract/stand.ts';
import type { HubCommands } from './delivery/hub/commands.ts';
import { deadLetterOf, type ParkedSight } from './delivery/outbox/parked.ts';
import { requeueDeadLetters } from './delivery/outbox/requeue.ts';
import type { Mirror } from './event/mirror/mirror.ts';
import { RESOURCE_NAMES } from './event/mirror/resources.ts';
import type { Puller } from './event/sync/puller.ts';
import type { Uploads } from './foundations/store/uploads.ts';
import type { Journal } from './journal/facts/journal.ts';
import { type Publishers, whereDifferent } from './screens.ts';
import { type DeviceAssignment, partnerNow } from './stand/device/assignment.ts';
import type { DemoTray } from './stand/taps/demo-tray.ts';
import type { UnseenOutcomes } from './stand/taps/outcome-publisher.ts';
import type { Taps } from './stand/taps/taps.ts';
import type { StandService } from './stand/visit/stand.ts';
import type { KioskDestinations } from './team/destinations/kiosk-destinations.ts';
import type { ErasureService } from './team/erasure/service.ts';
import type { ImportService } from './team/exports/import-service.ts';
import type { ExportService } from './team/exports/service.ts';
import type { LeadService } from './team/leads/service.ts';
import type { Recognise } from './team/recognition/recognition.ts';
import type { Page } from './team/staff/sessions.ts';
import type { Staff } from './team/staff/staff.ts';

/** The caller: the connection of one page, identified by its shell. */
export type Asker = { readonly page: Page };

/** The parts of the kiosk that the router uses. */
export type RouterParts = {
  readonly taps: Taps;
  readonly unseen: UnseenOutcomes;
  readonly tray: DemoTray;
  readonly standService: StandService;
  /** The stand as it is now. */
  readonly stand: () => Stand;
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly puller: Pick<Puller, 'reconcile'>;
  readonly leads: LeadService;
  /** Files that a page uploads for a lead. */
  readonly uploads: Pick<Uploads, 'put' | 'take' | 'bytes'>;
  readonly recognise: Recognise;
  readonly useDevice: (device: MediaUse) => () => void;
  readonly exports: ExportService;
  readonly imports: ImportService;
  readonly erasure: ErasureService;
  readonly destinations: KioskDestinations;
  /** Keeps a partner's leads sealed on this device. Staff are not asked again. */
  readonly keepSealed: (partner: string) => boolean;
  readonly staff: Staff;
  readonly assignment: () => DeviceAssignment | null;
  readonly hub: Pick<HubCommands, 'putAway'>;
  readonly publishers: Publishers;
  readonly state: () => DeviceState;
  readonly health: () => Health;
  readonly now: () => number;
  /** Called after dead letters became due again. */
  readonly onRequeued: () => void;
};

/** Maximum length of a queue of quick taps. A page falls further behind only if its connection is lost. */
const TAPS_KEPT_FOR_A_SLOW_SCREEN = 1_000;
/** Staff cannot read more than this. Beyond it, parked facts can still be sent again and exported. */
const PARKED_SHOWN = 200;
/** An export reports ten times a second. */
const EXPORT_REPORTS_KEPT = 100;

/** The router of one kiosk. */
export function createRouter(parts: RouterParts) {
  return asked().router({
    device: ofDevice(parts),
    taps: ofTaps(parts),
    stand: ofStand(parts),
    offer: ofOffer(parts),
    session: ofSession(parts),
    demo: ofDemo(parts),
    staff: createEntryRouter(parts.staff, parts.publishers),
    leads: ofLeads(parts),
    delivery: ofDelivery(parts),
    destinations: ofDestinations(parts),
    imports: ofImports(parts),
    exports: ofExports(parts),
    erasure: ofErasure(parts),
    health: { read: askedByStaff(parts.staff).health.read.handler(parts.health) },
    hub: { putAway: askedByStaff(parts.staff).hub.putAway.handler(() => ({ done: parts.hub.putAway() })) },
    mirror: ofMirror(parts),
  });
}

function asked() {
  return implement(kioskContract).$context<Asker>();
}

/** Only for pages that are signed in. */
function askedByStaff(staff: Staff) {
  return asked().use(({ context, next }) => {
    if (staff.session(context.page) === null) throw new ORPCError('UNAUTHORIZED');
    return staff.actAs(context.page, next);
  });
}

/** The router's type, for the shells. */
export type KioskRouter = ReturnType<typeof createRouter>;

function ofDevice({ publishers, state, standService, staff }: RouterParts) {
  const os = asked().device;
  return {
    watch: os.watch.handler(async function* ({ signal }) {
      const changes = publishers.states.subscribe('state', { signal, maxBufferedEvents: 1 });
      yield* whereDifferent(state, changes);
    }),
    touchpoints: os.touchpoints.handler(() => [...standService.touchpoints()]),
    choose: os.choose.handler(async ({ input, context }) => {
      const pin = await staff.approve(context.page, input.pin);
      return pin === null ? { done: standService.choose(input.touchpoint) } : { done: false, pin };
    }),
  };
}

function ofTaps({ publishers, taps, unseen }: RouterParts) {
  const os = asked().taps;
  return {
    watch: os.watch.handler(async function* ({ signal, lastEventId }) {
      const live = publishers.taps.subscribe('tap', {
        signal,
        maxBufferedEvents: TAPS_KEPT_FOR_A_SLOW_SCREEN,
      });
      for await (const { event, id } of unseen.follow(live, lastEventId))
        yield id === undefined ? event : withEventMeta({ ...event }, { id });
    }),
    enter: os.enter.handler(({ input }) => {
      taps.enter(input.text, input.source);
      return { taken: true };
    }),
    undo: os.undo.handler(({ input }) => ({ done: taps.undo(input.factId) })),
  };
}

function ofStand({ publishers, stand }: RouterParts) {
  const os = asked().stand;
  return {
    watch: os.watch.handler(async function* ({ signal }) {
      const changes = publishers.stands.subscribe('stand', { signal, maxBufferedEvents: 1 });
      yield* whereDifferent(stand, changes);
    }),
  };
}

/** The partner's contents for a visitor. */
function ofOffer({ standService }: RouterParts) {
  const os = asked().offer;
  return {
    list: os.list.handler(({ input }) => {
      const { items, total } = standService.offer(input.search, input.offset, input.limit);
      return { items: [...items], total };
    }),
    picture: os.picture.handler(({ input }) => standService.picture(input.id, input.size)),
  };
}

/** A visitor's additions to a tap. */
function ofSession({ standService }: RouterParts) {
  const os = asked().session;
  return {
    consent: os.consent.handler(({ input }) => ({
      kept: standService.consent(input.factId, input.language, input.agreed),
    })),
    answer: os.answer.handler(({ input }) => ({
      kept: standService.answer(input.factId, input.language, input.question, input.answer),
    })),
    skip: os.skip.handler(({ input }) => ({ kept: standService.skip(input.factId, input.question) })),
    collect: os.collect.handler(({ input }) => ({
      kept: standService.collect(input.factId, input.content, input.take),
    })),
    email: os.email.handler(async ({ input }) => ({ state: await standService.email(input.factId) })),
    end: os.end.handler(({ input }) => ({ ended: standService.end(input.factId) })),
  };
}

function ofDemo({ standService, tray }: RouterParts) {
  const os = asked().demo;
  return {
    badges: os.badges.handler(() => [...tray.badges]),
    tap: os.tap.handler(async ({ input }) => ({ taken: await tray.tap(input.code) })),
    become: os.become.handler(({ input }) => ({ done: standService.reassign(input.purpose) })),
  };
}

/** Sign-in and settings of the stand team, even on a device that is not set up yet. */
export function createEntryRouter(staff: Staff, publishers: Pick<Publishers, 'staff'>) {
  const os = asked().staff;
  const inside = askedByStaff(staff).staff;
  return {
    watch: os.watch.handler(async function* ({ signal, context: { page } }) {
      const changes = publishers.staff.subscribe('change', { signal, maxBufferedEvents: 1 });
      try {
        yield staff.state(page);
        for await (const _change of changes) yield staff.state(page);
      } finally {
        // The page closed or reloaded.
        staff.leave(page);
      }
    }),
    choosePin: os.choosePin.handler(async ({ input, context }) => ({
      chosen: await staff.choosePin(context.page, input.pin, input.name),
    })),
    signIn: os.signIn.handler(({ input, context }) => staff.signIn(context.page, input.pin)),
    redeem: os.redeem.handler(({ input, context }) => ({
      in: staff.redeem(context.page, input.ticket),
    })),
    lock: os.lock.handler(({ input, context }) => {
      if (input.off) staff.signOff(context.page);
      else staff.lock(context.page);
      return { locked: true };
    }),
    touch: inside.touch.handler(({ context }) => {
      staff.touch(context.page);
      return { open: true };
    }),
    identify: inside.identify.handler(({ input, context }) => ({
      done: staff.identify(context.page, input.member),
    })),
    changePin: inside.changePin.handler(async ({ input }) => {
      await staff.changePin(input.pin);
      return { changed: true };
    }),
    team: inside.team.handler(() => staff.team()),
    addMember: inside.addMember.handler(({ input }) => staff.addMember(input.name)),
    setEmail: inside.setEmail.handler(({ input }) => {
      staff.setEmail(input.member, input.email);
      return staff.team();
    }),
    removeMember: inside.removeMember.handler(({ input }) => {
      staff.removeMember(input.member);
      return staff.team();
    }),
    awaitBadge: inside.awaitBadge.handler(({ input }) => {
      staff.awaitBadge(input.member);
      return staff.team();
    }),
    removeBadge: inside.removeBadge.handler(({ input }) => {
      staff.removeBadge(input.badge);
      return staff.team();
    }),
  };
}

/** Repairs of the mirror that staff can start. */
function ofMirror({ mirror, puller, staff }: RouterParts) {
  const os = askedByStaff(staff).mirror;
  return {
    reconcile: os.reconcile.handler(() => {
      puller.reconcile();
      return { begun: true };
    }),
    approveRemoval: os.approveRemoval.handler(({ input, context }) => {
      if (!isTechnician(staff, context.page)) return { approved: false };
      const name = RESOURCE_NAMES.find((known) => known === input.resource);
      if (name === undefined) return { approved: false };
      mirror.approveSweep(name);
      puller.reconcile();
      return { approved: true };
    }),
  };
}

/** Refusals of the platform and of this device, and what a removal would do. */
function ofDelivery({ journal, mirror, leads, assignment, staff, now, onRequeued }: RouterParts) {
  const os = askedByStaff(staff).delivery;
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

/** The stand team's calls for leads. */
function ofLeads({ leads, publishers, staff, uploads, recognise, useDevice }: RouterParts) {
  const os = askedByStaff(staff).leads;
  return {
    watch: os.watch.handler(async function* ({ signal }) {
      const changes = publishers.leads.subscribe('changed', { signal, maxBufferedEvents: 1 });
      yield { version: 0, ready: leads.isReady() };
      yield* changes;
    }),
    page: os.page.handler(({ input }) => leads.ask('page', input)),
    facets: os.facets.handler(({ input }) => leads.facets(input.filter)),
    words: os.words.handler(() => leads.words()),
    numbers: os.numbers.handler(() => leads.numbers()),
    changeTarget: os.changeTarget.handler(({ input }) => ({ kept: leads.changeTarget(input.target) })),
    one: os.one.handler(({ input }) => leads.ask('one', input.lead)),
    last: os.last.handler(async () => ({ lead: await leads.ask('last') })),
    nextUnrated: os.nextUnrated.handler(({ input }) => leads.ask('nextUnrated', input.after)),
    edit: os.edit.handler(({ input }) => leads.edit(input.lead, input.change)),
    correct: os.correct.handler(({ input }) => leads.correct(input.lead, input.change)),
    companies: os.companies.handler(({ input }) => leads.ask('companies', input)),
    company: os.company.handler(({ input }) => leads.ask('companyOf', input.lead)),
    mergeCompanies: os.mergeCompanies.handler(({ input }) =>
      leads.mergeCompanies(input.companies, input.into),
    ),
    undo: os.undo.handler(({ input }) => leads.undo(input.factId)),
    persons: os.persons.handler(async ({ input }) => [...(await leads.persons(input.search))]),
    attach: os.attach.handler(({ input }) => leads.attach(input.lead, input.visitor)),
    merge: os.merge.handler(({ input }) => leads.merge(input.lead, input.into)),
    add: os.add.handler(({ input }) => leads.add(input.contact, input.note)),
    readContact: os.readContact.handler(({ input }) => leads.readContact(input.text)),
    attachments: {
      put: os.attachments.put.handler(({ input }) => ({
        upload: uploads.put(input.upload, Buffer.from(input.bytes, 'base64')),
      })),
      photo: os.attachments.photo.handler(({ input }) =>
        leads.attachments.photo(input.lead, uploads.take(input.upload)),
      ),
      voice: os.attachments.voice.handler(({ input: { lead, upload, ...said } }) =>
        leads.attachments.voice(lead, uploads.take(upload), said),
      ),
      read: os.attachments.read.handler(({ input }) => {
        const found = leads.attachments.read(input.factId);
        return found && { type: found.type, bytes: Buffer.from(found.bytes).toString('base64') };
      }),
      sum: os.attachments.sum.handler(() => leads.attachments.sum()),
      use: os.attachments.use.handler(async function* ({ input, signal }) {
        const end = useDevice(input.device);
        try {
          yield { allowed: true as const };
          await aborted(signal);
        } finally {
          end();
        }
      }),
    },
    recognition: {
      read: os.recognition.read.handler(({ input }) => recognise(uploads.bytes(input.upload))),
    },
    addVisitor: os.addVisitor.handler(({ input }) => leads.addVisitor(input.visitor)),
    worklist: os.worklist.handler(() => leads.worklist()),
    settle: os.settle.handler(({ input }) => ({ kept: leads.settle(input.id, input.settled) })),
    hotRule: os.hotRule.handler(() => leads.hotRule()),
    changeHotRule: os.changeHotRule.handler(({ input }) => ({ kept: leads.changeHotRule(input.rule) })),
  };
}

/** Facts of another device, imported from a file. */
function ofImports({ imports, staff }: RouterParts) {
  const os = askedByStaff(staff).imports;
  return {
    begin: os.begin.handler(() => ({ id: imports.begin() })),
    piece: os.piece.handler(({ input }) => ({
      kept: imports.piece(input.id, Buffer.from(input.bytes, 'base64')),
    })),
    finish: os.finish.handler(({ input }) => imports.finish(input.id)),
  };
}

function ofExports({ exports, publishers, staff }: RouterParts) {
  const os = askedByStaff(staff).exports;
  return {
    places: os.places.handler(() => [...exports.places()]),
    signer: os.signer.handler(exports.signer),
    start: os.start.handler(({ input, context }) =>
      input.of !== undefined && !isTechnician(staff, context.page)
        ? { kind: 'refused', reason: 'sealed' }
        : exports.start(input),
    ),
    letters: os.letters.handler(async ({ input }) => {
      const { letters, ...others } = await exports.letters(input.filter, input.language);
      return { ...others, letters: [...letters] };
    }),
    cancel: os.cancel.handler(({ input }) => ({ done: exports.cancel(input.id) })),
    watch: os.watch.handler(async function* ({ input, signal }) {
      const changes = publishers.exports.subscribe(input.id, {
        signal,
        maxBufferedEvents: EXPORT_REPORTS_KEPT,
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
    download: os.download.handler(async function* ({ input }) {
      for (const bytes of exports.fetch(input.id) ?? [])
        yield { bytes: Buffer.from(bytes).toString('base64') };
    }),
  };
}

/** CRMs and webhooks that get the leads. */
function ofDestinations({ destinations, staff }: RouterParts) {
  const os = askedByStaff(staff).destinations;
  return {
    list: os.list.handler(() => destinations.list()),
    lost: os.lost.handler(() => destinations.lost()),
    connect: os.connect.handler(({ input }) => destinations.connect(input)),
    rename: os.rename.handler(({ input }) => destinations.rename(input.id, input.name)),
    replaceToken: os.replaceToken.handler(({ input }) => destinations.replaceToken(input.id, input.token)),
    offered: os.offered.handler(() => destinations.offered()),
    connectOffered: os.connectOffered.handler(({ input }) => destinations.connectOffered(input.id)),
    authorize: os.authorize.handler(({ input }) => destinations.authorize(input)),
    authorized: os.authorized.handler(() => destinations.authorized()),
    test: os.test.handler(({ input }) => destinations.test(input.id)),
    save: os.save.handler(({ input }) => destinations.save(input.id, input.settings)),
    mapping: os.mapping.handler(({ input }) => destinations.mapping(input.id)),
    dryRun: os.dryRun.handler(({ input }) => destinations.dryRun(input.id, input.filter)),
    send: os.send.handler(({ input }) => destinations.send(input.id, input.filter)),
    ofLead: os.ofLead.handler(({ input }) => destinations.ofLead(input.lead)),
    parked: os.parked.handler(({ input }) => destinations.parked(input.id)),
    retry: os.retry.handler(({ input }) => destinations.retry(input.id, input.lead ?? null)),
    conflicts: os.conflicts.handler(({ input }) => destinations.conflicts(input.id)),
    decide: os.decide.handler(({ input }) => destinations.decide(input.id, input)),
    forget: os.forget.handler(({ input }) => destinations.forget(input.id)),
  };
}

function ofErasure({ erasure, destinations, keepSealed, staff }: RouterParts) {
  const os = askedByStaff(staff).erasure;
  const withDestinations = (protocol: ErasureProtocol): ErasureProtocol => {
    const asked = destinations.erasuresOf(protocol.id);
    return asked.length === 0 ? protocol : { ...protocol, destinations: [...asked] };
  };
  return {
    preview: os.preview.handler(({ input }) => erasure.preview(input.lead)),
    forget: os.forget.handler(({ input }) => {
      const erased = erasure.forget(input.lead);
      return erased.kind === 'erased' ? { ...erased, protocol: withDestinations(erased.protocol) } : erased;
    }),
    check: os.check.handler(({ input: { of }, context }) => {
      if (of !== undefined && !isTechnician(staff, context.page)) throw new ORPCError('FORBIDDEN');
      return erasure.check(of);
    }),
    wipe: os.wipe.handler(({ input: { force, of }, context }) => {
      const technician = isTechnician(staff, context.page);
      if (of !== undefined && !technician) return { kind: 'technician' };
      // Undelivered leads are lost permanently, so only the technician may wipe them.
      return erasure.wipe(force && technician, of);
    }),
    keepSealed: os.keepSealed.handler(({ input }) => ({ kept: keepSealed(input.of) })),
    protocols: os.protocols.handler(() => erasure.protocols().map(withDestinations)),
  };
}

/** Resolves when the page closes the stream. */
export function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted !== false) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function isTechnician(staff: Staff, page: Page): boolean {
  return staff.session(page)?.technician === true;
}
