/**
 * The shift sheet: one A4 page for the next shift, or for the evening.
 *
 * Invariants:
 * - It fits on one page, with names and notes of any length, and says how many leads did not fit.
 * - Name, company and contact details may wrap to a second line, so that no badge and no address is cut.
 * - The remark of a hot lead has two lines. Any other remark has one, unless there is room.
 * - All its data is from the moment that is printed at the top.
 */
import { useQueries } from '@tanstack/react-query';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { LeadFilter, LeadLine, LeadSort } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { type Clock, useClock, useDatedClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { useDayWords } from '../parts/day-words.ts';
import { EmailWords } from '../parts/email-words.tsx';
import { dayFrom } from '../parts/event-days.ts';
import { DeliveryWord, HotWord, LeadName } from '../parts/lead-parts.tsx';
import { PaperPage } from '../parts/paper-page.tsx';
import { fillPage, isRoomy } from './page-room.ts';

/** Maximum number of characters of a note. Two lines hold fewer characters, so the style cuts the rest. */
const mostOfNote = 200;

/** More than the lines on one page. */
const mostOfPart = 45;

type Part = {
  readonly id: 'hot' | 'due' | 'unrated' | 'unknown' | 'undelivered';
  readonly filter: LeadFilter;
  readonly sort: LeadSort;
  /** Reserved lines. A part gets more if the others leave room. */
  readonly most: number;
};

/** The section; `name`: the signed-in team member. */
export function SheetSection({
  link,
  device,
  name,
}: {
  readonly link: Link;
  readonly device: DeviceState;
  readonly name: string;
}) {
  const clock = useClock(device.event?.timezone);
  const dated = useDatedClock(device.event?.timezone);
  const parts: readonly Part[] = [
    { id: 'hot', filter: { hot: true }, sort: 'hot', most: 12 },
    {
      id: 'due',
      filter: { followUpBy: dayFrom(Date.now(), 1, device.event?.timezone) },
      sort: 'latest',
      most: 3,
    },
    { id: 'unrated', filter: { unrated: true }, sort: 'latest', most: 3 },
    { id: 'unknown', filter: { unknown: true }, sort: 'latest', most: 2 },
    { id: 'undelivered', filter: { undelivered: true }, sort: 'latest', most: 2 },
  ];
  const pages = useQueries({
    queries: parts.map(({ filter, sort }) => ({
      queryKey: ['leads', 'sheet', filter, sort],
      queryFn: () =>
        link.call((client, signal) =>
          client.leads.page({ filter, sort, from: { position: 0 }, limit: mostOfPart }, { signal }),
        ),
      retry: true,
      retryDelay: staffTimes.retry,
    })),
  });
  const leads = pages.map(({ data }) => data?.leads ?? []);
  const wanted = parts.map(({ id, most }, index) => ({
    leads: leads[index] ?? [],
    most,
    remarkWraps: id === 'hot',
  }));
  const room = fillPage(wanted);
  return (
    <PaperPage heading="staff.sheet">
      <article className="sheet" data-roomy={isRoomy(wanted)}>
        <header>
          <h2>
            <bdi>{device.partner?.name ?? device.deviceName}</bdi>
          </h2>
          <p>
            <bdi>{device.event?.name}</bdi> · {dated(Date.now())} · <bdi>{name}</bdi>
          </p>
        </header>
        {pages.every(({ data }) => data?.counts.people === 0) ? (
          <p role="status">
            <Text id="sheet.noneYet" />
          </p>
        ) : null}
        {parts.map((part, index) => (
          <SheetPart
            key={part.id}
            part={part}
            leads={leads[index]?.slice(0, room[index]) ?? []}
            total={pages[index]?.data?.counts.people ?? null}
            clock={clock}
          />
        ))}
      </article>
    </PaperPage>
  );
}

type SheetPartProps = {
  readonly part: Part;
  readonly leads: readonly LeadLine[];
  readonly total: number | null;
  readonly clock: Clock;
};

function SheetPart({ part, leads, total, clock }: SheetPartProps) {
  const more = total === null ? 0 : total - leads.length;
  return (
    <section data-part={part.id}>
      <h3>
        <Text id={`sheet.${part.id}`} values={{ count: total ?? 0 }} />{' '}
        {more > 0 ? (
          <span className="sheet-more">
            <Text id="sheet.more" values={{ count: more }} />
          </span>
        ) : null}
      </h3>
      {leads.length > 0 ? (
        <table>
          <tbody>
            {leads.map((lead) => (
              <tr key={lead.id}>
                <th scope="row">
                  <span className="sheet-cell">
                    <LeadName lead={lead} />
                  </span>
                </th>
                <td>
                  <span className="sheet-cell">
                    <bdi>{lead.company}</bdi>
                  </span>
                </td>
                <td>
                  <span className="sheet-cell">
                    <Reach lead={lead} />
                  </span>
                </td>
                <td>
                  <span className="sheet-cell">
                    <Remark part={part} lead={lead} clock={clock} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}

/** Contact details. */
function Reach({ lead: { phone, email } }: { readonly lead: LeadLine }) {
  return phone !== null || email === null ? <bdi>{phone}</bdi> : <EmailWords email={email} />;
}

type RemarkProps = { readonly part: Part; readonly lead: LeadLine; readonly clock: Clock };

function Remark({ part, lead, clock }: RemarkProps) {
  const day = useDayWords();
  const note = lead.note === null ? null : lead.note.slice(0, mostOfNote);
  switch (part.id) {
    case 'hot':
      return note === null ? <HotWord hot={lead.hot} /> : <bdi>{note}</bdi>;
    case 'due':
      return (
        <bdi>
          {[
            lead.followUpOn && day(lead.followUpOn),
            lead.followUpOn && lead.followUpTime,
            lead.followUpBy,
            note,
          ]
            .filter(Boolean)
            .join(' · ')}
        </bdi>
      );
    case 'undelivered':
      return <DeliveryWord lead={lead} />;
    default:
      return <>{clock(lead.lastAt)}</>;
  }
}
