/**
 * Imports facts of another Touchpoint from its export file.
 *
 * Invariants:
 * - The file is sent to the device in chunks and never held in memory as a whole.
 * - The result is shown as text.
 * - This device never sends imported facts to the platform.
 */
import { useRef, useState } from 'react';
import type { ImportRefusal, ImportState } from '../../../src-main/contract/imports.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';

/** The upload's progress, then the device's answer. `lost`: the device did not answer. */
type Shown =
  | { readonly kind: 'sending'; readonly done: number; readonly of: number }
  | ImportState
  | { kind: 'lost' };

const pieceBytes = 192 * 1024;
const pieceLimit = 30_000;
const importLimit = 3_600_000;

/** The card. */
export function ImportCard({ link }: { readonly link: Link }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const busy = shown !== null && ['sending', 'checking', 'taking'].includes(shown.kind);
  const take = (file: File) => {
    setShown({ kind: 'sending', done: 0, of: file.size });
    importFile(link, file, setShown)
      .catch(() => setShown({ kind: 'lost' }))
      .finally(() => {
        if (input.current !== null) input.current.value = '';
      });
  };
  return (
    <section className="staff-card">
      <h2>
        <Text id="import.title" />
      </h2>
      <p>
        <Text id="import.hint" />
      </p>
      <label className="staff-button line-button file-button" data-disabled={busy || undefined}>
        <Text id="import.choose" />
        <input
          ref={input}
          className="only-heard"
          type="file"
          accept=".jsonl"
          disabled={busy}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file) take(file);
          }}
        />
      </label>
      {shown === null ? null : <Progress shown={shown} />}
    </section>
  );
}

/** Uploads a file and follows its import. */
async function importFile(link: Link, file: File, show: (shown: Shown) => void): Promise<void> {
  const { id } = await link.call((client, signal) => client.imports.begin(undefined, { signal }));
  for (let at = 0; at < file.size; at += pieceBytes) {
    const bytes = base64(await file.slice(at, at + pieceBytes).arrayBuffer());
    const { kept } = await link.call(
      (client, signal) => client.imports.piece({ id, bytes }, { signal }),
      pieceLimit,
    );
    if (!kept) return show({ kind: 'refused', reason: 'full', line: 0 });
    show({ kind: 'sending', done: Math.min(at + pieceBytes, file.size), of: file.size });
  }
  await link.call(async (client, signal) => {
    for await (const state of await client.imports.finish({ id }, { signal })) show(state);
  }, importLimit);
}

function base64(buffer: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

function Progress({ shown }: { readonly shown: Shown }) {
  switch (shown.kind) {
    case 'sending':
    case 'checking':
    case 'taking':
      return (
        <div className="export-running" role="status">
          <progress max={Math.max(shown.of, 1)} value={shown.done} />
          <p>
            <Text id={`import.${shown.kind}`} />
          </p>
        </div>
      );
    case 'imported':
      return (
        <p className="notice" data-tone="captured" role="status">
          <Text id="import.done" values={{ facts: shown.facts, taken: shown.taken }} />
        </p>
      );
    case 'refused':
      return <Refusal reason={shown.reason} line={shown.line} />;
    case 'lost':
      return (
        <p className="notice" data-tone="stop" role="status">
          <Text id="import.lost" />
        </p>
      );
  }
}

function Refusal({ reason, line }: { readonly reason: ImportRefusal; readonly line: number }) {
  return (
    <p className="notice" data-tone="stop" role="status">
      <Text id={`import.refused.${reason}`} /> {line > 1 ? <Text id="import.line" values={{ line }} /> : null}
    </p>
  );
}
