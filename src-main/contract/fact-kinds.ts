/** Kinds of facts. The wire uses the same names (docs/interface/undocumented.md#writing-interactions). */
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
