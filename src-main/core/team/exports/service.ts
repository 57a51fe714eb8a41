/**
 * Exports for the stand team: selects places by id, makes file names, runs one job at a time.
 *
 * Invariants:
 * - Exports leads of one partner: the current one, unless another is named (docs/laws.md#law-14).
 * - A screen selects a place from the list by id and never sends a path.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExportJobState, ExportKind, ExportPlace, ExportRefusal } from '../../../contract/exports.ts';
import type { HotRule, LeadFilter } from '../../../contract/leads.ts';
import type { StandSettings } from '../../stand/visit/settings.ts';
import { fileNameOf } from '../formats/file-name.ts';
import { createWallClock } from '../formats/wall-clock.ts';
import { checkTarget, isSafeName, TargetError } from './export-file.ts';
import { createExportJobs, type ExportJob, type ExportJobs, type ExportJobsPorts } from './export-jobs.ts';
import type { ExportOrder, LetterPreview } from './export-run.ts';
import type { ExportNews, ExportWork } from './export-worker.ts';
import { fingerprintOfKey, keepSigningKey, readSigningKey } from './signature.ts';

/** An offered folder with its path. */
export type FilePlace = ExportPlace & { readonly path: string };

type StartRequest = {
  readonly kind: ExportKind;
  readonly filter: LeadFilter;
  readonly place: string | null;
  readonly name: string | null;
  readonly language: string;
  readonly separator: ',' | ';' | null;
  readonly oneEach: boolean;
  readonly withFiles: boolean;
  /** Partner id as the journal uses it. Default: the current partner. */
  readonly of?: string | undefined;
};

type Started =
  | { readonly kind: 'started'; readonly job: ExportJobState }
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly reason: ExportRefusal };

export type ExportService = Pick<ExportJobs, 'cancel' | 'fetch' | 'drop' | 'stop'> & {
  readonly places: () => readonly ExportPlace[];
  /**
   * Fingerprints of the keys that sign receipts: of this device (null while the disk refuses to keep one), and of its
   * hub.
   */
  readonly signer: () => {
    readonly fingerprint: string | null;
    readonly hub: { readonly name: string; readonly fingerprint: string } | null;
  };
  readonly start: (request: StartRequest) => Started;
  readonly job: (id: string) => ExportJobState | null;
  /** Composes the letters to these leads, without a file. */
  readonly letters: (filter: LeadFilter, language: string) => Promise<LetterPreview>;
};

type ExportServicePorts = Omit<ExportJobsPorts, 'onChange'> & {
  readonly settings: StandSettings;
  readonly event: string;
  /** Partner id as the journal uses it. */
  readonly partner: () => string;
  /** Name of a partner, or null. */
  readonly nameOf: (partner: string) => string | null;
  /** Time zone of the event (IANA). Null while unknown. File names contain the day in this zone. */
  readonly timezone: () => string | null;
  readonly rule: (partner: string) => HotRule;
  /** Number of the last fact of a partner. */
  readonly lastSeq: (partner: string) => number;
  /** Called when an export contains every lead of a partner. `seq`: the partner's last fact when the export began. */
  readonly onAllExported: (
    partner: string,
    last: { readonly at: number; readonly file: string; readonly seq: number },
  ) => void;
  readonly places: () => readonly FilePlace[];
  readonly onChange: (job: ExportJobState) => void;
};

const ENDINGS: Readonly<Record<ExportKind, string>> = {
  'sheet-csv': '.csv',
  'sheet-xlsx': '.xlsx',
  salesforce: '-salesforce.csv',
  hubspot: '-hubspot.csv',
  vcf: '.vcf',
  ics: '-calendar.ics',
  jsonl: '.jsonl',
  'follow-up': '-letters',
  proof: '.proof.json',
};

/** Kinds of export that include every lead. */
const HOLDS_ALL: ReadonlySet<ExportKind> = new Set(['sheet-csv', 'sheet-xlsx', 'jsonl']);

/** Kinds of export that never include photos and voice notes. */
const WITHOUT_FILES: ReadonlySet<ExportKind> = new Set(['jsonl', 'follow-up', 'proof']);

/** Exports of one device. */
export function createExportService(ports: ExportServicePorts): ExportService {
  const { folder, settings, clock } = ports;
  let whole: { readonly id: string; readonly partner: string; readonly seq: number } | null = null;
  const jobs = createExportJobs({
    folder,
    clock,
    log: ports.log,
    program: ports.program,
    newId: ports.newId,
    hub: ports.hub,
    countersign: ports.countersign,
    onChange: (job) => {
      if (job.id === whole?.id && job.result?.kind === 'done') {
        const { partner, seq } = whole;
        whole = null;
        ports.onAllExported(partner, { at: clock.now(), file: job.result.receipt.file, seq });
      }
      ports.onChange(stateOf(job));
    },
  });
  const begin = (order: ReturnType<typeof orderOf>, target: string | null, name: string): Started => {
    keepSigningKey(folder);
    const seq = ports.lastSeq(order.partner);
    const job = jobs.start(order, target, name);
    if (job === null) return { kind: 'busy' };
    if (order.filter === null && HOLDS_ALL.has(order.kind))
      whole = { id: job.id, partner: order.partner, seq };
    return { kind: 'started', job: stateOf(job) };
  };

  const orderOf = (
    request: StartRequest,
    as: ExportOrder['as'],
  ): Omit<ExportOrder, 'target' | 'isDownload'> => {
    const { kind, filter, language, separator, of: partner = ports.partner() } = request;
    const narrowed = Object.keys(filter).length > 0;
    return {
      dataFolder: folder,
      kind,
      as,
      sheetName: request.withFiles ? `leads${ENDINGS[kind]}` : null,
      language,
      separator,
      at: clock.now(),
      event: ports.event,
      partner,
      rule: ports.rule(partner),
      filter: narrowed ? filter : null,
      filterText: narrowed ? filterText(filter) : null,
      questions: settings.questions,
      form: settings.form,
      consents: settings.consents,
      letter: settings.letter,
    };
  };

  return {
    signer: () => {
      keepSigningKey(folder);
      const key = readSigningKey(folder);
      const hub = ports.hub();
      return {
        fingerprint: key === null ? null : fingerprintOfKey(key),
        hub: hub === null ? null : { name: hub.name, fingerprint: hub.fingerprint },
      };
    },
    places: () => ports.places().map(({ path: _, ...place }) => place),
    start: (asked) => {
      const request = { ...asked, withFiles: asked.withFiles && !WITHOUT_FILES.has(asked.kind) };
      const as = formOf(request);
      const order = orderOf(request, as);
      const usual = `${fileNameOf({ name: ports.nameOf(order.partner), company: null, id: 'leads' })} ${createWallClock(ports.timezone()).day(order.at)}`;
      const name = `${request.name ?? usual}${endingOf(request, as)}`;
      if (!isSafeName(name)) return { kind: 'refused', reason: 'name' };
      if (request.place === null) return begin(order, null, name);
      const place = ports.places().find(({ id }) => id === request.place);
      if (place === undefined) return { kind: 'refused', reason: 'gone' };
      try {
        const target = request.name === null ? freeTarget(place.path, name, folder) : join(place.path, name);
        return begin(order, checkTarget(target, folder), name);
      } catch (error) {
        if (error instanceof TargetError) return { kind: 'refused', reason: error.fault };
        throw error;
      }
    },
    job: (id) => {
      const job = jobs.job(id);
      return job === null ? null : stateOf(job);
    },
    letters: (filter, language) => {
      const wish = { place: null, name: null, separator: null, oneEach: false, withFiles: false };
      const order = orderOf({ ...wish, kind: 'follow-up', filter, language }, 'zip');
      return previewInThread(ports.program, { ...order, target: '', isDownload: true });
    },
    cancel: jobs.cancel,
    fetch: jobs.fetch,
    drop: jobs.drop,
    stop: jobs.stop,
  };
}

/** Maximum number of letters in a preview. */
const MOST_SHOWN = 20;

function previewInThread(program: URL, order: ExportOrder): Promise<LetterPreview> {
  return new Promise((resolve, reject) => {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const work: ExportWork = { order, stop, hub: null, preview: MOST_SHOWN };
    const worker = new Worker(program, { workerData: work });
    worker.on('message', (news: ExportNews) => {
      if (news.kind === 'preview') resolve(news.preview);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread that composes letters ended')));
  });
}

function formOf({ kind, oneEach, withFiles, place }: StartRequest): ExportOrder['as'] {
  const isMany = kind === 'follow-up' || (kind === 'vcf' && oneEach) || withFiles;
  if (!isMany) return 'one';
  return place === null ? 'zip' : 'folder';
}

function endingOf({ kind, withFiles }: StartRequest, as: ExportOrder['as']): string {
  if (as === 'one') return ENDINGS[kind];
  if (withFiles) return as === 'zip' ? '-files.zip' : '-files';
  const name = kind === 'vcf' ? '-cards' : ENDINGS[kind];
  return as === 'zip' ? `${name}.zip` : name;
}

/** The name, or the name with the first number that is free. */
function freeTarget(folder: string, name: string, dataFolder: string): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
  for (let count = 1; ; count += 1) {
    const target = join(folder, count === 1 ? name : `${stem} (${count})${ending}`);
    try {
      return checkTarget(target, dataFolder);
    } catch (error) {
      if (!(error instanceof TargetError && error.fault === 'exists') || count === MOST_TRIED) throw error;
    }
  }
}

const MOST_TRIED = 999;

function stateOf({ id, done, of, leftMs, result, download }: ExportJob): ExportJobState {
  return {
    id,
    done,
    of,
    left: leftMs,
    download,
    result: result?.kind === 'done' ? { kind: 'done', receipt: { ...result.receipt } } : result,
  };
}

/**
 * The filter for the receipt. It omits the search text, because it may be a name, and ids, because they do not help a
 * reader.
 */
function filterText({ search, ids, ...others }: LeadFilter): string {
  return JSON.stringify({
    ...others,
    ...(search === undefined ? {} : { search: true }),
    ...(ids === undefined ? {} : { selected: ids.length }),
  });
}
