/**
 * Runs one export from start to end, with the download in this browser if that was chosen.
 *
 * Invariants:
 * - The browser gets the file only when it is complete.
 * - If the page closes, the export continues on the device.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExportJobState, ExportKind, ExportRefusal } from '../../../src-main/contract/exports.ts';
import type { LeadFilter } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { handToBrowser } from '../parts/browser-file.ts';

/** Formats that a card offers by name. The proof has its own card. */
export type OfferedKind = Exclude<ExportKind, 'proof'>;

export type ExportWish = {
  readonly kind: ExportKind;
  readonly filter: LeadFilter;
  readonly place: string | null;
  readonly language: string;
  readonly withFiles?: boolean;
  /** The partner whose sealed leads are exported. Absent for the current partner. */
  readonly of?: string;
};

export type RunningExport = {
  readonly job: ExportJobState | null;
  /** The file goes to this browser's downloads, without a receipt file. */
  readonly toBrowser: boolean;
  /** Why the export did not start. `busy`: another export runs. `lost`: the device did not answer. */
  readonly refused: ExportRefusal | 'busy' | 'lost' | null;
  readonly busy: boolean;
  readonly start: (wish: ExportWish) => void;
  readonly cancel: () => void;
};

/** Exports over `link`. */
export function useExport(link: Link): RunningExport {
  const [job, setJob] = useState<ExportJobState | null>(null);
  const [toBrowser, setToBrowser] = useState(false);
  const [refused, setRefused] = useState<RunningExport['refused']>(null);
  const stop = useRef<() => void>(() => undefined);
  const fetched = useRef<string | null>(null);
  useEffect(() => () => stop.current(), []);

  const start = useCallback(
    (wish: ExportWish) => {
      setRefused(null);
      setJob(null);
      setToBrowser(wish.place === null);
      stop.current();
      link
        .call((client, signal) => client.exports.start(wish, { signal }))
        .then(
          (answer) => {
            if (answer.kind !== 'started') {
              setRefused(answer.kind === 'busy' ? 'busy' : answer.reason);
              return;
            }
            const { id } = answer.job;
            setJob(answer.job);
            stop.current = link.follow(
              (client, signal) => client.exports.watch({ id }, { signal }),
              (next) => {
                setJob(next);
                if (next.result === null) return;
                stop.current();
                if (next.result.kind !== 'done' || next.download === null || fetched.current === id) return;
                fetched.current = id;
                download(link, id, next.download).catch(() => setRefused('lost'));
              },
            );
          },
          () => setRefused('lost'),
        );
    },
    [link],
  );
  const cancel = useCallback(() => {
    if (job === null) return;
    link.call((client, signal) => client.exports.cancel({ id: job.id }, { signal })).catch(() => undefined);
  }, [link, job]);
  return { job, toBrowser, refused, busy: job !== null && job.result === null, start, cancel };
}

const downloadLimit = 600_000;

/** Downloads a file in chunks and gives it to the browser. */
async function download(link: Link, id: string, name: string): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  await link.call(async (client, signal) => {
    for await (const { bytes } of await client.exports.download({ id }, { signal }))
      pieces.push(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));
  }, downloadLimit);
  handToBrowser(pieces, name);
}
