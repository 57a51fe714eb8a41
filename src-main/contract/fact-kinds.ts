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

/** Kinds of files that a `note` can carry. */
export const ATTACHMENT_KINDS = ['photo', 'voice'] as const;
