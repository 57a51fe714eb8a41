/**
 * A device's health in sentences for a technician's terminal: the state of each check, and what to do about a fault.
 * Pure.
 *
 * Invariant: each check has one line, which begins with its verdict.
 */
import type { Pause } from '../../contract/device.ts';
import type { HealthCheck, HealthHub, Verdict } from '../../contract/health.ts';
import type { OutsideHealth } from './read-health.ts';

type Check<Name extends HealthCheck['name']> = Extract<HealthCheck, { name: Name }>;

const MARKS: Readonly<Record<Verdict, string>> = {
  good: 'good     ',
  attention: 'attention',
  noGo: 'NO-GO    ',
};

/** The lines to print at `now`. */
export function linesOf(health: OutsideHealth, now: number): readonly string[] {
  const checks = health.checks.map((check) => `${MARKS[check.verdict]}  ${sentenceOf(check, now)}`);
  const running = health.running ? [] : [notRunning(health.seenAt, now)];
  return [...running, ...checks, rehearsalSentence(health.rehearsal, now), summaryOf(health)];
}

function notRunning(seenAt: number | null, now: number): string {
  const said =
    seenAt === null ? '.' : ` (last seen ${ago(seenAt, now)}). The lines below are its last report.`;
  return `${MARKS.noGo}  Touchpoint does not run here${said}`;
}

function rehearsalSentence(last: OutsideHealth['rehearsal'], now: number): string {
  const blank = ' '.repeat(MARKS.good.length);
  if (last === null) return `${blank}  Rehearsal: none yet.`;
  const { endedAt, verdict, version } = last;
  const said = { good: 'go', attention: 'go, with what was left out', noGo: 'no-go' }[verdict];
  return `${blank}  Rehearsal: ${said}, ${ago(endedAt, now)}, version ${version}.`;
}

function summaryOf({ verdict, version }: OutsideHealth): string {
  const said = version === '' ? '' : ` (version ${version})`;
  if (verdict === 'good') return `Ready for the stand${said}.`;
  return verdict === 'attention' ? `Works, but needs attention${said}.` : `Not ready for the stand${said}.`;
}

function sentenceOf(check: HealthCheck, now: number): string {
  switch (check.name) {
    case 'reader':
      return readerSentence(check);
    case 'touchpoint':
      return touchpointSentence(check);
    case 'storage':
      return storageSentence(check);
    case 'backup':
      return check.newestAt === null
        ? 'Backup: none yet.'
        : `Backup: ${check.facts} ${check.facts === 1 ? 'fact' : 'facts'}, made ${ago(check.newestAt, now)}.`;
    case 'mirror':
      return mirrorSentence(check, now);
    case 'delivery':
      return `${deliverySentence(check)}${check.hub ? ` ${hubSentence(check.hub, now)}` : ''}`;
    case 'key':
      return keySentence(check);
    case 'clock':
      return clockSentence(check);
    case 'power':
      return powerSentence(check);
    case 'version':
      return versionSentence(check);
    case 'interactions': {
      const last = check.lastAt === null ? '' : `, the last ${ago(check.lastAt, now)}`;
      return `Interactions: ${check.captured}${last}.`;
    }
  }
}

function readerSentence({ service, readers, lostNdef, intervals = [] }: Check<'reader'>): string {
  const pace = intervals.map(({ reader, foundMs, everyMs }) => {
    const before = foundMs === everyMs ? '' : ` (${foundMs} ms before)`;
    return ` ${reader} looks for a badge every ${everyMs} ms${before}.`;
  });
  const lost = lostNdef === 0 ? '' : ` ${lostNdef} badges left before they were read completely.`;
  switch (service) {
    case 'up':
      return readers === 0
        ? 'Reader: none. Plug it in, or try another socket.'
        : `Reader: ${readers === 1 ? 'one is' : `${readers} are`} ready.${pace.join('')}${lost}`;
    case 'off':
      return 'Reader: none, as chosen at this start.';
    case 'starting':
      return 'Reader: the card service is starting.';
    case 'absent':
      return 'Reader: no card service runs. Install pcscd (Linux), or plug a reader in, which starts it (Windows).';
    case 'silent':
      return 'Reader: the card service does not answer. Start it again, or this machine.';
    case 'failing':
      return 'Reader: the card service cannot be used. Start it again, or this machine.';
  }
}

function touchpointSentence({ fault }: Check<'touchpoint'>): string {
  if (fault === 'missing') return 'Touchpoint: the one in stand.json is not in the event. Choose another.';
  if (fault === 'unchosen') return 'Touchpoint: not chosen. Choose it on the screen or in stand.json.';
  if (fault === 'otherPartner') return 'Touchpoint: the notice names another partner. Correct stand.json.';
  if (fault === 'unknownPurpose') return 'Touchpoint: this version does not know its purpose. Update.';
  return 'Touchpoint: known to the event.';
}

/** The state of the encryption, and what to do. */
const ENCRYPTION_WORDS = {
  encrypted: ' It is encrypted.',
  open: ' It is not encrypted: a thief of this machine can read its leads. Turn on BitLocker, FileVault or LUKS (docs/install.md).',
  unknown: '',
} as const;

function storageSentence({
  fault,
  freeBytes,
  attachmentBytes = 0,
  encryption = 'unknown',
}: Check<'storage'>): string {
  const free = freeBytes === null ? '' : ` ${Math.round(freeBytes / 1e6)} MB are free.`;
  if (fault === 'full') return `Disk: full, nothing can be saved. Make room.${free}`;
  if (fault === 'readOnly') return 'Disk: read-only, nothing can be saved.';
  if (fault === 'failing') return 'Disk: reports errors, nothing can be saved. Use another machine.';
  const files =
    attachmentBytes === 0 ? '' : ` Photos and voice notes: ${Math.ceil(attachmentBytes / 1e6)} MB.`;
  return `Disk: works.${free}${files}${ENCRYPTION_WORDS[encryption]}`;
}

function mirrorSentence({ complete, lastPassAt, refused = [] }: Check<'mirror'>, now: number): string {
  const age = lastPassAt === null ? 'never brought up to date' : `brought up to date ${ago(lastPassAt, now)}`;
  const names = refused.map(({ name, lost }) => (lost ? `${name} (any more)` : name)).join(', ');
  const lacks = names === '' ? '' : ` The key may not read: ${names}.`;
  return `Copy of the event: ${complete ? 'whole' : 'not whole yet'}, ${age}.${lacks}`;
}

const PAUSES: Readonly<Record<Pause, string>> = {
  noEvent: 'the platform does not know this event',
  keyRefused: 'the platform refuses the key',
  keyMissing: 'the key cannot be read from the keychain',
  forbidden: 'the platform does not allow this key or address',
  noWritePermission: 'the key may read but not send',
  addressNotAllowed: 'the platform does not accept this network address',
  wrongClock: 'the clock of this machine is wrong',
  takesNoScans: 'this platform takes no scans',
  refusesAll: 'the platform refuses everything now',
  tls: 'the encrypted connection cannot be trusted',
  wrongHub: 'another server than the hub of this device answers at its address; kept here',
  addressUnknown: 'the address of the platform is not found; kept here until it is found',
  offline: 'no network; kept here until it returns',
  notAPlatform: 'another server than the event platform answers',
};

/**
 * Why nothing is sent. A device at a hub has a credential of the hub, so a refusal came from the hub, not the
 * platform.
 */
function pauseWords(pause: Pause, isAtHub: boolean): string {
  const isRevoked = isAtHub && (pause === 'keyRefused' || pause === 'forbidden');
  return isRevoked
    ? 'the hub does not accept this device any more; kept here until it has a new file of the hub'
    : PAUSES[pause];
}

function deliverySentence({
  pause,
  waiting,
  parked,
  busyShare,
  hub,
  elsewhere = 0,
  crm = { refused: 0, undecided: 0, broken: 0 },
}: Check<'delivery'>): string {
  const said = [
    ...(pause === null ? [] : [pauseWords(pause, hub !== null)]),
    `${waiting} waiting`,
    ...(parked === 0 ? [] : [`${parked} refused by the platform, see the staff page`]),
    ...(elsewhere === 0 ? [] : [`${elsewhere} waiting for a CRM that accepts none`]),
    ...(crm.broken === 0 ? [] : [`${crm.broken} CRM with a broken access`]),
    ...(crm.refused === 0 ? [] : [`${crm.refused} refused by a CRM`]),
    ...(crm.undecided === 0 ? [] : [`${crm.undecided} changed here and in a CRM, to decide`]),
    ...(busyShare <= 0.01 ? [] : [`${Math.round(busyShare * 100)} % of the requests had to wait`]),
  ];
  return `Delivery: ${said.join(', ')}.`;
}

function hubSentence({ name, host, state, since }: HealthHub, now: number): string {
  const at = since === null ? '' : ago(since, now);
  const said: Readonly<Record<HealthHub['state'], string>> = {
    online: 'answers, and reaches the platform',
    away: `answers, and does not reach the platform${at === '' ? '' : `, the last time ${at}`}`,
    silent: `does not answer, the last time ${at === '' ? 'before this start' : at}`,
    unknown: 'answers; whether it reaches the platform is not known yet',
  };
  return `The hub ${name} at ${host} ${said[state]}.`;
}

const KEY_FILES: Readonly<Record<NonNullable<Check<'key'>['why']>, string>> = {
  none: 'this start has no keychain',
  plainText: 'the keychain of this system protects nothing',
  unreachable: 'the keychain of this system does not answer',
};

function keySentence({ place, why, missing }: Check<'key'>): string {
  if (missing === 'unreachable')
    return 'Key: kept in a keychain that cannot be reached. Unlock it, or type the key again in the set-up.';
  if (missing === 'lost') return 'Key: the keychain does not have it any more. Type it again in the set-up.';
  if (place === 'start') return 'Key: given when the app was started, and not stored.';
  if (place === 'demo') return 'Key: that of the demo.';
  if (place === 'keychain') return 'Key: in the keychain of this system.';
  const reason = why === null ? '' : ` (${KEY_FILES[why]})`;
  return `Key: in platform.json, readable only by the owner of the account${reason}.`;
}

function versionSentence({ verdict, change }: Check<'version'>): string {
  if (change === null) return 'Version: no other one ran here before.';
  const { from, left, found } = change;
  if (verdict === 'good') return `Version: opened all ${left} interactions that version ${from} left.`;
  return `Version: ${left - found} of ${left} interactions that version ${from} left are not here. End the app and run npm run restore.`;
}

function clockSentence({ verdict, offsetMs, platformDoubted }: Check<'clock'>): string {
  if (platformDoubted === true)
    return "Clock: the platform's time is implausible, so this machine's clock counts. Check its date and time.";
  if (offsetMs === null)
    return verdict === 'good' ? 'Clock: not compared yet.' : 'Clock: implausible. Set it.';
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  const off = seconds === 0 ? 'right' : `${seconds} s ${offsetMs > 0 ? 'slow' : 'fast'}`;
  return `Clock: ${off} off the platform's.${verdict === 'good' ? '' : ' Set date and time.'}`;
}

function powerSentence({ charge, plugged }: Check<'power'>): string {
  if (charge === null) return 'Power: this machine reports no battery.';
  const share = `${Math.round(charge * 100)} %`;
  return plugged === true ? `Power: plugged in, ${share}.` : `Power: on battery, ${share}.`;
}

function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  if (seconds < 100) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}
