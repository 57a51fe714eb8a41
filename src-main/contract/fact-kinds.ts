/** Kinds of facts; the same words go over the wire (docs/interface/undocumented.md#writing-interactions). */
export const FACT_KINDS = [
  'tap',
  'collect',
  'checkin',
  'consent',
  'undo',
  'qualify',
  'note',
  'correct',
  'attach',
] as const;
