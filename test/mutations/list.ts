/**
 * The faults that `npm run mutations` plants: each breaks one law or promise in one place, like a careless change.
 *
 * Invariants:
 * - `find` occurs exactly once in `file`, on one line.
 * - The changed code still loads and runs.
 * - The named tests are the narrowest that must fail.
 */

export type Mutation = {
  readonly name: string;
  /** The broken law or promise, as text. */
  readonly promise: string;
  /** Path from the top of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Test files, of which at least one test must fail. */
  readonly tests: readonly string[];
};

export const mutations: readonly Mutation[] = [
  // Once planted and not detected by any test.
  {
    name: 'parked-sent-at-start',
    promise: 'a parked fact is sent again only when a person says so',
    file: 'src-main/core/journal/facts/transitions.ts',
    find: "interrupted: row(['in_flight'],",
    replace: "interrupted: row(['in_flight', 'parked'],",
    tests: ['test/core/delivery/outbox/refusals.test.ts'],
  },
  {
    name: 'time-out-without-read-back',
    promise: 'docs/laws.md#law-3: what may have arrived is read back before it is sent again',
    file: 'src-main/core/delivery/outbox/dispatcher.ts',
    find: "return failure.kind === 'retry' && failure.reached === 'maybe';",
    replace: 'return false;',
    tests: ['test/core/delivery/outbox/delivery-without-ids.test.ts'],
  },
  {
    name: 'salvage-without-checksum',
    promise: 'a fact comes back from a damaged journal only while both its hashes hold',
    file: 'src-main/core/journal/recovery/recovered-rows.ts',
    find: 'if (better && isTrueToItself(row)) facts.set(row.id, row);',
    replace: 'if (better) facts.set(row.id, row);',
    tests: ['test/core/journal/recovery/changed-facts.test.ts'],
  },
  {
    name: 'proof-of-a-broken-chain',
    promise: 'a chain that does not hold is not signed',
    file: 'src-main/core/team/exports/proof.ts',
    find: 'if (!isTrueToItself(row) ||',
    replace: 'if (row === null ||',
    tests: ['test/core/team/exports/proof.test.ts'],
  },
  {
    name: 'proof-names-other-partners',
    promise: 'docs/laws.md#law-14: of a fact of another partner the proof holds the hash only',
    file: 'src-main/core/team/exports/proof.ts',
    find: 'if (row.lead === null || row.partner_of_lead !== partner) {',
    replace: 'if (row.lead === null) {',
    tests: ['test/core/team/exports/proof.test.ts'],
  },
  {
    name: 'lead-of-another-partner-by-its-id',
    promise: 'docs/laws.md#law-14: a lead is read by its id only for the partner it belongs to',
    file: 'src-main/core/team/leads/lead-reader.ts',
    find: 'return source === null || source.partner !== settings.partner ? null : foldLead(source, settings.rule);',
    replace: 'return source === null ? null : foldLead(source, settings.rule);',
    tests: ['test/core/team/leads/lead-list.test.ts'],
  },
  {
    name: 'form-replaced-as-a-whole',
    promise: 'each answer of the team’s form merges by itself',
    file: 'src-main/core/team/leads/fold.ts',
    find: "Object.assign(fields, given, 'form' in given ? { form: mergedForm(fields.form, given.form) } : {});",
    replace: 'Object.assign(fields, given);',
    tests: ['test/core/team/leads/team-form.test.ts'],
  },
  {
    name: 'note-in-a-visitors-calendar',
    promise: 'a calendar file for a visitor has nothing that the team wrote',
    file: 'src-main/core/team/formats/calendar.ts',
    find: "...event(lead, setting, title, '', []), 'END:VCALENDAR'",
    replace: "...event(lead, setting, title, descriptionOf(lead), []), 'END:VCALENDAR'",
    tests: ['test/core/team/formats/calendar.test.ts'],
  },
  {
    name: 'wiped-without-the-technician',
    promise: 'only the technician wipes leads that were not delivered',
    file: 'src-main/core/router.ts',
    find: 'return erasure.wipe(force && technician, of);',
    replace: 'return erasure.wipe(force, of);',
    tests: ['test/core/team/erasure/erasure.test.ts'],
  },
  {
    name: 'email-kept-with-the-lead-gone',
    promise: 'forgetting a person drops the queued e-mail, also when the lead is erased',
    file: 'src-main/core/journal/facts/erasure.ts',
    find: 'if (visitor !== null) dropEmail.run(visitor);',
    replace: '',
    tests: ['test/core/journal/facts/erasure.test.ts'],
  },
  {
    name: 'email-kept-with-the-visitor-gone',
    promise: 'a queued e-mail leaves with the visitor whom the platform removed',
    file: 'src-main/core/journal/facts/erasure.ts',
    find: 'const ofVisitor = database.transaction((visitor: string, at: number): number => {',
    replace:
      'const ofVisitor = database.transaction((visitor: string, at: number): number => { const dropEmail = { run: (_: string) => undefined };',
    tests: ['test/core/journal/facts/erasure.test.ts'],
  },
  {
    name: 'one-action-proves-two-facts',
    promise: 'docs/laws.md#law-3: an action proves one fact',
    file: 'src-main/core/delivery/outbox/likeness.ts',
    find: 'const like = items.find(({ id, item }) => !taken.has(id) && isLike(item, body));',
    replace: 'const like = items.find(({ item }) => isLike(item, body));',
    tests: ['test/core/delivery/outbox/likeness.test.ts'],
  },
  {
    name: 'erased-sent-again',
    promise: 'an erased fact is not sent again',
    file: 'src-main/core/journal/facts/transitions.ts',
    find: "{ reason: 'clear', attempts: 'reset', needs: 'content' }",
    replace: "{ reason: 'clear', attempts: 'reset' }",
    tests: ['test/core/journal/facts/erasure.test.ts'],
  },
  // Capture.
  {
    name: 'captured-before-commit',
    promise: 'docs/laws.md#law-1: "captured" is told only after the commit returned',
    file: 'src-main/core/journal/facts/journal.ts',
    find: 'record: (draft, visitor) => recordInOneTransaction.immediate(draft, visitor),',
    replace:
      "record: (draft, visitor) => { if (!database.inTransaction) { database.exec('BEGIN IMMEDIATE'); setImmediate(() => database.open && database.exec('COMMIT')); } return recordInOneTransaction(draft, visitor); },",
    tests: ['test/core/stand/taps/taps.test.ts'],
  },
  {
    name: 'outbox-row-later',
    promise: 'docs/laws.md#law-2: a fact and its outbox row commit together',
    file: 'src-main/core/journal/facts/journal.ts',
    find: 'outbox.enqueue(seq, envelope.at);',
    replace: 'setImmediate(() => database.open && outbox.enqueue(seq, envelope.at));',
    tests: ['test/core/stand/taps/taps.test.ts'],
  },
  {
    name: 'newer-journal-opened',
    promise: 'a database of a newer program is refused and left as it was',
    file: 'src-main/core/foundations/store/database.ts',
    find: 'if (found > known) {',
    replace: 'if (found > known && known === 0) {',
    tests: ['test/core/foundations/store/store.test.ts'],
  },
  {
    name: 'undo-of-another-run',
    promise: 'a tap of another run can only be taken back where this one showed it',
    file: 'src-main/core/stand/taps/undo.ts',
    find: 'tap.boot === journal.boot && clock.monotonic() - tap.mono <=',
    replace: 'clock.monotonic() - tap.mono <=',
    tests: ['test/core/stand/taps/taps.test.ts'],
  },
  {
    name: 'old-notice-counts',
    promise: 'consents are asked again under another notice',
    file: 'src-main/core/stand/visit/pending-prompts.ts',
    find: 'consents.length > 0 && consentOf(tap, lead)?.notice !== notice?.version;',
    replace: 'consents.length > 0 && consentOf(tap, lead) === null;',
    tests: ['test/core/stand/visit/tap-sessions.test.ts'],
  },
  {
    name: 'clash-forgotten-after-the-uid',
    promise: 'a badge captured by its UID whose message names somebody else is corrected',
    file: 'src-main/core/stand/taps/uid-first.ts',
    find: "return owner.kind === 'ambiguous' ||",
    replace: 'return',
    tests: ['test/core/stand/taps/uid-first.test.ts'],
  },
  // Delivery.
  {
    name: 'delivered-before-the-card-is-known',
    promise: 'what may still be corrected is not delivered',
    file: 'src-main/core/delivery/outbox/batch.ts',
    find: '.filter((item) => item.seq < held)',
    replace: '.filter((item) => item.seq <= held)',
    tests: ['test/core/delivery/outbox/batch.test.ts'],
  },
  {
    name: 'doubt-resolved-without-looking',
    promise: 'docs/laws.md#law-3: a doubtful fact is due again only after the platform was asked',
    file: 'src-main/core/delivery/outbox/confirmer.ts',
    find: 'const { found, tells } = await look(items, signal);',
    replace: 'const { found, tells } = { found: new Set<string>(), tells: true };',
    tests: ['test/simulation/simulation.test.ts'],
  },
  {
    name: 'settled-by-position',
    promise: 'results of a batch are matched by id, never by position',
    file: 'src-main/core/delivery/outbox/dispatcher.ts',
    find: 'const result = results.get(id);',
    replace: 'const result = [...results.values()][settlements.length + unnamed.length];',
    tests: ['test/core/delivery/outbox/refusals.test.ts'],
  },
  {
    name: 'busy-costs-an-attempt',
    promise: 'docs/laws.md#law-5: 429 is traffic and costs no attempt',
    file: 'src-main/core/delivery/outbox/dispatcher.ts',
    find: "else await store.requeue(seqs, wordsOf(error), failure.kind === 'retry', clock.now());",
    replace: 'else await store.requeue(seqs, wordsOf(error), true, clock.now());',
    tests: ['test/core/delivery/outbox/refusals.test.ts'],
  },
  {
    name: 'half-jitter',
    promise: 'docs/laws.md#law-12: every wait between retries has full jitter',
    file: 'src-main/core/foundations/time/backoff.ts',
    find: 'Math.floor(fraction * Math.min(',
    replace: 'Math.floor((0.5 + fraction / 2) * Math.min(',
    tests: ['test/core/foundations/time/backoff.test.ts'],
  },
  {
    name: 'other-bytes-on-resend',
    promise: 'docs/laws.md#law-3: a fact is repeated with the same bytes',
    file: 'src-main/core/delivery/outbox/wire.ts',
    find: "if (wire !== null && item.wireIsSound) return { kind: 'outgoing', seq, id, wire, wasOut };",
    replace: '',
    tests: ['test/core/delivery/outbox/batch.test.ts'],
  },
  {
    name: 'forbidden-parks',
    promise: 'docs/laws.md#law-6: 403 pauses the queue and parks nothing',
    file: 'src-main/core/foundations/api/error-class.ts',
    find: "if (status === 403) return { kind: 'stop', pause: 'forbidden' };",
    replace: '',
    tests: ['test/core/delivery/outbox/wire.test.ts'],
  },
  {
    name: 'one-slot-too-many',
    promise: 'docs/laws.md#law-5: never more requests at once than the semaphore has slots',
    file: 'src-main/core/foundations/api/semaphore.ts',
    find: 'if (inside >= slots || waiting.length === 0) return;',
    replace: 'if (inside > slots || waiting.length === 0) return;',
    tests: ['test/core/foundations/api/client.test.ts'],
  },
  // Mirror.
  {
    name: 'cursor-before-its-page',
    promise: 'docs/laws.md#law-4: a page and its cursor commit together',
    file: 'src-main/core/event/mirror/tables.ts',
    find: 'const { passes, living: before } = progress.of(resource);',
    replace:
      "const { passes, living: before } = progress.of(resource); progress.write(resource, { revision: cursor }); database.exec('COMMIT'); database.exec('BEGIN IMMEDIATE');",
    tests: ['test/core/event/mirror/mirror.test.ts'],
  },
  {
    name: 'sweep-without-asking',
    promise: 'a pass that would remove many records asks first',
    file: 'src-main/core/event/mirror/tables.ts',
    find: 'if (doubtful && !approved) {',
    replace: 'if (doubtful && approved) {',
    tests: ['test/core/event/mirror/mirror.test.ts'],
  },
  {
    name: 'late-naming-skipped',
    promise: 'docs/laws.md#law-8: an unknown badge gets its name when the mirror learns it',
    file: 'src-main/core/stand/taps/mirror-changes.ts',
    find: 'if (visitor !== null) journal.leads.nameBadges(own, snapshotOf(visitor));',
    replace:
      'if (visitor !== null && visitor.revision < 0n) journal.leads.nameBadges(own, snapshotOf(visitor));',
    tests: ['test/core/stand/taps/mirror-changes.test.ts'],
  },
  // Erasure and recovery.
  {
    name: 'erasure-leaves-the-sent-text',
    promise: 'erasure removes every copy of the person, the text that was sent too',
    file: 'src-main/core/journal/facts/erasure.ts',
    find: 'eraseWires.run(lead);',
    replace: '',
    tests: ['test/core/journal/facts/erasure.test.ts'],
  },
  {
    name: 'tail-without-checksum',
    promise: 'a line of the sidecar log counts only while its hashes hold',
    file: 'src-main/core/journal/recovery/sidecar-log.ts',
    find: 'return isTrueToItself(row) ? row : null;',
    replace: 'return row;',
    tests: ['test/core/journal/recovery/changed-facts.test.ts'],
  },
  {
    name: 'salvaged-sent-blindly',
    promise: 'what comes back from a damaged journal is read back before it is sent',
    file: 'src-main/core/journal/recovery/salvage.ts',
    find: "const state = row.payload === null ? 'parked' : 'uncertain';",
    replace: "const state = row.payload === null ? 'parked' : 'due';",
    tests: ['test/core/journal/recovery/changed-facts.test.ts'],
  },
  // Readers and screens.
  {
    name: 'mute-card-without-outcome',
    promise: 'every insertion ends in exactly one outcome',
    file: 'src-main/devices/reader/reader-watch.ts',
    find: "settle(unread('mute'));",
    replace: '',
    tests: ['test/devices/reader/reader-watch.test.ts'],
  },
  {
    name: 'tap-lost-behind-an-outcome',
    promise: 'docs/laws.md#law-7: a new tap wins over what the screen was showing, and none is lost in line',
    file: 'src-renderer/visitor/state/reducer.ts',
    find: 'return mustWait ? { ...display, queue: [...display.queue, event] } : showOutcome(display, event, now);',
    replace: 'return mustWait ? display : showOutcome(display, event, now);',
    tests: ['test/renderer/visitor/state/reducer.test.ts'],
  },
  {
    name: 'scanner-rates-a-lead',
    promise: 'a scanner rates nobody, however late its characters arrive',
    file: 'src-renderer/staff/parts/keys.ts',
    find: 'for (const takeBack of ran.splice(0)) takeBack();',
    replace: '',
    tests: ['test/renderer/staff/leads.test.ts'],
  },
  // The platform.
  {
    name: 'platform-not-idempotent',
    promise: 'the platform gives an id one effect',
    file: 'src-platform/interactions/accept.ts',
    find: 'const earlier = batch.fact(item.id);',
    replace: 'const earlier = undefined as ReturnType<typeof batch.fact>;',
    tests: ['test/platform/interactions.test.ts'],
  },
  {
    name: 'platform-order',
    promise: 'lists come in order of increasing revision',
    file: 'src-platform/resources/list.ts',
    find: "return select.orderBy('revision').limit(limit).execute();",
    replace: "return select.orderBy('id').limit(limit).execute();",
    tests: ['test/platform/document.test.ts'],
  },
  {
    name: 'platform-shows-deleted',
    promise: 'deleted records are listed only when asked for',
    file: 'src-platform/resources/list.ts',
    find: 'if (query.showDeleted !== true && rule.alwaysShowsDeleted !== true) {',
    replace: 'if (query.showDeleted === false && rule.alwaysShowsDeleted !== true) {',
    tests: ['test/platform/document.test.ts'],
  },
  {
    name: 'platform-unknown-event',
    promise: 'an unknown event is a 400, a foreign one a 403',
    file: 'src-platform/http/guard.ts',
    find: "if (!expo) throw badRequest('Expo not found');",
    replace: "if (!expo) throw forbidden('Expo not found');",
    tests: ['test/platform/document.test.ts'],
  },
  {
    name: 'platform-retry-from-latest-call',
    promise: 'retries of a webhook are measured from the initial call',
    file: 'src-platform/notifications/round.ts',
    find: 'return wait === undefined ? null : { due: Math.max(round.started + wait, now) };',
    replace: 'return wait === undefined ? null : { due: now + wait };',
    tests: ['test/platform/notifications/schedule.test.ts'],
  },

  // Laptops of one stand that share.
  {
    name: 'laptop-of-another-partner-joins',
    promise: 'docs/laws.md#law-14: a laptop of another partner is never let in',
    file: 'src-hub/sharing/invitations.ts',
    find: 'if (place.partner !== own.partner)',
    replace: 'if (place.partner === null)',
    tests: ['test/sharing/refusals.test.ts'],
  },
  {
    name: 'join-code-used-twice',
    promise: 'a join code is valid for one laptop',
    file: 'src-hub/sharing/invitations.ts',
    find: 'found.isUsed = true;',
    replace: 'found.isUsed = false;',
    tests: ['test/sharing/refusals.test.ts'],
  },
  {
    name: 'join-any-server',
    promise: 'a laptop sends nothing to a server whose key is not the one of the code',
    file: 'src-main/sharing/join.ts',
    find: 'if (pinStartOf(pin) !== read.pinStart)',
    replace: "if (read.pinStart === '')",
    tests: ['test/sharing/refusals.test.ts'],
  },
  {
    name: 'delivered-not-brought-to-a-new-hub',
    promise: 'laptops that change their hub end with the same leads',
    file: 'src-main/core/team/colleagues/team-facts.ts',
    find: 'await bringDelivered(epoch, signal);',
    replace: '',
    tests: ['test/sharing/sharing.test.ts'],
  },
];
