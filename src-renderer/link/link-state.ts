/** Whether this screen reaches its device. `connecting` only before the first connection. */
export type LinkState = 'connecting' | 'up' | 'lost';
