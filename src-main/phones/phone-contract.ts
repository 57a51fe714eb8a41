/** The part of the contract that the team's phones can use. */
import { kioskContract } from '../contract/contract.ts';

const { device, staff, leads } = kioskContract;
const { attachments, recognition } = leads;

/**
 * The calls of a phone: the team's work on leads. It contains no calls for set-up, export, erasure, CRM or hub, none
 * that change the rules or targets of the stand, and none of the visitor's screen.
 */
export const phoneContract = {
  device: { watch: device.watch },
  staff: {
    watch: staff.watch,
    signIn: staff.signIn,
    lock: staff.lock,
    touch: staff.touch,
    team: staff.team,
  },
  leads: {
    watch: leads.watch,
    page: leads.page,
    facets: leads.facets,
    words: leads.words,
    one: leads.one,
    last: leads.last,
    edit: leads.edit,
    correct: leads.correct,
    company: leads.company,
    undo: leads.undo,
    persons: leads.persons,
    attach: leads.attach,
    merge: leads.merge,
    add: leads.add,
    addVisitor: leads.addVisitor,
    readContact: leads.readContact,
    attachments: {
      put: attachments.put,
      photo: attachments.photo,
      voice: attachments.voice,
      read: attachments.read,
      use: attachments.use,
    },
    recognition: { read: recognition.read },
    worklist: leads.worklist,
    settle: leads.settle,
    hotRule: leads.hotRule,
  },
};
