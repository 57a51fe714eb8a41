/**
 * The steps of an export: the choice of leads, format and target, the progress, and the receipt.
 *
 * Invariant: one export at a time; it can be cancelled; its receipt lists what is in the file and what was left out.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form, Label, Radio, RadioGroup } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { ExportPlace } from '../../../src-main/contract/exports.ts';
import type { LeadFilter } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { CheckField } from '../parts/check-field.tsx';
import { ExportProgress } from './export-progress.tsx';
import { LetterPreview } from './letter-preview.tsx';
import { type OfferedKind, useExport } from './use-export.ts';

const kinds: readonly OfferedKind[] = [
  ...(['sheet-xlsx', 'sheet-csv', 'salesforce', 'hubspot', 'vcf', 'ics', 'follow-up', 'jsonl'] as const),
];

type Which = 'all' | 'narrowed' | 'selected';

type ExportCardProps = {
  readonly link: Link;
  readonly all: number | null;
  /** The filter of the list from which the user came here. */
  readonly narrowed: { readonly filter: LeadFilter; readonly count: number | null } | null;
  readonly selected: ReadonlySet<string>;
};

/** The card. */
export function ExportCard({ link, all, narrowed, selected }: ExportCardProps) {
  const text = useText();
  const intl = useIntl();
  const [kind, setKind] = useState<OfferedKind>('sheet-xlsx');
  const [place, setPlace] = useState<string>('');
  const usual: Which = selected.size > 0 ? 'selected' : narrowed ? 'narrowed' : 'all';
  const [chosen, setChosen] = useState<Which | null>(null);
  const which = chosen ?? usual;
  const running = useExport(link);
  const [withFiles, setWithFiles] = useState(true);
  const kept = useQuery({
    queryKey: ['leads', 'attachments'],
    queryFn: () => link.call((client, signal) => client.leads.attachments.sum(undefined, { signal })),
  });
  const files = kept.data?.files ?? 0;
  const canHaveFiles = files > 0 && kind !== 'jsonl' && kind !== 'follow-up';
  const offered: readonly { readonly id: Which; readonly count: number | null }[] = [
    { id: 'all', count: all },
    ...(narrowed ? [{ id: 'narrowed' as const, count: narrowed.count }] : []),
    ...(selected.size > 0 ? [{ id: 'selected' as const, count: selected.size }] : []),
  ];
  const filters: Readonly<Record<Which, LeadFilter>> = {
    all: {},
    narrowed: narrowed?.filter ?? {},
    selected: { ids: [...selected] },
  };
  return (
    <section className="staff-card">
      <h2>
        <Text id="handover.export" />
      </h2>
      <Form
        className="export"
        onSubmit={(event) => {
          event.preventDefault();
          running.start({
            ...{ kind, filter: filters[which], place: place || null, language: intl.locale },
            withFiles: canHaveFiles && withFiles,
          });
        }}
      >
        <RadioGroup
          className="choice choice-tiles"
          value={which}
          onChange={(value) => setChosen(offered.find(({ id }) => id === value)?.id ?? null)}
        >
          <Label>{text('handover.which')}</Label>
          {offered.map(({ id, count }) => (
            <Radio key={id} value={id} className="choice-line">
              <Text id={`handover.${id}`} />{' '}
              <strong>{count === null ? '…' : intl.formatNumber(count)}</strong>
            </Radio>
          ))}
        </RadioGroup>
        <RadioGroup
          className="choice choice-tiles"
          value={kind}
          onChange={(value) => setKind(kinds.find((one) => one === value) ?? 'sheet-xlsx')}
        >
          <Label>{text('handover.kind')}</Label>
          {kinds.map((one) => (
            <Radio key={one} value={one} className="choice-line">
              <strong>
                <Text id={`export.${one}`} />
              </strong>{' '}
              <span className="choice-hint">
                <Text id={`export.hint.${one}`} />
              </span>
            </Radio>
          ))}
        </RadioGroup>
        {canHaveFiles ? (
          <CheckField
            label={text('handover.withFiles', {
              count: files,
              size: Math.ceil((kept.data?.bytes ?? 0) / 1e6),
            })}
            checked={withFiles}
            onChange={setWithFiles}
          />
        ) : null}
        {kind === 'follow-up' ? <LetterPreview link={link} filter={filters[which]} /> : null}
        <Places link={link} place={place} onChange={setPlace} />
        {all === 0 ? (
          <p className="choice-hint" role="status">
            <Text id="handover.noneYet" />
          </p>
        ) : null}
        {/* An export that starts before the files are counted would leave them out. */}
        <Button type="submit" className="staff-button" isDisabled={running.busy || !kept.isFetchedAfterMount}>
          <Text id="handover.start" />
        </Button>
      </Form>
      <ExportProgress running={running} />
    </section>
  );
}

type PlacesProps = {
  readonly link: Link;
  readonly place: string;
  readonly onChange: (place: string) => void;
};

/** A USB stick, a folder of this machine, or the browser's downloads. */
export function Places({ link, place, onChange }: PlacesProps) {
  const text = useText();
  const places = useQuery({
    queryKey: ['export-places'],
    queryFn: () => link.call((client, signal) => client.exports.places(undefined, { signal })),
    refetchInterval: 4_000,
  });
  const named = ({ kind, name }: ExportPlace) => text(`place.${kind}`, { name });
  return (
    <label className="choice">
      {text('handover.place')}
      <select className="small-field place" value={place} onChange={({ target }) => onChange(target.value)}>
        <option value="">{text('place.browser')}</option>
        {(places.data ?? []).map((one) => (
          <option key={one.id} value={one.id}>
            {named(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
