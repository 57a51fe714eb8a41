/**
 * Who may do what at the box's nats-server, as its configuration. Pure.
 *
 * Invariants: every user is inside `accounts` (a block `authorization` beside it let anybody in up to nats-server 2.9.22); a
 * device hears and says nothing; what a device told is written only where it is a key, so that no text of a device gets
 * into the configuration.
 */
import type { BellAddress } from '../../src-main/core/bell/ring.ts';

/** Who hears: a public key, and the subjects that are for it. */
export type Listener = { readonly key: string; readonly subjects: readonly string[] };

export type Listening = { readonly host: string; readonly port: number };

/** Longest message in bytes; a ring has fewer than a hundred. */
const LONGEST = 512;

/** The configuration of nats-server: `ownKey` may say everything of `own`, the listeners hear what is theirs. */
export function configOf(
  { host, port }: Listening,
  ownKey: string,
  own: string,
  listeners: readonly Listener[],
): string {
  const user = (key: string, permissions: object): string =>
    `  {nkey: ${key}, permissions: ${JSON.stringify(permissions)}}`;
  const users = [
    user(ownKey, { publish: own, subscribe: { deny: '>' } }),
    ...listeners.map(({ key, subjects }) =>
      user(key, { publish: { deny: '>' }, subscribe: { allow: subjects } }),
    ),
  ];
  return [
    '# Written by the box at every change of its devices.',
    `listen: ${JSON.stringify(`${host.includes(':') ? `[${host}]` : host}:${port}`)}`,
    `max_payload: ${LONGEST}`,
    'ping_interval: "20s"',
    'ping_max: 2',
    'accounts: {BELL: {users: [',
    ...users,
    ']}}',
    '',
  ].join('\n');
}

/** What of the bell of `expo` is for a device of this partner. */
export function subjectsFor(
  expo: string,
  { id, partner }: { readonly id: string; readonly partner: string | null },
): Omit<BellAddress, 'url'> {
  return {
    event: listSubject(expo, '>'),
    device: commandSubject(expo, id),
    team: partner === null ? null : teamSubject(expo, partner),
  };
}

/** Everything a box says. */
export function ownSubjects(expo: string): string {
  return `tp.${expo}.>`;
}

/** Where devices are told that a list changed. */
export function listSubject(expo: string, list: string): string {
  return `tp.${expo}.live.${list}`;
}

/** Where a device is told that a command waits for it. */
export function commandSubject(expo: string, device: string): string {
  return `tp.${expo}.cmd.${device}`;
}

/** Where a partner's devices are told of each other; null where its id is none of a subject. */
export function teamSubject(expo: string, partner: string): string | null {
  return /^[\w-]{1,100}$/.test(partner) ? `tp.${expo}.team.${partner}` : null;
}
