/**
 * Sessions of browsers: launch links that work once, and the cookies for which they are exchanged.
 *
 * Invariants:
 * - a link is invalid after its first use, so a used link in a process list grants no access;
 * - the file holds only hashes of cookies and is readable by this user only, so a copy of it grants no access;
 * - a cookie expires after 30 days without use;
 * - comparisons take constant time.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock, Log, Random } from '../core/foundations/ports.ts';

/** Links and cookies of one device. */
export type Sessions = {
  /** A new token for a launch link. The latest eight are valid until used. */
  readonly issue: () => string;
  /** The cookie value for an unused token; null for any other token. */
  readonly exchange: (token: string) => string | null;
  /** The first valid one of these cookie values, or null. Its time of use is updated at most once a day. */
  readonly authenticate: (cookies: readonly string[]) => string | null;
};

/** Cookies live this long without use, in seconds. */
export const COOKIE_SECONDS = 30 * 24 * 60 * 60;
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_LINKS = 8;
const MOST_COOKIES = 20;

const sessionsSchema = z.array(z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), usedAt: z.number() }));

type Session = { readonly hash: string; readonly usedAt: number };

/** Opens the sessions in `file`. With an unreadable file every browser needs a new link. */
export function openSessions({
  clock,
  random,
  log,
  file,
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: Log;
  readonly file: string;
}): Sessions {
  let links: readonly string[] = [];
  let cookies: readonly Session[] = read(file, log);

  const fresh = () => cookies.filter(({ usedAt }) => clock.now() - usedAt < COOKIE_SECONDS * 1000);

  const keep = (next: readonly Session[]) => {
    cookies = next;
    write(file, next, log);
  };

  return {
    issue: () => {
      const token = secret(random);
      links = [...links, fingerprint(token)].slice(-MOST_LINKS);
      return token;
    },
    exchange: (token) => {
      const hash = fingerprint(token);
      if (!links.some((link) => isEqual(link, hash))) return null;
      links = links.filter((link) => !isEqual(link, hash));
      const cookie = secret(random);
      keep([...fresh(), { hash: fingerprint(cookie), usedAt: clock.now() }].slice(-MOST_COOKIES));
      return cookie;
    },
    authenticate: (values) => {
      for (const value of values) {
        const hash = fingerprint(value);
        const found = fresh().find((session) => isEqual(session.hash, hash));
        if (found === undefined) continue;
        if (clock.now() - found.usedAt > DAY_MS) {
          keep([...fresh().filter((session) => session !== found), { hash, usedAt: clock.now() }]);
        }
        return value;
      }
      return null;
    },
  };
}

/** A random 256-bit token. */
export function secret(random: Pick<Random, 'bytes'>): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}

/** The form in which a secret is stored. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares in constant time. */
export function isEqual(a: string, b: string): boolean {
  const [left, right] = [fingerprint(a), fingerprint(b)].map((text) => Buffer.from(text));
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function read(file: string, log: Log): readonly Session[] {
  try {
    return sessionsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) log.warn('The remembered browsers could not be read; each needs a new link', { file });
    return [];
  }
}

/** A browser whose session cannot be stored works until the app ends. */
function write(file: string, sessions: readonly Session[], log: Log): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(sessions), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    log.warn('A browser could not be remembered', { error: String(error) });
  }
}
