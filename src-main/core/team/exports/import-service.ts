/**
 * Stores, verifies and imports files of facts that a page uploads to the device (`fact-import.ts`).
 *
 * Invariants:
 * - There is one file at a time. A new upload removes the previous file.
 * - The file is in the data folder, readable by its owner only. It is removed after the import, a refusal or a
 *   cancellation, and at the next start.
 * - Facts are imported in slices. The event loop runs after each slice, so that a tap never waits long.
 */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportState } from '../../../contract/imports.ts';
import type { StorageGuard } from '../../foundations/store/storage-guard.ts';
import { NOT_KNOWN_YET } from '../../journal/facts/lead-projection.ts';
import type { DurableJournal } from '../../journal/recovery/durable-journal.ts';
import { type Imported, importSteps } from './fact-import.ts';
import { createTakeFacts } from './take-facts.ts';

export type ImportService = {
  /** Starts an upload and ends the previous one. An import that already writes facts continues. Returns the id. */
  readonly begin: () => string;
  readonly piece: (id: string, bytes: Uint8Array) => boolean;
  readonly finish: (id: string) => AsyncGenerator<ImportState>;
};

type ImportServicePorts = {
  readonly durable: Pick<DurableJournal, 'current'>;
  readonly storageGuard: StorageGuard;
  readonly folder: string;
  readonly event: string;
  /** Partner id as the journal uses it. */
  readonly partner: () => string;
  readonly newId: () => string;
  /** Called after each import that read a file, also if the file was refused. */
  readonly onImported: () => void;
};

/** Imports of one device. */
export function createImportService(ports: ImportServicePorts): ImportService {
  const folder = join(ports.folder, 'imports');
  const pathOf = (id: string): string => join(folder, `${id}.jsonl`);
  let awaited: string | null = null;
  const drop = (): void => {
    awaited = null;
    rmSync(folder, { recursive: true, force: true });
  };
  drop();

  return {
    begin: () => {
      drop();
      awaited = ports.newId();
      return awaited;
    },
    piece: (id, bytes) => {
      if (id !== awaited) return false;
      const kept = ports.storageGuard.attempt(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendFileSync(pathOf(id), bytes, { mode: 0o600 });
      });
      if (kept.kind === 'failed') drop();
      return kept.kind === 'kept';
    },
    finish: async function* (id) {
      if (id !== awaited) {
        yield { kind: 'refused', reason: 'unreadable', line: 0 };
        return;
      }
      try {
        yield* takeIn(ports, pathOf(id));
      } finally {
        if (id === awaited) drop();
      }
    },
  };
}

async function* takeIn(ports: ImportServicePorts, path: string): AsyncGenerator<ImportState> {
  const { event, storageGuard, onImported } = ports;
  const partner = ports.partner();
  if (partner === NOT_KNOWN_YET) {
    yield { kind: 'refused', reason: 'unassigned', line: 0 };
    return;
  }
  const { database, journal } = ports.durable.current();
  const { leads } = journal;
  const take = createTakeFacts(database, leads);
  const steps = importSteps(path, { database, leads, take, event, partner });
  try {
    for (;;) {
      const step = storageGuard.attempt(() => steps.next());
      if (step.kind === 'failed') {
        yield { kind: 'refused', reason: step.reason, line: 0 };
        return;
      }
      if (step.result.done === true) {
        yield endOf(step.result.value);
        return;
      }
      const { phase, done, of } = step.result.value;
      yield { kind: phase, done, of };
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } finally {
    onImported();
  }
}

function endOf(imported: Imported): ImportState {
  if (imported.kind === 'imported') {
    const { kind, facts, taken } = imported;
    return { kind, facts, taken };
  }
  const { kind, reason, line } = imported;
  return { kind, reason, line };
}
