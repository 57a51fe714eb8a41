/** State of one content: `chosen` for the next tap, `taken` and saved by the device, `pending` its answer. */
export type SelectionState = 'none' | 'pending' | 'taken' | 'chosen' | 'failed';
