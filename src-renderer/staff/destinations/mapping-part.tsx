/** The property for each field of a lead, with a preview of three real leads. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Destination } from '../../../src-main/contract/destinations.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { destinationTimes } from '../../times.ts';
import { PauseOf } from './destination-words.tsx';
import { useFieldWords } from './field-words.tsx';

type MappingProps = {
  readonly link: Link;
  readonly destination: Destination;
  readonly onSaved: () => Promise<void>;
};

/** The part. It is collapsed at first. */
export function MappingPart(props: MappingProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="crm-part">
      <Button className="staff-button line-button" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <Text id="crm.mapping" />
      </Button>
      {isOpen ? <Mapping {...props} /> : null}
    </div>
  );
}

/**
 * Each change is saved at once, and alone: another page may have changed another field. After a refusal the field
 * shows its property again.
 */
function Mapping({ link, destination: { id, kind, atHub }, onSaved }: MappingProps) {
  const text = useText();
  const nameOf = useFieldWords(kind);
  const queries = useQueryClient();
  const key = ['destinations', id, 'mapping'];
  const mapping = useQuery({
    queryKey: key,
    queryFn: () =>
      link.call((client, signal) => client.destinations.mapping({ id }, { signal }), destinationTimes.ask),
  });
  const save = useMutation({
    mutationFn: ({ field, property }: { readonly field: string; readonly property: string }) => {
      const mapping = { [field]: property === '' ? null : property };
      return link.call((client, signal) =>
        client.destinations.save({ id, settings: { mapping } }, { signal }),
      );
    },
    onSettled: async () => {
      await onSaved();
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  const { fields = [], properties = null, pause = null, leads = [] } = mapping.data ?? {};
  const { data: saved } = save;
  const rows = fields.map((one) => ({ ...one, words: nameOf(one.field, one.question) }));
  // Two fields may have the same name, such as HubSpot's column for the rating and the team's rating. One row is enough.
  const shown = rows.filter((row) => {
    const same = rows.filter(({ words }) => words === row.words);
    return row.property !== null || (row === same[0] && same.every(({ property }) => property === null));
  });
  return (
    <>
      {saved?.kept === true || save.isIdle || save.isPending ? null : (
        <p className="notice" data-tone="wait" role="alert">
          {saved?.fault == null ? (
            <Text id="crm.failed" />
          ) : (
            <Text
              id={`crm.fault.${saved.fault.kind}`}
              values={'by' in saved.fault ? { ...saved.fault, by: nameOf(saved.fault.by) } : saved.fault}
            />
          )}
        </p>
      )}
      {pause === null ? null : (
        <p className="notice" data-tone="wait">
          <PauseOf pause={pause} atHub={atHub} />
        </p>
      )}
      <div className="crm-table crm-mapping">
        <table>
          <thead>
            <tr>
              <th>
                <Text id="crm.field" />
              </th>
              <th>
                <Text id="crm.property" />
              </th>
              {leads.map(({ lead }, at) => (
                <th key={lead}>
                  <Text id="crm.example" values={{ number: at + 1 }} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ field, property, words }) => (
              <tr key={field}>
                <td>
                  <bdi>{words}</bdi>
                </td>
                <td>
                  {properties === null ? (
                    <input
                      className="small-field"
                      aria-label={text('crm.propertyOf', { field: words })}
                      disabled={pause !== null}
                      defaultValue={property ?? ''}
                      onBlur={({ target }) => {
                        const typed = target.value.trim();
                        if (typed === (property ?? '')) return;
                        save.mutate(
                          { field, property: typed },
                          {
                            onSettled: (answer) => {
                              if (answer?.kept !== true) target.value = property ?? '';
                            },
                          },
                        );
                      }}
                    />
                  ) : (
                    <select
                      className="small-field"
                      aria-label={text('crm.propertyOf', { field: words })}
                      value={property ?? ''}
                      onChange={({ target }) => save.mutate({ field, property: target.value })}
                    >
                      <option value="">{text('crm.notSent')}</option>
                      {properties.map(({ name, label, required }) => (
                        <option key={name} value={name}>
                          {required ? `${label} *` : label}
                        </option>
                      ))}
                      {property === null || properties.some(({ name }) => name === property) ? null : (
                        <option value={property}>{property}</option>
                      )}
                    </select>
                  )}
                  {properties === null || property === null ? null : (
                    <bdi className="crm-name code">{property}</bdi>
                  )}
                </td>
                {leads.map(({ lead, values }) => (
                  <td key={lead}>
                    <bdi>{property === null ? '' : values[property]}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {properties?.some(({ required }) => required) === true ? (
        <p className="choice-hint">
          <Text id="crm.required" />
        </p>
      ) : null}
    </>
  );
}
