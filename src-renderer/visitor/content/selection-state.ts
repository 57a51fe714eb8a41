/**
 * State of one content. `chosen`: for the next tap. `taken`: saved by the device. `pending`: the device has
 * not answered.
 */
export type SelectionState = 'none' | 'pending' | 'taken' | 'chosen' | 'failed';
