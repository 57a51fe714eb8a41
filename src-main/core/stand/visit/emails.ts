/**
 * The confirmation e-mail that a visitor requests again (docs/interface/resources.md#send-email).
 *
 * Invariants:
 * - The request is on disk before the platform gets it, and is removed once the platform accepted or refused it.
 * - Only the platform's answer counts as "sent".
 * - A stored request contains the visitor's id, its type and its time, never an address.
 */
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError, isRefusal } from '../../foundations/api/error-class.ts';
import { sendEmailOf } from '../../foundations/api/send-email.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { StorageGuard } from '../../foundations/store/storage-guard.ts';
import { EMAIL_PATIENCE_MS } from '../../foundations/time/windows.ts';
import type { Journal } from '../../journal/facts/journal.ts';

export type EmailState = 'sent' | 'queued' | 'impossible';

export type Emails = {
  /** Requests the e-mail now, or later if there is no network. `hasAddress`: the device knows an address. */
  readonly ask: (visitor: string, hasAddress: boolean) => Promise<EmailState>;
  /** Sends a pending request. @throws ApiError for temporary faults; the signal's reason when the caller aborted */
  readonly send: (visitor: string, signal: AbortSignal) => Promise<void>;
};

type EmailsPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  readonly storageGuard: StorageGuard;
  readonly isOffline: () => boolean;
};

/** E-mails of one kiosk. */
export function createEmails(ports: EmailsPorts): Emails {
  const { client, expoId, journal, clock, log, storageGuard, isOffline } = ports;
  const platform = sendEmailOf(client, expoId);
  /** Visitors whose request is being sent. */
  const asking = new Set<string>();

  /** @throws ApiError for temporary faults; the signal's reason when the caller aborted */
  const askNow = async (visitor: string, signal: AbortSignal): Promise<'sent' | 'impossible'> => {
    asking.add(visitor);
    try {
      const sent = await platform.confirmation(visitor, { force: true }, signal);
      journal.emails.remove(visitor);
      return sent ? 'sent' : 'impossible';
    } catch (error) {
      if (!isRefusal(error)) throw error;
      journal.emails.remove(visitor);
      log.warn('the platform sends no e-mail', { why: error instanceof ApiError ? error.message : '' });
      return 'impossible';
    } finally {
      asking.delete(visitor);
    }
  };

  return {
    ask: async (visitor, hasAddress) => {
      if (asking.has(visitor)) return 'queued';
      if (isOffline() && !hasAddress) return 'impossible';
      if (storageGuard.attempt(() => journal.emails.add(visitor, clock.now())).kind === 'failed')
        return 'impossible';
      if (isOffline()) return 'queued';
      const patience = new AbortController();
      const done = new AbortController();
      void clock.sleep(EMAIL_PATIENCE_MS, done.signal).then(() => patience.abort());
      try {
        return await askNow(visitor, patience.signal);
      } catch (error) {
        if (!(error instanceof ApiError) && !patience.signal.aborted) throw error;
        return 'queued';
      } finally {
        done.abort();
      }
    },
    send: async (visitor, signal) => {
      if (!asking.has(visitor)) await askNow(visitor, signal);
    },
  };
}
