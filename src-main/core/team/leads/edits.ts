/**
 * Edits of leads by the stand team. Each edit is saved at once, as one or more facts.
 *
 * Invariants:
 * - A fact contains only the changed fields.
 * - Each of these facts can be undone, except an undo.
 * - Two merged leads keep their own data, so that the merge can be undone.
 */
import { fitsQuestion } from '../../../contract/form-rules.ts';
import { type LeadEdit, PERSON_FIELDS } from '../../../contract/lead-fields.ts';
import type { CompaniesMerged, Correction, Edited, LeadDetail } from '../../../contract/leads.ts';
import type { Contact } from '../../../contract/people.ts';
import type { FormQuestion } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import { cleanLine, cleanNote } from '../../foundations/text/typed-text.ts';
import type { FactContent, FactPayloads } from '../../journal/facts/fact.ts';
import { foldLead, isUndoable } from './fold.ts';
import { USUAL_HOT_RULE } from './hot.ts';
import { changedValues } from './lead-fields.ts';
import { createLeadWriter, type LeadWriterPorts, referenceOf } from './lead-writer.ts';
import { BY_HAND } from './person.ts';

export type LeadEdits = {
  readonly edit: (lead: string, change: LeadEdit) => Edited;
  readonly correct: (lead: string, change: Correction) => Edited;
  /** Files these people under a company, all or none. People who are filed there already are left out. */
  readonly file: (leads: readonly string[], company: string) => CompaniesMerged;
  readonly undo: (factId: string) => Edited;
  readonly attach: (lead: string, visitor: string) => Edited;
  readonly merge: (lead: string, into: string) => Edited;
  readonly add: (contact: Contact, note?: string | null) => Edited;
  /** Adds a visit of a visitor of the event whose badge could not be tapped. */
  readonly addVisitor: (visitor: string) => Edited;
};

export type LeadEditsPorts = LeadWriterPorts & {
  readonly mirror: Mirror;
  /** The team's own questions. */
  readonly form: readonly FormQuestion[];
  /** A unique id for a person without a badge. */
  readonly newId: () => string;
};

/** The edits of one device. */
export function createLeadEdits(ports: LeadEditsPorts): LeadEdits {
  const { journal, mirror } = ports;
  const { own, keep, change } = createLeadWriter(ports);
  return {
    edit: (lead, wanted) => {
      if (!fitsForm(ports.form, wanted)) return { kind: 'invalid' };
      return change(lead, (now, who) => {
        const fields = changedValues(now, wanted);
        return fields === null ? null : { kind: 'qualify', payload: { ...who, fields } };
      });
    },
    correct: (lead, wanted) =>
      change(lead, (now, who) => {
        const fields = correctedFields(now, wanted);
        return fields === null ? null : { kind: 'correct', payload: { ...who, fields } };
      }),
    attach: (lead, visitor) => {
      const record = mirror.record('visitors', visitor);
      const source = own(lead);
      if (record === null || source === null) return { kind: 'unknown' };
      const theirs = journal.leads.ofVisitor(source.partner, visitor);
      if (theirs !== null && journal.leadSources.rootOf(theirs) === source.id) return { kind: 'same' };
      const payload = { badge: source.badge, visitor, lead: source.id };
      return keep([{ kind: 'attach', payload }], snapshotOf(record), source.id);
    },
    merge: (lead, into) =>
      change(lead, (_now, _who, { badge, id }) => {
        const other = own(into);
        if (other === null || other.id === id) return null;
        const visitor = other.person === null ? {} : { visitor: other.person.visitor };
        return { kind: 'attach', payload: { badge, ...visitor, lead: id, into: other.id } };
      }),
    // Undoing this tap also undoes the person.
    add: (contact, note = null) => {
      const fields = linesOf(contact);
      const badge = `${BY_HAND}${ports.newId()}`;
      const notes = note === null ? null : cleanNote(note);
      if (fields === null) return { kind: 'same' };
      return keep(
        [
          { kind: 'tap', payload: { badge } },
          { kind: 'correct', payload: { badge, fields } },
          ...(notes === null ? [] : [{ kind: 'qualify' as const, payload: { badge, fields: { notes } } }]),
        ],
        null,
        null,
      );
    },
    file: (leads, company) => {
      const contents = leads.flatMap((lead): FactContent[] => {
        const source = own(lead);
        if (source === null) return [];
        const fields = changedValues(foldLead(source, USUAL_HOT_RULE), { companyGroup: company });
        return fields === null ? [] : [{ kind: 'qualify', payload: { ...referenceOf(source), fields } }];
      });
      if (contents.length === 0) return { kind: 'same' };
      const kept = keep(contents, null, null);
      return kept.kind === 'failed' ? kept : { kind: 'kept', people: contents.length };
    },
    addVisitor: (visitor) => {
      const record = mirror.record('visitors', visitor);
      if (record === null) return { kind: 'unknown' };
      const payload = { badge: `${BY_HAND}${ports.newId()}`, visitor };
      return keep([{ kind: 'tap', payload }], snapshotOf(record), null);
    },
    undo: (factId) => {
      const fact = journal.fact(factId);
      const lead = fact === null ? null : journal.leads.ofFact(fact.seq);
      const source = lead === null ? null : own(lead.id);
      const known = source?.facts.find(({ id }) => id === factId);
      if (source === null || known === undefined) return { kind: 'unknown' };
      const { badge = source.badge, lead: part = source.id, fields = {} } = known.payload ?? {};
      if (known.undone || !isUndoable({ ...known, badge, fields: { ...fields } })) return { kind: 'same' };
      return keep([{ kind: 'undo', payload: { badge, undoes: factId } }], null, part);
    },
  };
}

/** Whether each answer of an edit is valid for a question of the form. Any answer may be removed. */
function fitsForm(form: readonly FormQuestion[], { form: given = {} }: LeadEdit): boolean {
  return Object.entries(given).every(([id, answer]) => {
    const question = form.find((one) => one.id === id);
    return answer === null || (question !== undefined && fitsQuestion(question, answer));
  });
}

type CorrectFields = FactPayloads['correct']['fields'];

function correctedFields({ person }: LeadDetail, wanted: Correction): CorrectFields | null {
  const changed = PERSON_FIELDS.flatMap((field) => {
    const given = wanted[field];
    if (given === undefined) return [];
    const { original, corrected } = person[field];
    const clean = given === null ? null : cleanLine(given);
    // A value equal to the platform's is not a correction.
    const next = clean === original ? null : clean;
    return next === corrected ? [] : [[field, next] as const];
  });
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function linesOf(contact: Contact): CorrectFields | null {
  const lines = PERSON_FIELDS.flatMap((field) => {
    const given = contact[field];
    const line = given === null ? null : cleanLine(given);
    return line === null ? [] : [[field, line] as const];
  });
  return lines.length === 0 ? null : Object.fromEntries(lines);
}
