/** The property for each field of a lead, with a preview of three real leads. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Destination } from '../../../src-main/contract/destinations.ts';
import type { Link } from '../../link/link.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text, useText } from '../../messages/text.tsx';
import { PauseOf } from './destination-words.tsx';

type MappingProps = {
  readonly link: Link;
  readonly destination: Destination;
  readonly onSaved: () => Promise<void>;
};

/** The fields of the team, whose names in mappings are technical. */
const ownFields: Readonly<Partial<Record<string, MessageId>>> = {
  'lead.rating': 'crm.field.rating',
  'lead.labels': 'lead.labels',
  'lead.note': 'crm.field.note',
  'lead.followUpOn': 'crm.field.followUpOn',
  'lead.followUpBy': 'crm.field.followUpBy',
  'lead.followUpTime': 'crm.field.followUpTime',
  'lead.followUpKind': 'crm.field.followUpKind',
  'lead.companyGroup': 'crm.field.companyGroup',
  owner: 'crm.field.owner',
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
function Mapping({ link, destination: { id, atHub }, onSaved }: MappingProps) {
  const text = useText();
  const queries = useQueryClient();
  const key = ['destinations', id, 'mapping'];
  const mapping = useQuery({
    queryKey: key,
    queryFn: () => link.call((client, signal) => client.destinations.mapping({ id }, { signal })),
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
  // All other fields have the names of the columns in the CRM's import.
  const nameOf = (field: string, question: string | null): string => {
    const own = ownFields[field];
    return own === undefined ? (question ?? field) : text(own);
  };
  return (
    <>
      {saved?.kept === true || save.isIdle || save.isPending ? null : (
        <p className="notice" data-tone="wait" role="alert">
          {saved?.fault == null ? (
            <Text id="crm.failed" />
          ) : (
            <Text
              id={`crm.fault.${saved.fault.kind}`}
              values={
                'by' in saved.fault ? { ...saved.fault, by: nameOf(saved.fault.by, null) } : saved.fault
              }
            />
          )}
        </p>
      )}
      {pause === null ? null : (
        <p className="notice" data-tone="wait">
          <PauseOf pause={pause} atHub={atHub} />
        </p>
      )}
      <div className="crm-mapping">
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
            {fields.map(({ field, property, question }) => (
              <tr key={field}>
                <td>
                  <bdi>{nameOf(field, question)}</bdi>
                </td>
                <td>
                  {properties === null ? (
                    <input
                      className="small-field"
                      aria-label={text('crm.propertyOf', { field: nameOf(field, question) })}
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
                      aria-label={text('crm.propertyOf', { field: nameOf(field, question) })}
                      value={property ?? ''}
                      onChange={({ target }) => save.mutate({ field, property: target.value })}
                    >
                      <option value="">{text('crm.notSent')}</option>
                      {properties.map(({ name, label, required }) => (
                        <option key={name} value={name}>
                          {required ? `${label} *` : label}
                        </option>
                      ))}
                    </select>
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
    </>
  );
}
