/**
 * State of one content. `chosen`: will be taken with the next tap. `taken`: the device saved that it was taken.
 * `pending`: the device has not answered yet. `failed`: the device could not save the change.
 */
export type SelectionState = 'none' | 'pending' | 'taken' | 'chosen' | 'failed';
