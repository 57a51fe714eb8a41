/** How it stands with one content: `chosen` is for the tap to come, `taken` is kept by the device, `pending` waits for its answer. */
export type SelectionState = 'none' | 'pending' | 'taken' | 'chosen' | 'failed';
